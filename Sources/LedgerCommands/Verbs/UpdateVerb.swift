import LedgerCore
import TaskLedger

/// `ledger update`
enum UpdateVerb: Verb {
  static let description = VerbDescription(
    "update", "set or unset fields of tasks",
    usage: [
      "ID... [due:DAY] [pri:N] [+TAG]... [--set F=V]... [--unset F]... [--if-revision N] [--dry-run] [--message TEXT]",
      "--where QUERY [--arg NAME=V]... [due:DAY] [pri:N] [+TAG]... [--set F=V]... [--unset F]... [--dry-run] [--message TEXT]",
    ],
    operands: .any("ID"),
    options: [
      .set,
      .init("unset", "F", repeats: true, "remove field F and what lies below it"),
      .where, .queryArgument, .ifRevision, .dryRun, .message,
    ],
    details: ShortForms.details + [
      "Behind update, due: and pri: with nothing behind them unset the field; --unset tags.home takes a tag away.",
      TaskChangeHelp.ids, TaskChangeHelp.query, TaskChangeHelp.oneTransaction,
    ],
    examples: [
      .init("ledger update 123abc --set body='Get oat milk'", "changes the text of a task"),
      .init("ledger update 123abc due:fri +home", "puts it off to Friday, and tags it"),
      .init(
        "ledger update 123abc 456def --set priority=1 --unset due --message 'after the call'",
        "changes two tasks, and says why"),
      .init(
        "ledger update 123abc --set owner=ann --if-revision 12",
        "claims a task, unless somebody else touched it after event 12"),
      .init(
        "ledger update --where 'project == \"garden\"' --set priority=1",
        "changes every task of a project"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let short = try session.takeShortForms(unsets: true)
    let operands = session.arguments.operands
    let changes = try ChangeSet(short + FieldArguments.changes(session.arguments))
    guard !short.isEmpty || session.arguments.hasAny(of: ["set", "unset"]) else {
      throw LedgerError(
        .usage, "update needs --set or --unset",
        hint: FieldArguments.hint(about: operands) ?? ArgumentReader.usageHint(description))
    }
    let choice = try session.choice(description)
    let ledger = try session.openForWriting()
    let ids: [TaskID]
    do throws(LedgerError) {
      ids = try session.namedTasks(ledger)
    } catch {
      var error = error
      if error.code == .noSuchTask {
        error.hint = FieldArguments.hint(about: operands) ?? error.hint
      }
      throw error
    }
    try session.change(choice, named: ids, on: ledger) {
      Command(.update, $0, changes, author: ledger.author, message: session.message)
    }
    return .done
  }
}

/// What the help of several verbs has in common.
enum TaskChangeHelp {
  static let ids =
    "ID is a whole id, or its beginning, at least 4 bytes, where only one task fits. A task that is named twice counts "
    + "once."
  static let query =
    "With --where it is every task that `ledger list QUERY` shows, in the order of ids: look before you change. Deleted ones "
    + "are among them where the query itself asks for isDeleted. That none meets the query is no error."
  static let oneTransaction =
    "However many tasks are named, they are one transaction: all of them change, or none. A task that already is as "
    + "asked for stays unchanged, which is no error; one that does not exist is one, with exit code 1."
}
