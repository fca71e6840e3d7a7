import LedgerCore
import TaskLedger

/// `ledger restore`
enum RestoreVerb: Verb {
  static let description = VerbDescription(
    "restore", "bring deleted tasks back",
    usage: [
      "ID... [--message TEXT]", "--where QUERY [--arg NAME=V]... [--message TEXT]",
    ],
    operands: .any("ID"),
    options: [.where, .queryArgument, .message],
    details: [
      "What was evicted cannot be restored; its history stays: `ledger audit`.",
      TaskChangeHelp.ids,
      "With --where it is every deleted task that meets QUERY, in the order of ids; `ledger list 'isDeleted && (QUERY)'` shows "
        + "them. That none does is no error.",
      TaskChangeHelp.oneTransaction,
    ],
    examples: [
      .init("ledger restore 123abc", "takes the deletion of a task back"),
      .init("ledger restore --where 'starts_with(body, \"Get\")'", "brings back what begins so"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let choice = try session.choice(description) { query in
      query.mentions(.isDeleted) ? query : query && Field(.isDeleted)
    }
    let ledger = try session.openForWriting()
    // There is no event kind of its own: restoring is an update of isDeleted.
    let changes = try ChangeSet([FieldChange(.isDeleted, .bool(false))])
    let ids = try session.namedTasks(ledger)
    try session.change(choice, named: ids, on: ledger, word: "restored") {
      Command(.update, $0, changes, author: ledger.author, message: session.message)
    }
    return .done
  }
}
