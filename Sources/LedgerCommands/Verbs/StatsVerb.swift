import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger stats`
enum StatsVerb: Verb {
  static let description = VerbDescription(
    "stats", "tell what the ledger consists of",
    usage: [""],
    details: [
      "Nothing is read but the list of files, the newest events and the bytes of snapshots; `ledger replay` counts the tasks. The bytes "
        + "an event takes are those of sealed segments. Bytes are used where something was written; reserved are the zeros in the active "
        + "segment that wait to be overwritten. With --json bytes is both together."
    ],
    examples: [
      .init("ledger stats", "for the eye"),
      .init("ledger --json stats", "one object, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let ledger = try session.openForReading(showsRepairs: true)
    let statistics = try ledger.statistics()
    if session.isJSON {
      writeJSON(statistics, ledger.path, session.out)
    } else {
      write(statistics, ledger.path, session.out)
    }
    return .done
  }

  private static func write(_ statistics: LedgerStatistics, _ path: String, _ out: Output) {
    out.line("path         \(out.shown(path))")
    out.line("ledger       \(statistics.ledger)")
    out.line("replica      \(statistics.replica)")
    out.line("events       \(NumberText.grouped(statistics.events))")
    if let newest = statistics.newest { out.line("newest       \(newest)") }
    let used = statistics.usedBytes
    let reserved = statistics.bytes - used
    out.line(
      "bytes        \(NumberText.grouped(used)) used\(reserved == 0 ? "" : ", \(NumberText.grouped(reserved)) reserved")"
    )
    if let bytes = statistics.bytesPerSealedEvent {
      out.line("an event     \(DecimalText.text(bytes, decimals: 1)) bytes, where sealed")
    }
    out.line()
    out.line("segments     \(statistics.segments.count)")
    for segment in statistics.segments { out.line("  " + text(segment)) }
    out.line()
    if !statistics.snapshots.isEmpty {
      out.line("snapshots    \(statistics.snapshots.count)")
      for snapshot in statistics.snapshots { out.line("  " + text(snapshot, out)) }
      out.line()
    }
    out.line("maintenance  \(statistics.maintenance.count)")
    for record in statistics.maintenance { out.line("  " + text(record, out)) }
  }

  private static func text(_ segment: LedgerStatistics.Segment) -> String {
    let events = NumberText.count(segment.events, "event")
    let reserved = segment.bytes - segment.usedBytes
    let bytes =
      NumberText.count(segment.usedBytes, "byte")
      + (reserved == 0 ? "" : " and \(NumberText.grouped(reserved)) reserved")
    guard !segment.lost.isEmpty else {
      return
        "\(segment.file)  \(segment.kind), \(events) from \(segment.firstSequence) on, \(bytes)"
    }
    let file = segment.file.isEmpty ? "(no file)" : segment.file
    let loss =
      segment.kind == "baseline"
      ? "some of what was left of events \(segment.lost.text()) is lost"
      : "lost: \(segment.lost.text())"
    return "\(file)  \(segment.kind), \(events) from \(segment.firstSequence) on, \(bytes); \(loss)"
  }

  private static func text(_ snapshot: LedgerStatistics.Snapshot, _ out: Output) -> String {
    let bytes = NumberText.count(snapshot.bytes, "byte")
    let start = "\(snapshot.file)  of event \(snapshot.sequence)"
    if let problem = snapshot.problem {
      return "\(start), \(bytes), left out: \(out.shown(problem.message))"
    }
    return "\(start), \(NumberText.count(snapshot.tasks ?? 0, "task")), \(bytes)"
  }

  private static func text(_ record: LedgerStatistics.Maintenance, _ out: Output) -> String {
    let details = record.details.map { "\(out.shown($0.name))=\(out.shown($0.value))" }
    let start = "\(record.time)  after event \(record.follows)  \(record.kind)"
    return ([start] + details).joined(separator: "  ")
  }

  private static func writeJSON(_ statistics: LedgerStatistics, _ path: String, _ out: Output) {
    out.json { json in
      json.add("path", path)
      json.add("ledger", statistics.ledger)
      json.add("replica", statistics.replica)
      json.add("events", statistics.events)
      if let newest = statistics.newest { json.add("newest", newest.description) }
      json.add("bytes", statistics.bytes)
      json.add("usedBytes", statistics.usedBytes)
      if let bytes = statistics.bytesPerSealedEvent {
        json.add("bytesPerSealedEvent", bytes, decimals: 2)
      }
      json.addObjects("segments", statistics.segments) { json, segment in
        json.add("kind", segment.kind)
        json.add("file", segment.file)
        json.add("firstSequence", segment.firstSequence)
        json.add("events", segment.events)
        json.add("bytes", segment.bytes)
        json.add("usedBytes", segment.usedBytes)
        if !segment.lost.isEmpty { json.addRanges("lost", segment.lost) }
      }
      json.addObjects("snapshots", statistics.snapshots) { json, snapshot in
        json.add("file", snapshot.file)
        json.add("sequence", snapshot.sequence)
        if let tasks = snapshot.tasks { json.add("tasks", tasks) }
        json.add("bytes", snapshot.bytes)
        if let problem = snapshot.problem { json.add("problem", problem.message) }
      }
      json.addObjects("maintenance", statistics.maintenance) { json, record in
        json.add("kind", record.kind)
        json.add("follows", record.follows)
        json.add("time", record.time.description)
        json.addObject("details") { json in
          for detail in record.details { json.add(detail.name, detail.value) }
        }
      }
    }
  }
}

extension LedgerStatistics {
  /// The bytes of all segments.
  fileprivate var bytes: UInt64 { segments.reduce(0) { $0 + $1.bytes } }

  /// The bytes of all segments that hold something.
  fileprivate var usedBytes: UInt64 { segments.reduce(0) { $0 + $1.usedBytes } }

  /// The bytes that an event takes in sealed segments; nil where none is sealed.
  fileprivate var bytesPerSealedEvent: Double? {
    let sealed = segments.filter { $0.kind == "sealed" }
    let events = sealed.reduce(0) { $0 + $1.events }
    guard events > 0 else { return nil }
    return Double(sealed.reduce(0) { $0 + $1.bytes }) / Double(events)
  }
}
