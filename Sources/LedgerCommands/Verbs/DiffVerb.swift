import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger diff`
enum DiffVerb: Verb {
  static let description = VerbDescription(
    "diff", "show which tasks differ between two ledgers, or two moments",
    usage: ["A B [--summary]", "--from MOMENT [--to MOMENT] [--summary]"],
    operands: .any("A B"),
    options: [
      .init(
        "from", "MOMENT",
        "the moment that is compared: a number is a sequence number, anything else a time, or a day such as yesterday"
      ),
      .init(
        "to", "MOMENT", "the moment with which it is compared; the present where it is left out"),
      .flag("summary", "print only how many tasks differ"),
    ],
    details: [
      "A and B are folders of ledgers. A task is added when only the second side has it, gone when only the first has, else changed. "
        + "Below it stand the fields that differ, from the first side to the second, and below each the events that made the "
        + "difference: those that touched it and that only one side knows of.",
      "The exit code is 1 where tasks differ, 0 where all are the same. Two ledgers may hold the same tasks and other events: "
        + "`ledger replay` gives a digest of the tasks, `ledger verify` one of the events.",
    ],
    examples: [
      .init("ledger diff --from today", "what has changed since this morning"),
      .init("ledger diff --from 1204 --to 1300 --summary", "how many tasks these events changed"),
      .init(
        "ledger --json diff mine.ledger backup.ledger", "one object for each task that differs"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let progress = session.progress("event")
    defer { progress.clear() }
    let writer = DifferenceWriter(session, isOfLedgers: !session.arguments.operands.isEmpty)
    // On a terminal the differences themselves show how far it is, once they come.
    let write = { (difference: TaskDifference) throws(LedgerError) -> Bool in
      progress.clear()
      return try writer.writeDifference(difference)
    }
    let counts = try find(session, session.arguments.has("summary") ? nil : write, progress)
    progress.clear()
    writer.writeCounts(counts)
    return counts.isDifferent ? .no : .done
  }

  private static func find(
    _ session: Session, _ body: ((TaskDifference) throws(LedgerError) -> Bool)?,
    _ progress: Progress
  ) throws(LedgerError) -> DifferenceCounts {
    let paths = session.arguments.operands
    let (from, to) = (try session.moment("from"), try session.moment("to"))
    guard !paths.isEmpty else {
      guard let from else {
        throw LedgerError(.usage, "diff needs two ledgers, or --from MOMENT")
      }
      return try session.openForReading().differences(from: from, to: to, body) {
        progress.update($0)
      }
    }
    guard paths.count == 2 else {
      throw LedgerError(.usage, "diff takes two ledgers, found \(paths.count)")
    }
    guard from == nil, to == nil else {
      throw LedgerError(
        .usage, "two ledgers are given, and a moment", hint: "compare ledgers, or moments of one")
    }
    try refuseMoments(paths, session)
    let first = try session.open(paths[0], called: "A")
    let second = try session.open(paths[1], called: "B")
    return try first.differences(to: second, body) { progress.update($0) }
  }
}

extension DiffVerb {
  /// Sequence numbers in the place of ledgers were meant for moments of one.
  private static func refuseMoments(_ paths: [String], _ session: Session) throws(LedgerError) {
    for path in paths {
      guard path.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        PathKind.of(try session.context.resolve(path)).isMissing
      else { return }
    }
    let (from, to) = (paths[0].shortened, paths[1].shortened)
    throw LedgerError(
      .notFound, "there are no ledgers \(from) and \(to)",
      hint: "moments of one ledger are compared by `ledger diff --from \(from) --to \(to)`")
  }
}

/// Prints differences as they are found.
private final class DifferenceWriter {
  private let out: Output
  private let isJSON: Bool
  private let isOfLedgers: Bool
  private var count = 0

  init(_ session: Session, isOfLedgers: Bool) {
    out = session.out
    isJSON = session.isJSON
    self.isOfLedgers = isOfLedgers
  }

  func writeDifference(_ difference: TaskDifference) throws(LedgerError) -> Bool {
    if isJSON { writeJSON(difference) } else { writeText(difference) }
    count += 1
    return out.isOpen
  }

  func writeCounts(_ counts: DifferenceCounts) {
    guard !isJSON else {
      return out.json { json in
        json.add("different", counts.isDifferent)
        json.add("added", counts.added)
        json.add("gone", counts.gone)
        json.add("changed", counts.changed)
        json.add("same", counts.same)
      }
    }
    if count > 0 { out.line() }
    out.line(
      [
        "\(NumberText.grouped(counts.added)) added", "\(NumberText.grouped(counts.gone)) gone",
        "\(NumberText.grouped(counts.changed)) changed",
        "\(NumberText.grouped(counts.same)) the same",
      ].joined(separator: ", "))
  }

  private func writeText(_ difference: TaskDifference) {
    if count > 0 { out.line() }
    let body = (difference.new ?? difference.old).map { out.shown($0.body) } ?? ""
    let kind = TextColumns.pad(difference.kind.rawValue, to: 7)
    let title =
      "\(out.styled(kind, style(difference.kind)))  \(out.styled(out.shown(difference.id), .bold))"
    out.line(body.isEmpty ? title : "\(title)  \(body)")
    for (place, change) in difference.changes.enumerated() {
      out.line("    " + text(change))
      // The events of several fields of one kind stand below the last of them.
      let next = place + 1 < difference.changes.count ? difference.changes[place + 1] : nil
      if next?.causes != change.causes { for cause in change.causes { out.line(text(cause)) } }
    }
  }

  private func style(_ kind: TaskDifference.Kind) -> TextStyle {
    switch kind {
    case .added: .green
    case .gone: .red
    case .changed: .yellow
    }
  }

  private func text(_ change: TaskDifference.Change) -> String {
    "\(out.shown(change.name)): \(ChangeText.styledValues(change.old, change.new, on: out))"
  }

  private func text(_ cause: TaskDifference.Cause) -> String {
    let entry = cause.entry
    var parts = [
      TextColumns.padLeft(String(entry.sequence), to: 14), out.styled("\(entry.time)", .dim),
      out.shown(entry.author), entry.kind.description,
    ]
    if isOfLedgers { parts.append("in \(cause.side == .first ? "A" : "B")") }
    if let message = entry.message { parts.append("“\(out.shown(message))”") }
    return parts.joined(separator: "  ")
  }

  private func writeJSON(_ difference: TaskDifference) {
    out.json { json in
      json.add("task", difference.id.text)
      json.add("difference", difference.kind.rawValue)
      json.addObject("changes") { json in
        for change in difference.changes {
          json.addObject(change.name) { json in
            if let old = change.old { json.add("old", old) }
            if let new = change.new { json.add("new", new) }
            json.addObjects("causes", change.causes) { json, cause in
              json.add("side", Self.name(cause.side))
              json.add("sequence", cause.entry.sequence)
              json.add("author", cause.entry.author)
            }
          }
        }
      }
      json.addObjects("events", difference.causes) { json, cause in
        json.add("side", Self.name(cause.side))
        json.add("event", json: EventJSON.bytes(cause.entry))
      }
    }
  }

  private static func name(_ side: TaskDifference.Side) -> String {
    side == .first ? "first" : "second"
  }
}
