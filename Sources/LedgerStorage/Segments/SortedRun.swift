import LedgerCore
import LedgerFormat

/// Sorts the events of a range into a run.
package enum SortedRun {
  /// The bytes of a sealed segment with the events.
  ///
  /// - Parameters:
  ///   - events: in order of sequence, without gaps; at least one.
  ///   - digests: the log digest before and after; nil for a run that never leaves memory.
  package static func bytes(
    of events: [Event], ledger: ReplicaID, digests: (before: Digest, after: Digest)?, level: Int32,
    zstd: Zstd
  ) throws(LedgerError) -> [UInt8] {
    let common = CommonValues(of: events)
    var writer = RunWriter(
      ledger: ledger, digestBefore: digests?.before ?? .zero, common: common, level: level,
      zstd: zstd)
    var current: TaskID?
    for index in order(of: events) {
      let event = events[index]
      if event.task != current {
        try writer.startTask(event.task)
        current = event.task
      }
      try writer.add(event)
    }
    _ = try writer.finish(
      digestAfter: digests?.after ?? .zero, ascends: ascends(events))
    return writer.drain()
  }

  /// The places of the events by task, then sequence.
  private static func order(of events: [Event]) -> [Int] {
    // Events of a task keep their order when sorted by task and place; a prefix of the id decides most comparisons.
    let keys = events.enumerated().map { (prefix: prefix(of: $1.task), place: $0) }
    return keys.sorted { left, right in
      if left.prefix != right.prefix { return left.prefix < right.prefix }
      let comparison = events[left.place].task.text.compareBytes(to: events[right.place].task.text)
      return comparison != 0 ? comparison < 0 : left.place < right.place
    }.map(\.place)
  }

  private static func prefix(of task: TaskID) -> UInt64 {
    var prefix: UInt64 = 0
    var count: UInt64 = 0
    for byte in task.text.utf8.prefix(8) {
      prefix = prefix << 8 | UInt64(byte)
      count += 1
    }
    return count == 8 ? prefix : prefix << (8 * (8 - count))
  }

  /// Whether the stamps ascend as the sequence numbers do.
  static func ascends(_ events: [Event]) -> Bool {
    zip(events, events.dropFirst()).allSatisfy { $0.stamp < $1.stamp }
  }
}
