import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger log`
enum LogVerb: Verb {
  static let description = VerbDescription(
    "log", "list the events of the whole ledger",
    usage: ["[--after N] [--author NAME] [--kind KIND] [--since T] [--until T] [--limit N]"],
    options: [
      .init("after", "N", "events after sequence number N"),
      .init("author", "NAME", "events of this author"),
      .init("kind", "KIND", "upsert, update, toggle, delete or evict"),
      .init("since", "T", "events at or after a time"),
      .init("until", "T", "events at or before a time; a bare date is its first instant in UTC"),
      .init("limit", "N", "the first N of these events"),
    ],
    details: [
      "Events come in the order of their sequence numbers. A line holds sequence number, time, author, kind, task, what was "
        + "set, and the message; on a terminal it is cut to the width, elsewhere there are tabs between. With --json each "
        + "event is an object, with old and new values.",
      "`ledger audit` shows the events of one task in full.",
    ],
    examples: [
      .init("ledger log --author ann --since 2026-11-30", "what ann did since that day began"),
      .init("ledger --json log --after 1204", "every event after 1204, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let filter = try filter(session.arguments)
    let limit = try session.arguments.number("limit") ?? .max
    let ledger = try session.openForReading()
    guard limit > 0 else { return .done }
    let out = session.out
    var written: UInt64 = 0
    // Where the events themselves run over the terminal, they are the progress.
    let progress = out.isTerminal ? nil : session.progress("event")
    defer { progress?.clear() }
    if session.isJSON {
      var line: [UInt8] = []
      try ledger.forEachEntry(filter) { (entry) throws(LedgerError) in
        line.removeAll(keepingCapacity: true)
        EventJSON.append(entry, to: &line)
        line.append(0x0a)
        out.machine(line)
        written += 1
        progress?.update(written)
        return out.isOpen && written < limit
      }
    } else {
      try ledger.forEachEvent(filter) { (event) throws(LedgerError) in
        out.line(EventLine.text(event, on: out))
        written += 1
        progress?.update(written)
        return out.isOpen && written < limit
      }
    }
    return .done
  }

  private static func filter(_ arguments: Arguments) throws(LedgerError) -> EventFilter {
    EventFilter(
      after: try arguments.number("after") ?? 0, author: arguments.value("author"),
      kind: try kind(arguments.value("kind")), since: try arguments.time("since"),
      until: try arguments.time("until"))
  }

  private static func kind(_ name: String?) throws(LedgerError) -> EventKind? {
    guard let name else { return nil }
    if let kind = EventKind(name: name) { return kind }
    let known = EventKind.allCases.map(\.description)
    throw LedgerError(
      .usage, "--kind is \"\(name)\", expected one of \(known.joined(separator: ", "))",
      hint: name == "restore" ? "a restore is an update of isDeleted" : nil)
  }
}

/// One event in one line.
enum EventLine {
  static func text(_ event: Event, on out: Output) -> String {
    let changes = event.changes.map { change in
      "\(out.shown(change.name.text)): \(change.value.map(ValueText.quoted) ?? "(unset)")"
    }.joined(separator: "; ")
    let message = event.message.map(out.shown) ?? ""
    let id = out.shown(event.task)
    let columns = [
      String(event.sequence), event.time.description, out.shown(event.author),
      event.kind.description, out.isTerminal && ShortIDs.isUUID(id) ? "\(id.prefix(8))…" : id,
    ]
    guard out.isTerminal else {
      return (columns + [changes, message]).joined(separator: "\t")
    }
    let rest = message.isEmpty ? changes : "“\(message)” \(changes)"
    let place = TextColumns.padLeft(columns[0], to: 6)
    let text = (columns[1...] + [rest]).filter { !$0.isEmpty }.joined(separator: "  ")
    let width = out.columns - TextColumns.count(place) - 2
    return out.styled(place, .dim) + "  " + TextColumns.cut(text, to: width)
  }
}
