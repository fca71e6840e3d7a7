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

extension Ledger {
  /// What an event of this ledger did to its task.
  package func effect(of event: Event) throws(LedgerError) -> EventEffect {
    let view = try currentView()
    let history = try view.history(of: event.task)
    guard let entry = view.entries(of: history).last(where: { $0.sequence == event.sequence })
    else {
      throw LedgerError(
        .damaged, "event \(event.sequence) was read and is no longer there", path: path,
        hint: "run `ledger verify` to see what is intact")
    }
    var state = TaskState(history.lazy.filter { $0.sequence < event.sequence })
    let before = state.item(event.task)
    state.fold(event)
    return EventEffect(entry: entry, before: before, after: state.item(event.task))
  }
}
