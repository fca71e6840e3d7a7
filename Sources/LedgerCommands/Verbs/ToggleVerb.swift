import LedgerCore
import TaskLedger

/// `ledger toggle`
enum ToggleVerb: Verb {
  static let description = VerbDescription(
    "toggle", "mark tasks as done, or as not done when they are",
    usage: TaskChangeHelp.usage,
    operands: .any("ID"),
    options: TaskChangeHelp.options,
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
