import TaskLedger

/// Compares what a ledger holds with the book of what was asked of it.
///
/// What is found is told in words, one sentence a problem, so that a test shows all of them at once.
package enum LedgerCheck {
  /// The problems of a ledger; none when:
  /// - every acknowledged transaction is there, whole, unchanged, once;
  /// - every other one that is there was asked for, and is there whole;
  /// - the sequence numbers are contiguous from 1;
  /// - replay, list and, where asked for, audit say what the events add up to.
  package static func problems(
    _ ledger: Ledger, _ book: [Bookkeeper.Entry], audits: Bool = true
  ) -> [String] {
    do {
      let events = try allEvents(of: ledger)
      return sequenceProblems(events) + transactionProblems(events, book)
        + (try stateProblems(ledger, events)) + (audits ? try auditProblems(ledger, events) : [])
    } catch {
      return ["cannot be read: \(error)"]
    }
  }

  /// The events of a ledger, in order.
  package static func allEvents(of ledger: Ledger) throws(LedgerError) -> [Event] {
    var events: [Event] = []
    try ledger.forEachEvent { event in
      events.append(event)
      return true
    }
    return events
  }

  private static func sequenceProblems(_ events: [Event]) -> [String] {
    zip(events, 1...).compactMap { event, number in
      event.sequence == UInt64(number) ? nil : "event \(event.sequence) stands in place \(number)"
    }
  }

  private static func transactionProblems(
    _ events: [Event], _ book: [Bookkeeper.Entry]
  ) -> [String] {
    var problems: [String] = []
    let found = Dictionary(grouping: events, by: \.transaction)
    let asked = Dictionary(grouping: book, by: \.firstSequence)
    for (sequence, entries) in asked {
      for entry in entries where entry.isAcknowledged && found[sequence] != entry.events {
        problems.append("the acknowledged transaction \(sequence) is not there as it was written")
      }
    }
    for (sequence, events) in found
    where !(asked[sequence]?.contains { $0.events == events } ?? false) {
      problems.append("the transaction \(sequence) was never asked for like that")
    }
    return problems
  }

  private static func stateProblems(
    _ ledger: Ledger, _ events: [Event]
  ) throws(LedgerError) -> [String] {
    var problems: [String] = []
    let replay = try ledger.replay()
    if replay.digest != StateModel.digest(events) {
      problems.append("the state digest is not that of the events")
    }
    if replay.events != UInt64(events.count) {
      problems.append("replay folded \(replay.events) of \(events.count) events")
    }
    let tasks = try ledger.tasks(TaskListOptions(includesDeleted: true))
    if tasks != StateModel.tasks(events) { problems.append("the list is not that of the events") }
    return problems
  }

  private static func auditProblems(
    _ ledger: Ledger, _ events: [Event]
  ) throws(LedgerError) -> [String] {
    var problems: [String] = []
    for (task, history) in Dictionary(grouping: events, by: \.task)
    where try ledger.audit(task).map(\.event) != history {
      problems.append("the audit of \(task) is not its history")
    }
    return problems
  }
}
