import LedgerCore
import TaskLedger

/// `ledger done`
enum DoneVerb: Verb {
  static let description = VerbDescription(
    "done", "mark tasks as done; one that is done stays so",
    usage: TaskChangeHelp.usage,
    operands: .any("ID"),
    options: TaskChangeHelp.options,
    details: [
      "It is short for `ledger update ID --set isCompleted=true`; `ledger toggle` marks a task as not done, too.",
      TaskChangeHelp.ids, TaskChangeHelp.query, TaskChangeHelp.oneTransaction,
    ],
    examples: [
      .init("ledger done 123abc", "marks a task as done"),
      .init("ledger done --where 'project == \"garden\"'", "marks all tasks of a project as done"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let choice = try session.choice(description)
    let ledger = try session.openForWriting()
    let changes = try ChangeSet([FieldChange(.isCompleted, .bool(true))])
    let ids = try session.namedTasks(ledger)
    try session.change(choice, named: ids, on: ledger, word: .completed) {
      Command(.update, $0, changes, author: ledger.author, message: session.message)
    }
    return .done
  }
}
