import LedgerCore
import TaskLedger

/// `ledger restore`
enum RestoreVerb: Verb {
  static let description = VerbDescription(
    "restore", "bring deleted tasks back",
    usage: ["ID... [--if-revision N] [--message TEXT]"],
    operands: .some("ID"),
    options: [.ifRevision, .message],
    details: [
      "What was evicted cannot be restored; its history stays: `ledger audit`.",
      TaskChangeHelp.ids, TaskChangeHelp.oneTransaction,
    ],
    examples: [.init("ledger restore 123abc", "takes the deletion of a task back")])

  static func run(_ session: Session) throws -> ExitStatus {
    let ledger = try session.openForWriting()
    // There is no event kind of its own: restoring is an update of isDeleted.
    let changes = try ChangeSet([FieldChange(.isDeleted, .bool(false))])
    let commands = try session.namedTasks(ledger).map {
      Command(.update, $0, changes, author: ledger.author, message: session.message)
    }
    session.report(try session.perform(commands, on: ledger, word: "restored"))
    return .done
  }
}
