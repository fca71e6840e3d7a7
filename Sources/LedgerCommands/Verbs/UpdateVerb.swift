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
      .set, .init("unset", "F", repeats: true, "remove field F and what lies below it"),
    ] + TaskChangeHelp.options,
    details: ShortForms.details + [
      "\(ShortForms.unsetting) --unset tags.home takes a tag away.",
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

  /// Words behind an id were meant for its text.
  private static let textHint =
    "another text is set by --set body=\"…\"; \(ArgumentReader.usageHint(description))"

  static func run(_ session: Session) throws -> ExitStatus {
    let short = try session.takeShortForms(unsets: true)
    let operands = session.arguments.operands
    let changes = try ChangeSet(short + FieldArguments.changes(session.arguments))
    guard !short.isEmpty || session.arguments.hasAny(of: ["set", "unset"]) else {
      throw LedgerError(
        .usage, "update needs --set, --unset or a short form such as due:fri, pri:1 or +home",
        hint: FieldArguments.hint(about: operands)
          ?? (operands.count > 1 ? textHint : ArgumentReader.usageHint(description)))
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
    let slips = try session.fieldSlips(amongAll: ledger)
    try session.change(choice, named: ids, on: ledger) {
      Command(.update, $0, changes, author: ledger.author, message: session.message)
    }
    session.note(slips)
    session.noteDaysSetAsText()
    return .done
  }
}
