import LedgerFormat
import TaskLedger

/// The state that events add up to, derived task by task from their whole history: no file, no merge, no cache.
package enum StateModel {
  /// The tasks that exist, in order of their ids.
  package static func tasks(_ events: [Event]) -> [TaskItem] {
    Dictionary(grouping: events, by: \.task)
      .compactMap { id, events in TaskState(events.sorted { $0.stamp < $1.stamp }).item(id) }
      .sorted { $0.id < $1.id }
  }

  /// The state digest of the events, 64 hexadecimal digits.
  package static func digest(_ events: [Event]) -> String {
    var lines: [UInt8] = []
    for task in tasks(events) { lines += task.canonicalJSON + [0x0a] }
    return Digest(of: lines).hex
  }
}
