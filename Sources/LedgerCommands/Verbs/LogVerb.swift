import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger log`
enum LogVerb: Verb {
  static let description = VerbDescription(
    "log", "list the events of the whole ledger",
    usage: [
      "[--after N] [--author NAME] [--kind KIND] [--since T] [--until T] [--limit N | --last N] [--commands]"
    ],
    options: [
      .init("after", "N", "events after sequence number N"),
      .init("author", "NAME", "events of this author"),
      .init(
        "kind", "KIND", words: EventKind.allCases.map(\.description),
        "upsert, update, toggle, delete or evict"),
      .init("since", "T", "events at or after a time, or a day such as today, yesterday or -1w"),
      .init(
        "until", "T",
        "events at or before a time; a day is its first instant, and digits without a zone are UTC"
      ),
      .init("limit", "N", "the first N of these events"),
      .init("last", "N", "the last N of these events"),
      .flag("commands", "as lines for `ledger apply`, each of which makes the event again"),
    ],
    details: [
      "Events come in the order of their sequence numbers. A line holds sequence number, time, author, kind, task, what was "
        + "set, the message, and last, where it is one of several events of a transaction, the number of that, as `ledger undo "
        + "--transaction` wants it (else it is the sequence number), and which event it undoes; on a terminal it is cut to the width, with the text that "
        + "the task has now and old values, where there are no more than 1,024 events; elsewhere there are tabs between, and control characters "
        + "and backslashes are shown as \\n, \\t, \\u{1b} and \\\\. With --json each event is an object, with old and new values.",
      "`ledger audit` shows the events of one task in full.",
      "With --commands each event is a line as `ledger apply` takes it, with its time, author, message and transaction. Applied to an empty "
        + "ledger, all of them make the same tasks, with the same digest. Evicts are among them: applied to a ledger that has such "
        + "tasks of its own they remove these, too. What undoes something becomes a plain change. History that was folded cannot be told "
        + "in this way. A backup is a copy of the ledger itself.",
    ],
    examples: [
      .init("ledger log --author ann --since 2026-11-30", "what ann did since that day began"),
      .init("ledger log --since yesterday --until today", "what was done yesterday, where you are"),
      .init("ledger log --last 10", "the ten newest events"),
      .init("ledger --json log --after 1204", "every event after 1204, for a program"),
      .init(
        "ledger log --commands --after 1204",
        "every event after 1204 as a line for `ledger apply`, which does it again elsewhere"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let arguments = session.arguments
    var filter = try filter(arguments, LocalDays(session.context))
    let limit = try arguments.number("limit") ?? .max
    let last = try arguments.number("last").map { Int(clamping: $0) }
    guard last == nil || !arguments.has("limit") else {
      throw LedgerError(
        .usage, "log is given --limit and --last", hint: "give one of them")
    }
    let ledger = try session.openForReading()
    guard limit > 0, last != 0 else { return .done }
    if let last, !arguments.hasAny(of: ["author", "kind", "since", "until"]) {
      // What stands before the last N of all events need not be read.
      let end = try ledger.lastSequence
      filter.after = max(filter.after, end - min(end, UInt64(last)))
    }
    let out = session.out
    // Where the events themselves run over the terminal, they are the progress.
    let progress = out.isTerminal ? nil : session.progress("event")
    defer { progress?.clear() }
    let count: UInt64
    if arguments.has("commands") {
      try checkWhole(after: filter.after, ledger)
      count = try write(
        limit: limit, last: last, progress, out, from: { try ledger.forEachEvent(filter, $0) },
        line: { out.machine(CommandJSON.bytes($0) + [0x0a]) })
    } else if session.isJSON {
      count = try write(
        limit: limit, last: last, progress, out, from: { try ledger.forEachEntry(filter, $0) },
        line: { out.machine(EventJSON.bytes($0) + [0x0a]) })
    } else if out.isTerminal, try ledger.events(after: filter.after) <= toldEventsMax {
      let texts = TaskTexts(ledger)
      count = try write(
        limit: limit, last: last, progress, out, from: { try ledger.forEachEntry(filter, $0) },
        line: { out.line(EventLine.text($0, title: texts.title(of: $0), on: out)) })
      if count == 0 { out.line("no events") }
    } else {
      count = try write(
        limit: limit, last: last, progress, out, from: { try ledger.forEachEvent(filter, $0) },
        line: { out.line(EventLine.text($0, on: out)) })
      if count == 0, out.isTerminal { out.line("no events") }
    }
    progress?.clear()
    let folded = try ledger.foldedThrough
    if filter.after < folded, last.map({ count < UInt64($0) }) ?? true {
      let events = LossText.events(SequenceRanges((filter.after + 1)...folded))
      session.note(
        "history was folded: of \(events) only what still counts is left, which `ledger audit ID` shows"
      )
    }
    return .done
  }

  /// Of so many events a person is told what the tasks are called, and what stood there before: of more it would take a while.
  private static let toldEventsMax: UInt64 = 1024

  /// Refuses to print commands that act on what was folded, which nobody can make again.
  private static func checkWhole(after start: UInt64, _ ledger: Ledger) throws(LedgerError) {
    let folded = try ledger.foldedThrough
    guard start < folded else { return }
    throw LedgerError(
      .invalid,
      "--commands: the history up to event \(folded) was folded, and the commands that made it are gone",
      hint:
        "`ledger log --commands --after \(folded)` prints the rest; `ledger backup` copies the ledger as it is"
    )
  }

  /// Writes the first `limit`, or the last `last`, of what `source` gives.
  ///
  /// - Returns: how many it gave.
  private static func write<Item>(
    limit: UInt64, last: Int?, _ progress: Progress?, _ out: Output,
    from source: ((Item) throws(LedgerError) -> Bool) throws -> Void, line: @escaping (Item) -> Void
  ) throws -> UInt64 {
    var count: UInt64 = 0
    var kept = LastItems<Item>(last ?? 0)
    try source { (item) throws(LedgerError) in
      if last == nil { line(item) } else { kept.add(item) }
      count += 1
      progress?.update(count)
      return out.isOpen && count < limit
    }
    for item in kept.items where out.isOpen { line(item) }
    return count
  }

  private static func filter(
    _ arguments: Arguments, _ days: LocalDays
  ) throws(LedgerError) -> EventFilter {
    EventFilter(
      after: try arguments.number("after") ?? 0, author: arguments.value("author"),
      kind: try kind(arguments.value("kind")), since: try since(arguments, days),
      until: try arguments.time("until", days))
  }

  private static func since(
    _ arguments: Arguments, _ days: LocalDays
  ) throws(LedgerError) -> LedgerTime? {
    do throws(LedgerError) {
      return try arguments.time("since", days)
    } catch {
      var error = error
      if let number = arguments.value("since").flatMap(UInt64.init) {
        error.hint = "the events after number \(number) are those of --after \(number)"
      }
      throw error
    }
  }

  private static func kind(_ name: String?) throws(LedgerError) -> EventKind? {
    guard let name else { return nil }
    if let kind = EventKind(name: name) { return kind }
    let known = EventKind.allCases.map(\.description)
    throw LedgerError(
      .usage, "--kind is \"\(name.shortened)\", expected one of \(known.joined(separator: ", "))",
      hint: name == "restore" ? "a restore is an update of isDeleted" : nil)
  }
}

/// The last of many, in order.
private struct LastItems<Item> {
  private let count: Int
  private var kept: [Item] = []

  init(_ count: Int) { self.count = count }

  mutating func add(_ item: Item) {
    // Making room seldom, and for many, costs nothing to speak of.
    if kept.count - count >= count { kept.removeFirst(kept.count - count + 1) }
    kept.append(item)
  }

  var items: ArraySlice<Item> { kept.suffix(count) }
}

/// What tasks are called now, each looked up once.
private final class TaskTexts {
  private let ledger: Ledger
  private var known: [TaskID: String] = [:]

  init(_ ledger: Ledger) { self.ledger = ledger }

  /// The text to show beside an event; nil where the event tells it, or there is no task any more.
  func title(of entry: AuditEntry) -> String? {
    guard !entry.changes.contains(where: { $0.name == .body }) else { return nil }
    let id = entry.event.task
    if let text = known[id] { return text }
    // A text that cannot be read leaves the line as true as before.
    let text = ((try? ledger.task(id)) ?? nil)?.body ?? ""
    known[id] = text
    return text
  }
}

extension Ledger {
  /// How many sequence numbers follow one.
  fileprivate func events(after number: UInt64) throws(LedgerError) -> UInt64 {
    let end = try lastSequence
    return end - min(number, end)
  }
}

/// One event in one line.
enum EventLine {
  /// The same with what stood there before.
  static func text(_ entry: AuditEntry, title: String?, on out: Output) -> String {
    let changes = entry.changes.map { change in
      let lost = entry.lost.contains(change.name) ? " lost" : ""
      return "\(out.column(change.name.text)): \(ChangeText.values(change.old, change.new))\(lost)"
    }
    return text(entry.event, title: title, changes: changes.joined(separator: "; "), on: out)
  }

  static func text(_ event: Event, on out: Output) -> String {
    let changes = event.changes.map { change in
      "\(out.column(change.name.text)): \(ChangeText.values(nil, change.value))"
    }
    return text(event, changes: changes.joined(separator: "; "), on: out)
  }

  /// - Parameter title: the text of the task, which a person wants to see beside its id.
  static func text(
    _ event: Event, title: String? = nil, changes: String, on out: Output
  ) -> String {
    let message = event.message.map(out.column) ?? ""
    let id = out.shown(event.task)
    let columns = [
      String(event.sequence), event.time.description, out.column(event.author),
      event.kind.description, out.isTerminal && ShortIDs.isUUID(id) ? "\(id.prefix(8))…" : id,
    ]
    let marks = marks(event)
    guard out.isTerminal else {
      return (columns + [changes, message] + (marks.isEmpty ? [] : [marks]))
        .joined(separator: "\t")
    }
    let rest = message.isEmpty ? changes : "“\(message)” \(changes)"
    let place = TextColumns.padLeft(columns[0], to: 6)
    let shown = columns[1...] + [marks, title.map(out.shown) ?? "", rest]
    let text = shown.filter { !$0.isEmpty }.joined(separator: "  ")
    let width = out.columns - TextColumns.count(place) - 2
    return out.styled(place, .dim) + "  " + TextColumns.cut(text, to: width)
  }

  /// The transaction, where the event is not all of it, and what the event undoes.
  private static func marks(_ event: Event) -> String {
    let transaction = event.isAlone ? nil : "transaction \(event.transaction)"
    return [transaction, event.undoes.map { "undoes \($0)" }].compactMap { $0 }
      .joined(separator: " ")
  }
}

extension Event {
  /// Whether it is all of its transaction.
  var isAlone: Bool { sequence == transaction && endsTransaction }
}
