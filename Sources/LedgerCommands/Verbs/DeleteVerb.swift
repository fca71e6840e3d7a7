import LedgerCore
import TaskLedger

/// `ledger delete`
enum DeleteVerb: Verb {
  static let description = VerbDescription(
    "delete", short: ["rm"], "delete tasks softly; `restore` brings them back",
    usage: TaskChangeHelp.usage,
    operands: .any("ID"),
    options: TaskChangeHelp.options,
    details: [
      "A deleted task keeps all its fields, with isDeleted set; `ledger list --deleted` shows it, too.",
      TaskChangeHelp.ids, TaskChangeHelp.query, TaskChangeHelp.oneTransaction,
    ],
    examples: [
      .init("ledger delete 123abc", "deletes a task"),
      .init("ledger delete 123abc --message 'no longer needed'", "and says why"),
      .init(
        "ledger delete --where 'isCompleted && due < $day' --arg day=2026-11-01",
        "deletes what was done and due before November"),
      .init(
        "ledger rm --where isCompleted --dry-run", "what deleting all that is done would change"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let choice = try session.choice(description)
    let ledger = try session.openForWriting()
    try session.change(choice, named: session.namedTasks(ledger), on: ledger) {
      Command(.delete, $0, author: ledger.author, message: session.message)
    }
    return .done
  }
}
