import LedgerCore
import TaskLedger

/// `ledger get`
enum GetVerb: Verb {
  static let description = VerbDescription(
    "get", "show one task",
    usage: ["ID [--at MOMENT]"],
    operands: .one("ID"),
    options: [.at],
    details: [
      "A deleted task is shown, too; one that does not exist, or was evicted, is not: exit code 1.",
      "ID is a whole id, or its beginning, at least 4 bytes, where only one task fits.",
      "Each field is a line: its name, and its value as text or as JSON. Control characters are shown as \\n, \\t or \\u{1b}, "
        + "and, where no terminal is, a backslash as \\\\.",
    ],
    examples: [
      .init("ledger get 123abc", "shows its fields, a line each"),
      .init("ledger --json get 123a --at 1204", "its document as it was after event 1204"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let moment = try session.moment()
    let ledger = try session.openForReading()
    let id = try ledger.resolve(session.arguments.operands[0])
    let task = try session.reading { () throws(LedgerError) in
      guard let moment else { return try ledger.task(id) }
      return try ledger.at(moment).task(id)
    }
    guard let task else {
      throw LedgerError(
        .noSuchTask, "there is no task \"\(id)\"\(moment == nil ? "" : " at that moment")",
        hint: "`ledger audit ID` shows its history")
    }
    write(task, session)
    return .done
  }

  private static func write(_ task: TaskItem, _ session: Session) {
    let out = session.out
    guard !session.isJSON else { return out.machine(task.canonicalJSON + [0x0a]) }
    var rows = [("_id", out.shown(task.id)), ("body", out.column(task.body))]
    rows.append(("isCompleted", "\(task.isCompleted)"))
    rows.append(("isDeleted", "\(task.isDeleted)"))
    for field in ValueText.furtherFields(task) {
      rows.append((out.column(field.name), ValueText.plain(field.value, on: out)))
    }
    let width = rows.reduce(0) { max($0, TextColumns.count($1.0)) }
    for (name, value) in rows {
      out.line(out.styled(TextColumns.pad(name, to: width), .dim) + "  " + value)
    }
  }
}
