import LedgerCore
import LedgerFormat

/// Tasks in lines: a table that fits the width of a terminal, or columns between tabs for other programs.
struct TaskTable {
  private let out: Output
  private let tasks: [TaskItem]
  private let ids: [String]
  private let idColumns: Int
  private let days: LocalDays
  /// The number of today; counts only on a terminal.
  private let today: Int64

  /// A value in a table is a reminder, not a text to read.
  private static let valueColumnsMax = 20
  private static let gap = "  "

  /// - Parameter days: what is due before is overdue.
  init(_ tasks: [TaskItem], on out: Output, _ days: LocalDays) {
    self.out = out
    self.tasks = tasks
    self.days = days
    today = out.isTerminal ? days.today : 0
    ids = out.isTerminal ? ShortIDs.make(tasks.map(\.id)).map { TerminalText.escaped($0) } : []
    let widest = ids.reduce(0) { max($0, TextColumns.count($1)) }
    idColumns = min(widest, max(8, out.columns / 3))
  }

  func write() {
    for (index, task) in tasks.enumerated() {
      guard out.isOpen else { return }
      out.line(out.isTerminal ? row(task, id: ids[index]) : columns(task))
    }
  }

  /// ID, state, body, then each further field as name=value, between tabs.
  private func columns(_ task: TaskItem) -> String {
    var columns = [out.shown(task.id), task.status.rawValue, out.column(task.body)]
    for field in ValueText.furtherFields(task) {
      columns.append("\(out.column(field.name))=\(ValueText.plain(field.value, on: out))")
    }
    return columns.joined(separator: "\t")
  }

  private func row(_ task: TaskItem, id: String) -> String {
    let shownID = TextColumns.cut(id, to: idColumns)
    let padding = String(repeating: " ", count: idColumns - TextColumns.count(shownID))
    let (body, fields) = fit(task, to: out.columns - idColumns - 2 * Self.gap.count - 1)
    var line = out.styled(shownID, .dim) + padding + Self.gap + mark(task) + Self.gap
    switch task.status {
    case .deleted: line += out.styled(body, .struck, .red)
    case .done: line += out.styled(body, .struck, .dim)
    case .open: line += body
    }
    return fields.isEmpty ? line : line + Self.gap + styled(fields, of: task)
  }

  /// The further fields in colours: of a task that is open, red where it is overdue, yellow where it is due today.
  private func styled(_ fields: String, of task: TaskItem) -> String {
    guard let style = dueStyle(task) else { return out.styled(fields, .cyan) }
    // The due date is the first of the fields.
    let due = fields.prefix { $0 != " " }
    let rest = fields.dropFirst(due.count)
    return out.styled(String(due), style) + out.styled(String(rest), .cyan)
  }

  private func dueStyle(_ task: TaskItem) -> TextStyle? {
    guard !task.isCompleted, !task.isDeleted, case .text(let text) = task["due"],
      let due = try? LedgerTime(text)
    else { return nil }
    // A date is that day wherever one is; a time is a moment.
    let isDate = text.utf8.count == 10
    let day = isDate ? due.milliseconds.flooredDays : days.day(of: due)
    let isPast = isDate ? day < today : due < days.now
    return isPast ? .red : day == today ? .yellow : nil
  }

  private func mark(_ task: TaskItem) -> String {
    switch task.status {
    case .deleted: out.styled("✗", .red)
    case .done: out.styled("✓", .green)
    case .open: "○"
    }
  }

  /// The text and the further fields, cut so that both fit: the text keeps at least three fifths when there is a need.
  private func fit(_ task: TaskItem, to columns: Int) -> (body: String, fields: String) {
    let body = out.shown(task.body)
    let fields = ValueText.furtherFields(task).map { field in
      let value = TextColumns.cut(ValueText.plain(field.value, on: out), to: Self.valueColumnsMax)
      return "\(out.shown(field.name))=\(value)"
    }.joined(separator: " ")
    let needed = TextColumns.count(fields)
    let left = needed == 0 ? 0 : max(columns - TextColumns.count(body), columns * 2 / 5)
    let fieldColumns = min(needed, left - Self.gap.count)
    // A stump of a few columns would say nothing.
    guard fieldColumns >= min(needed, 8) else {
      return (TextColumns.cut(body, to: columns), "")
    }
    let bodyColumns = needed == 0 ? columns : columns - fieldColumns - Self.gap.count
    return (TextColumns.cut(body, to: bodyColumns), TextColumns.cut(fields, to: fieldColumns))
  }
}
