import LedgerCore
import TaskLedger

/// `ledger toggle`
enum ToggleVerb: Verb {
  static let description = VerbDescription(
    "toggle", "mark tasks as done, or as not done when they are",
    usage: ["ID... [--if-revision N] [--message TEXT]"],
    operands: .some("ID"),
    options: [.ifRevision, .message],
    details: [TaskChangeHelp.ids, TaskChangeHelp.oneTransaction],
    examples: [
      .init("ledger toggle 123abc", "marks the task as done; again, as not done"),
      .init("ledger toggle 123a 456d", "toggles two, named by the beginnings of their ids"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let ledger = try session.openForWriting()
    let commands = try session.namedTasks(ledger).map {
      Command(.toggle, $0, author: ledger.author, message: session.message)
    }
    session.report(try session.perform(commands, on: ledger))
    return .done
  }
}
