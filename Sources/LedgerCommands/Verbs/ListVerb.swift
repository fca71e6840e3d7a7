import LedgerCore
import TaskLedger

/// `ledger list`
enum ListVerb: Verb {
  static let description = VerbDescription(
    "list", "list the tasks",
    usage: ["[--sort F[:desc]]... [--limit N] [--deleted] [--at MOMENT]"],
    options: [
      .init(
        "sort", "F[:desc]", repeats: true,
        "sort by field F, ascending or descending; a missing field comes first when ascending, ties are "
          + "broken by the next --sort, then by id. A name that itself holds a colon needs :asc or :desc."
      ),
      .init("limit", "N", "at most N tasks"),
      .flag("deleted", "deleted tasks, too"),
      .at,
    ],
    details: [
      "Without --sort the tasks come in the order of their ids, which compare as bytes.",
      "On a terminal it is a table: id, ○ open, ✓ done or ✗ deleted, text, further fields, cut to the width; a UUID is "
        + "shown by as much of it as tells it from the others. Elsewhere each task is a line of columns between tabs: id; "
        + "open, done or deleted; text; then name=value for each further field; control characters and those that turn the direction of text are "
        + "shown as \\n, \\t or \\u{1b}, and a backslash as \\\\; the id stands as it is. With --json each task is its document, exactly.",
    ],
    examples: [
      .init(
        "ledger list --sort priority:desc --limit 20", "twenty tasks, the highest priority first"),
      .init("ledger --json list --deleted", "every document, one a line"),
      .init("ledger list --at 2026-11-30", "the tasks as that day began"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    var options = TaskListOptions(
      includesDeleted: session.arguments.has("deleted"),
      limit: try session.arguments.number("limit").map { Int(clamping: $0) })
    for text in session.arguments.all("sort") { options.sortedBy.append(try sortKey(text)) }
    let moment = try session.moment()
    let ledger = try session.openForReading()
    func tasks(_ options: TaskListOptions) throws(LedgerError) -> [TaskItem] {
      try session.reading { () throws(LedgerError) in
        guard let moment else { return try ledger.tasks(options) }
        return try ledger.at(moment).tasks(options)
      }
    }
    let found = try tasks(options)
    write(found, session)
    for key in options.sortedBy where !found.isEmpty && found.allSatisfy({ $0.lacks(key.field) }) {
      // A limit may have cut off those that have it.
      let all = TaskListOptions(
        includesDeleted: options.includesDeleted, sortedBy: [.init(key.field, descending: true)],
        limit: 1)
      guard try tasks(all).allSatisfy({ $0.lacks(key.field) }) else { continue }
      session.note("no task in this list has the field \"\(key.field)\" to sort by")
    }
    return .done
  }

  private static func write(_ tasks: [TaskItem], _ session: Session) {
    guard session.isJSON else {
      if tasks.isEmpty, session.out.isTerminal { session.out.line("no tasks") }
      return TaskTable(tasks, on: session.out).write()
    }
    for task in tasks where session.out.isOpen {
      session.out.machine(task.canonicalJSON + [0x0a])
    }
  }

  /// `F`, `F:asc` or `F:desc`. What follows the last colon is the direction: a slip in it must not become part of a name.
  private static func sortKey(_ text: String) throws(LedgerError) -> TaskListOptions.SortKey {
    var name = text
    var descending = false
    if let colon = text.utf8.lastIndex(of: 0x3a) {
      let direction = String(text[text.utf8.index(after: colon)...])
      guard direction.hasSameBytes(as: "asc") || direction.hasSameBytes(as: "desc") else {
        throw LedgerError(
          .usage,
          "--sort: found \"\(direction.shortened)\" after the colon, expected asc or desc",
          hint: "where the colon belongs to the name of the field, add :asc or :desc")
      }
      name = String(text[..<colon])
      descending = direction.hasSameBytes(as: "desc")
    }
    do throws(LedgerError) {
      return TaskListOptions.SortKey(try FieldName(name).text, descending: descending)
    } catch {
      throw error.under("--sort")
    }
  }
}

extension TaskItem {
  /// Whether it reads as nothing where a field is asked for.
  fileprivate func lacks(_ field: String) -> Bool {
    !field.hasSameBytes(as: "_id") && self[field] == nil
      && (try? FieldName(field))?.defaultValue == nil
  }
}
