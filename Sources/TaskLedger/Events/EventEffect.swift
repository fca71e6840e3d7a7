import LedgerCore
import LedgerStorage

/// An event with what it did to its task.
package struct EventEffect: Sendable {
  /// The event with what its fields held before, as the log has it.
  package var entry: AuditEntry
  /// The task as this ledger knew it before the event came; nil where it did not exist.
  package var before: TaskItem?
  /// The task as this ledger knew it then.
  package var after: TaskItem?
}

/// Tells what events did to their tasks, which come in order of sequence and are all in one view of the log.
///
/// Invariants:
/// - the history of a task is read once, and each of its events folded once, as long as it is kept;
/// - what is kept has at most as many events as `keptEventsMax`, one task apart.
struct EventEffects: Sendable {
  private struct Kept: Sendable {
    /// The events that were not folded yet, the next one last.
    var rest: [Event]
    var entries: [UInt64: AuditEntry]
    var state = TaskState()
  }

  private static let keptEventsMax = 100_000

  private var tasks: [TaskID: Kept] = [:]
  private var keptEvents = 0

  /// Forgets what was kept: another view comes.
  mutating func reset() { self = EventEffects() }

  /// What an event of a view did to its task.
  ///
  /// - Throws: `damaged` where the view has the event and not its task's history.
  mutating func effect(of event: Event, in view: LogView) throws(LedgerError) -> EventEffect {
    let known = tasks.removeValue(forKey: event.task)
    var kept = if let known { known } else { try read(event.task, view) }
    defer { tasks[event.task] = kept }
    while let next = kept.rest.last, next.sequence < event.sequence {
      kept.state.fold(next)
      kept.rest.removeLast()
    }
    guard kept.rest.last?.sequence == event.sequence,
      let entry = kept.entries.removeValue(forKey: event.sequence)
    else {
      throw LedgerError(
        .damaged, "event \(event.sequence) was read and is not in the history of its task",
        path: view.directory.path, hint: "run `ledger verify` to see what is intact")
    }
    let before = kept.state.item(event.task)
    kept.state.fold(event)
    kept.rest.removeLast()
    return EventEffect(entry: entry, before: before, after: kept.state.item(event.task))
  }

  private mutating func read(_ task: TaskID, _ view: LogView) throws(LedgerError) -> Kept {
    let history = try view.history(of: task)
    if keptEvents + history.count > Self.keptEventsMax { reset() }
    keptEvents += history.count
    let entries = view.entries(of: history).map { ($0.sequence, $0) }
    return Kept(
      rest: history.sorted { $0.sequence > $1.sequence },
      entries: Dictionary(entries, uniquingKeysWith: { first, _ in first }))
  }
}
