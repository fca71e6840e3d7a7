import LedgerCore
import TaskLedger

/// `ledger get`
enum GetVerb: Verb {
  static let description = VerbDescription(
    "get", "show one task",
    usage: ["ID [--at MOMENT] [--revision]"],
    operands: .one("ID"),
    options: [
      .at,
      .flag(
        "revision",
        "print its revision instead, the number of the last event that touched it; with --json an object that holds both"
      ),
    ],
    details: [
      "A deleted task is shown, too. One that does not exist, or was evicted, is not: the exit code is 1, and of an evicted one the "
        + "error says by whom and when.",
      "ID is a whole id, or its beginning, at least 4 bytes, where only one task fits.",
      "Each field is a line: its name, and its value as text or as JSON. Control characters are shown as \\n, \\t or \\u{1b}, "
        + "and, where no terminal is, a backslash as \\\\.",
    ],
    examples: [
      .init("ledger get 123abc", "shows its fields, a line each"),
      .init("ledger --json get 123a --at 1204", "its document as it was after event 1204"),
      .init(
        "ledger get 123abc --revision",
        "what to give to --if-revision, so that nobody else's change is lost"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let moment = try session.moment()
    let ledger = try session.openForReading()
    let id = try ledger.resolve(session.arguments.operands[0])
    let found = try session.reading { () throws(LedgerError) in
      guard let moment else { return try ledger.taskAndRevision(id) }
      return try ledger.at(moment).taskAndRevision(id)
    }
    guard let task = found.task else {
      throw ledger.missing(id, at: moment)
    }
    if session.arguments.has("revision") {
      write(task, revision: found.revision, session)
    } else {
      write(task, session)
    }
    return .done
  }

  private static func write(_ task: TaskItem, revision: UInt64, _ session: Session) {
    guard session.isJSON else { return session.out.line("\(revision)") }
    session.out.json { json in
      json.add("revision", revision)
      json.add("task", json: task.canonicalJSON)
    }
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
