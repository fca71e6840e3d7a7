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
          + "broken by the next --sort, then by id"),
      .init("limit", "N", "at most N tasks"),
      .flag("deleted", "deleted tasks, too"),
      .at,
    ],
    details: [
      "Without --sort the tasks come in the order of their ids, which compare as bytes.",
      "On a terminal it is a table: id, ○ open, ✓ done or ✗ deleted, text, further fields, cut to the width; a UUID is "
        + "shown by as much of it as tells it from the others. Elsewhere each task is a line of columns between tabs: id; "
        + "open, done or deleted; text; then name=value for each further field; control characters and those that turn the direction of text are "
        + "shown as \\n, \\t or \\u{1b}. With --json each task is its document, exactly.",
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
    let tasks =
      try moment.map { (moment) throws(LedgerError) in
        try ledger.at(moment).tasks(options)
      } ?? ledger.tasks(options)
    write(tasks, session)
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

  /// `F`, `F:asc` or `F:desc`; a colon elsewhere belongs to the name.
  private static func sortKey(_ text: String) throws(LedgerError) -> TaskListOptions.SortKey {
    var name = text
    var descending = false
    for (suffix, isDescending) in [(":desc", true), (":asc", false)]
    where text.utf8.count > suffix.utf8.count
      && text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    {
      name = String(decoding: text.utf8.dropLast(suffix.utf8.count), as: UTF8.self)
      descending = isDescending
    }
    do throws(LedgerError) {
      return TaskListOptions.SortKey(try FieldName(name).text, descending: descending)
    } catch {
      throw error.under("--sort")
    }
  }
}
