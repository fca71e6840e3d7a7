import LedgerCore
import TaskLedger

/// `ledger evict`
enum EvictVerb: Verb {
  static let description = VerbDescription(
    "evict", "remove tasks from the list for good; their history stays",
    usage: TaskChangeHelp.usage,
    operands: .any("ID"),
    options: TaskChangeHelp.options,
    details: [
      "An evicted task is no task any more, in this ledger alone: `list` and `get` do not know it, `restore` cannot bring "
        + "it back, and an upsert with its id begins a new life. `ledger audit` still shows every event, and `ledger undo ID` "
        + "brings back what was evicted last, by an upsert of what was there.",
      "ID is a whole id, never a prefix. A task that is named twice counts once.",
      TaskChangeHelp.query, TaskChangeHelp.oneTransaction,
    ],
    examples: [
      .init("ledger evict 123abc", "removes the task 123abc"),
      .init("ledger evict --where isDeleted", "empties the trash"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let choice = try session.choice(description)
    let ids = try session.wholeIDs()
    let ledger = try session.openForWriting()
    do {
      try session.change(choice, named: ids, on: ledger) {
        Command(.evict, $0, author: ledger.author, message: session.message)
      }
    } catch let error as LedgerError where error.code == .noSuchTask {
      throw explained(error, ids, ledger)
    }
    return .done
  }

  /// The same error; where a prefix was given for an id, with the id that it would have meant to other verbs.
  private static func explained(
    _ error: LedgerError, _ ids: [TaskID], _ ledger: Ledger
  ) -> LedgerError {
    for id in ids {
      guard let meant = ledger.task(beginningWith: id) else { continue }
      var error = error
      error.hint = "evict takes whole ids: did you mean `ledger evict \(meant.text.shellWord)`?"
      return error
    }
    return error
  }
}
