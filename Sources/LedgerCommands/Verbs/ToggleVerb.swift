import LedgerCore
import TaskLedger

/// `ledger toggle`
enum ToggleVerb: Verb {
  static let description = VerbDescription(
    "toggle", "mark tasks as done, or as not done when they are",
    usage: [
      "ID... [--if-revision N] [--dry-run] [--message TEXT]",
      "--where QUERY [--arg NAME=V]... [--dry-run] [--message TEXT]",
    ],
    operands: .any("ID"),
    options: [.where, .queryArgument, .ifRevision, .dryRun, .message],
    details: [
      "`ledger done` leaves alone what is done already.", TaskChangeHelp.ids, TaskChangeHelp.query,
      TaskChangeHelp.oneTransaction,
    ],
    examples: [
      .init("ledger toggle 123abc", "marks the task as done; again, as not done"),
      .init("ledger toggle 123a 456d", "toggles two, named by the beginnings of their ids"),
      .init(
        "ledger toggle --where '!isCompleted && tags.home'", "completes all that is left at home"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let choice = try session.choice(description)
    let ledger = try session.openForWriting()
    try session.change(choice, named: session.namedTasks(ledger), on: ledger) {
      Command(.toggle, $0, author: ledger.author, message: session.message)
    }
    return .done
  }
}

/// `ledger done`
enum DoneVerb: Verb {
  static let description = VerbDescription(
    "done", "mark tasks as done; one that is done stays so",
    usage: [
      "ID... [--if-revision N] [--dry-run] [--message TEXT]",
      "--where QUERY [--arg NAME=V]... [--dry-run] [--message TEXT]",
    ],
    operands: .any("ID"),
    options: [.where, .queryArgument, .ifRevision, .dryRun, .message],
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
