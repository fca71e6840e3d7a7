import LedgerCore
import TaskLedger

/// `ledger delete`
enum DeleteVerb: Verb {
  static let description = VerbDescription(
    "delete", "delete tasks softly; `restore` brings them back",
    usage: ["ID... [--if-revision N] [--message TEXT]"],
    operands: .some("ID"),
    options: [.ifRevision, .message],
    details: [
      "A deleted task keeps all its fields, with isDeleted set; `ledger list --deleted` shows it, too.",
      TaskChangeHelp.ids, TaskChangeHelp.oneTransaction,
    ],
    examples: [
      .init("ledger delete 123abc", "deletes a task"),
      .init("ledger delete 123abc --message 'no longer needed'", "and says why"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let ledger = try session.openForWriting()
    let commands = try session.namedTasks(ledger).map {
      Command(.delete, $0, author: ledger.author, message: session.message)
    }
    session.report(try session.perform(commands, on: ledger))
    return .done
  }
}
