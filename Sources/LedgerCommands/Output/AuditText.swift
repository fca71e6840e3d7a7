import LedgerCore
import LedgerFormat

/// The history of a task, made to be read.
///
/// ```
/// 123abc  Get oat milk
/// open, 2 events by 2 authors
///
///     12  2026-11-30T12:00:00.123Z  ann  upsert
///         body: "Get milk"
///     15  2026-11-30T12:05:00.000Z  bob  update
///         “she cannot stand the other one”
///         body: "Get milk" → "Get oat milk"
/// ```
///
/// On a terminal, a change that does not fit in a line stands in a block, old above new, and is wrapped. Elsewhere a line is
/// as long as it must be.
struct AuditText {
  private let out: Output
  private static let indent = "        "

  init(_ out: Output) { self.out = out }

  func write(_ entries: AuditedHistory, of id: TaskID, task: TaskItem?) {
    let title = out.shown(id)
    let body = task.map { out.shown($0.body) } ?? ""
    let rest = out.isTerminal ? out.columns - TextColumns.count(title) - 2 : Int.max
    let shown = body.isEmpty ? "" : "  " + TextColumns.cut(body, to: max(8, rest))
    out.line(out.styled(title, .bold) + shown)
    out.line(summary(entries, task))
    if entries.hasFolded {
      out.line("history was folded: of the events marked so only what still counts is left")
    }
    for entry in entries where out.isOpen {
      out.line()
      write(entry)
    }
  }

  private func summary(_ entries: AuditedHistory, _ task: TaskItem?) -> String {
    let authors = Set(entries.events.map { ByteText($0.author) }).count
    let state =
      if let task {
        task.status.rawValue
      } else {
        entries.events.contains { $0.kind == .evict } ? "evicted" : "does not exist"
      }
    return state + ", " + NumberText.count(entries.count, "event") + " by "
      + NumberText.count(authors, "author")
  }

  private func write(_ entry: AuditEntry) {
    let event = entry.event
    out.line { writeHead(of: entry, to: &$0) }
    if let message = event.message { writeText("“" + out.shown(message) + "”") }
    if event.recorded != event.time {
      out.line { line in
        line.add(Self.indent)
        line.styled(.dim) { line in
          line.add("recorded ")
          line.add(event.recorded)
        }
      }
    }
    for change in entry.changes { write(change, isLost: entry.lost.contains(change.name)) }
  }

  private func writeHead(of entry: AuditEntry, to line: inout LineWriter) {
    let event = entry.event
    line.add(event.sequence, paddedTo: 6)
    line.add("  ")
    line.styled(.dim) { $0.add(event.time) }
    line.add("  ")
    line.add(out.shown(event.author), .bold)
    line.add("  ")
    line.add(event.kind.description, style(of: event.kind))
    if !event.isAlone {
      line.add("  ")
      line.add("transaction \(event.transaction)", .dim)
    }
    if entry.isFolded {
      line.add("  ")
      line.add("folded", .dim)
    }
    if let undoes = event.undoes { line.add("  undoes \(undoes)") }
  }

  private func style(of kind: EventKind) -> TextStyle {
    switch kind {
    case .upsert: .green
    case .update: .yellow
    case .toggle: .cyan
    case .delete, .evict: .red
    }
  }

  private func write(_ change: AuditEntry.Change, isLost: Bool) {
    let name = out.shown(change.name.text)
    if out.isTerminal, columns(of: change, name) + (isLost ? 6 : 0) > out.columns {
      return writeBlock(name, change, isLost: isLost)
    }
    out.line { line in
      line.add(Self.indent)
      line.add(name)
      line.add(": ")
      ChangeText.add(change.old, change.new, to: &line)
      if isLost { writeLost(to: &line) }
    }
  }

  /// How many columns the line of a change takes.
  private func columns(of change: AuditEntry.Change, _ name: String) -> Int {
    Self.indent.count
      + TextColumns.count("\(name): \(ChangeText.values(change.old, change.new))")
  }

  private func writeLost(to line: inout LineWriter) {
    line.add("  ")
    line.add(out.styled("lost", .red, .bold))
  }

  /// Old above new, each in lines of its own.
  private func writeBlock(_ name: String, _ change: AuditEntry.Change, isLost: Bool) {
    out.line { line in
      line.add(Self.indent + name + ":")
      if isLost { writeLost(to: &line) }
    }
    if let old = change.old { writeLines(of: old, "- ", .red) }
    if let new = change.new {
      writeLines(of: new, "+ ", .green)
    } else {
      out.line(Self.indent + "+ " + out.styled(ChangeText.unset, .dim))
    }
  }

  private func writeLines(of value: Value, _ sign: String, _ style: TextStyle) {
    var start = Self.indent + sign
    for line in lines(of: value) {
      for part in TextColumns.wrap(line, to: out.columns - Self.indent.count - sign.count) {
        out.line(part.isEmpty && start != Self.indent + sign ? "" : start + out.styled(part, style))
        start = Self.indent + String(repeating: " ", count: sign.count)
      }
    }
  }

  /// The lines of a text, where it has some: in a block they need not be escaped to be told apart.
  private func lines(of value: Value) -> [String] {
    guard case .text(let text) = value else { return [ValueText.quoted(value)] }
    return text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map {
      out.shown(String(decoding: $0, as: UTF8.self))
    }
  }

  private func writeText(_ text: String) {
    guard out.isTerminal else { return out.line(Self.indent + text) }
    for line in TextColumns.wrap(text, to: out.columns - Self.indent.count) {
      out.line(Self.indent + line)
    }
  }
}
