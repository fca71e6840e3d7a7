import LedgerCore
import TaskLedger

/// `ledger list`
enum ListVerb: Verb {
  static let description = VerbDescription(
    "list", "list the tasks",
    usage: [
      "[QUERY] [--open | --done] [--search TEXT]... [--arg NAME=V]... [--sort F[:desc|:last],...]... [--limit N] [--offset N] [--deleted] [--at MOMENT]"
    ],
    operands: .optional("QUERY"),
    options: [
      .flag("open", "only tasks that are not done"),
      .flag("done", "only tasks that are done"),
      .init(
        "search", "TEXT", repeats: true,
        "only tasks with TEXT in their own text, in capitals or not; given twice, with both"),
      .queryArgument,
      .init(
        "sort", "F[:desc|:last],...", repeats: true,
        "sort by field F, ascending or descending, then by the next; a missing field comes first when ascending, but last with "
          + ":last; ties are broken by id. A name that itself holds a colon needs :asc, :desc or :last; one that holds a comma is "
          + "written [\"a,b\"]."
      ),
      .init("limit", "N", "at most N tasks"),
      .init("offset", "N", "pass over the first N tasks"),
      .flag("deleted", "deleted tasks, too"),
      .at,
    ],
    details: QueryHelp.details + [
      "Deleted tasks are left out, unless --deleted is given or the query itself asks for isDeleted.",
      "Without --sort the tasks come in the order of the bytes of their ids, which says nothing where the ids are random. --sort "
        + "due:last,priority:desc is a good order.",
      "On a terminal it is a table: id, ○ open, ✓ done or ✗ deleted, text (struck through when it is done or deleted), further fields, cut to "
        + "the width; a due date is red where it is past, yellow where it is today. A UUID is "
        + "shown by as much of it as tells it from the others.",
      "Elsewhere each task is a line of columns between tabs: id; open, done or deleted; text; then name=value for each further field. "
        + "Control characters, and those that turn the direction of text or hide in it, are shown as \\n, \\t or \\u{1b}; a backslash "
        + "as \\\\, except in the id. With --json each task is its document, exactly.",
    ],
    examples: [
      .init(
        "ledger list --open --sort due:last",
        "what is left to do, the earliest first, what has no date last"),
      .init("ledger list 'due < $tomorrow' --open", "what is due today, or overdue"),
      .init("ledger list 'due <= $today+7' --open", "what is due within a week, or overdue"),
      .init("ledger list tags.home --search milk", "what is tagged +home and has milk in its text"),
      .init(
        "ledger list --sort priority:desc,due --limit 20",
        "twenty tasks, the highest priority first; of equal ones those without a date, then the earliest"
      ),
      .init("ledger list '!isCompleted && due < \"2026-12-01\"'", "what is due before December"),
      .init(
        "ledger list 'contains(body, $text)' --arg text=milk", "tasks with milk in their text"),
      .init("ledger list 'isDeleted || priority in [1, 2]'", "the trash, and what is urgent"),
      .init("ledger --json list --deleted", "every document, one a line"),
      .init("ledger list --at 2026-11-30", "the tasks as that day began"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let options = try options(session)
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
    let all: any TaskReading = if let moment { try ledger.at(moment) } else { ledger }
    if let typed = try session.query(session.arguments.operands.first) {
      session.noteUnknown(
        try UnknownField.find(in: typed.query, amongAll: all, found: found),
        else: found.isEmpty ? searchHint(session.arguments.operands) : nil)
      try session.noteDateSlips(typed, amongAll: all)
      try session.noteTypeSlips(typed, amongAll: all, found: found)
    }
    let keys = options.sortedBy.keys.filter { !ShortForms.sets($0.field) }
    for key in keys where !found.isEmpty && found.allSatisfy({ $0.lacks(key) }) {
      // A limit may have cut off those that have it.
      var first = key
      first.descending = true
      let one = TaskListOptions(options.query, sortedBy: [first], limit: 1)
      guard try tasks(one).allSatisfy({ $0.lacks(key) }) else { continue }
      let meant = try meant(by: key, amongAll: all)
      let hint = meant.isEmpty ? "" : "; \(Suggestion.sentence(meant, else: ""))"
      session.note("no task in this list has the field \"\(key.field)\" to sort by\(hint)")
    }
    return .done
  }

  /// What a key was meant for that no task has: the direction before the name, or two of them behind it, or a name that is close.
  private static func meant(
    by key: TaskSort.Key, amongAll tasks: any TaskReading
  ) throws(LedgerError) -> [String] {
    let name = key.field.text
    if let sign = name.utf8.first, sign == 0x2d || sign == 0x2b, name.utf8.count > 1 {
      return [name.dropping(sign == 0x2d ? "-" : "+") + (sign == 0x2d ? ":desc" : "")]
    }
    if let (field, _) = name.cut(at: ":"), !field.isEmpty {
      let isDescending = key.descending || name.utf8.suffix(5).elementsEqual(":desc".utf8)
      return [field + (isDescending ? ":desc" : ":last")]
    }
    return try UnknownField.find([key.field], amongAll: tasks).first?.meant.map { (name) in
      name + (key.descending ? ":desc" : key.missingLast ? ":last" : "")
    } ?? []
  }

  /// What a query was meant for that is one word, such as `milk`.
  private static func searchHint(_ operands: [String]) -> String? {
    guard operands.count == 1, let word = operands.first,
      word.unicodeScalars.allSatisfy({ $0.isInWords || $0 == "-" })
    else { return nil }
    return "a word in the text is found by --search \(word.shortened)"
  }

  private static func options(_ session: Session) throws(LedgerError) -> TaskListOptions {
    let arguments = session.arguments
    var query = try session.query(arguments.operands.first)?.query ?? .everything
    guard !arguments.has("open") || !arguments.has("done") else {
      throw LedgerError(
        .usage, "list is given --open and --done", hint: "without either it lists both")
    }
    if arguments.has("open") { query = query && !Field(.isCompleted) }
    if arguments.has("done") { query = query && Field(.isCompleted) }
    for text in arguments.all("search") { query = query && (try search(text)) }
    var sort = TaskSort.byID
    for text in arguments.all("sort") {
      do throws(LedgerError) {
        sort.keys += try TaskSort(text).keys
      } catch {
        throw error.under("--sort")
      }
    }
    return TaskListOptions(
      arguments.has("deleted") ? query : query.hidingDeleted, sortedBy: sort,
      limit: try arguments.number("limit").map { Int(clamping: $0) },
      offset: try arguments.number("offset").map { Int(clamping: $0) } ?? 0)
  }

  /// Asks for a text, its letters in capitals or not.
  private static func search(_ text: String) throws(LedgerError) -> Query {
    guard !text.isEmpty else {
      throw LedgerError(.usage, "--search is empty, expected a text to look for")
    }
    do throws(LedgerError) {
      return Field(.body).matches(try TextPattern(ignoringCaseOf: text))
    } catch {
      throw LedgerError(
        .usage, "--search is too long: it has \(text.unicodeScalars.count) characters",
        hint: "contains(body, $text) finds a text of any length")
    }
  }

  private static func write(_ tasks: [TaskItem], _ session: Session) {
    guard session.isJSON else {
      if tasks.isEmpty, session.out.isTerminal { session.out.line("no tasks") }
      return TaskTable(tasks, on: session.out, LocalDays(session.context)).write()
    }
    for task in tasks where session.out.isOpen {
      session.out.machine(task.canonicalJSON + [0x0a])
    }
  }
}

extension TaskItem {
  /// Whether it reads as nothing where a field is asked for.
  fileprivate func lacks(_ key: TaskSort.Key) -> Bool {
    compared(key.field).isMissing
  }
}
