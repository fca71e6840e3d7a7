import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger replay`
enum ReplayVerb: Verb {
  static let description = VerbDescription(
    "replay", "rebuild the state from the events alone, and print its digest",
    usage: [
      "[--at MOMENT] [--from-snapshot] [--expect DIGEST] [--tasks]",
      "--projection NAME [--at MOMENT] [--from-snapshot]",
      "--snapshot FILE [--expect DIGEST] [--tasks]",
    ],
    options: [
      .at,
      .flag(
        "from-snapshot",
        "start from the newest snapshot that fits, and say whether the events alone lead to the same"
      ),
      .init(
        "projection", "NAME", words: ["activity", "counts", "list"],
        "print what the events add up to in another way: activity (who did how much, and when), counts (how many tasks are "
          + "open, done and deleted) or list (the tasks that are not deleted)"),
      .init(
        "snapshot", "FILE",
        "print what a snapshot's file adds up to, by itself and without a ledger: such as one that `ledger repair` moved aside"
      ),
      .init("expect", "DIGEST", "end with exit code 1 when the state has another digest"),
      .flag(
        "tasks",
        "print the tasks on standard output: exactly the bytes that the digest is made of; the rest goes to standard error"
      ),
    ],
    details: [
      "Two ledgers with the same state digest hold the same tasks, whatever happened to them on the way. It is the SHA-256 "
        + "of one line of canonical JSON (RFC 8785, integers in full) per task, deleted ones included, sorted by id.",
      "Where there is a snapshot, the state is read from it as well and compared: when it differs, the exit code is 65. The "
        + "events are right, then, and the snapshot is wrong.",
      "The events that are counted are all that the ledger has up to the moment, with --from-snapshot as without it: not those that "
        + "were lost, and of those that `ledger compact` folded only what still counts. With --from-snapshot it is also said how many "
        + "came after the snapshot: only these are folded in the time that is shown.",
      "With --snapshot and --tasks the documents of the tasks in that file are printed, a line each; `ledger upsert` makes tasks of them "
        + "again. Nothing compares the file with events.",
      "Activity counts events by the days, in UTC, on which they happened, late ones and evicts included; on a terminal it is a "
        + "chart, by months or years where there are many days. What a fold has removed cannot be told, and is said.",
    ],
    examples: [
      .init("ledger replay", "counts, speed and digest"),
      .init("ledger replay --from-snapshot", "the same from the newest snapshot, compared"),
      .init("ledger replay --expect DIGEST", "a regression test: exit code 0 or 1"),
      .init("ledger replay --tasks | sha256sum", "the same digest, made by another program"),
      .init("ledger replay --projection activity", "events by author and by day"),
      .init("ledger --json replay --at 1204", "the digest after event 1204, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let moment = try session.moment()
    if let projection = try ProjectionReport(session) {
      try projection.write(at: moment)
      return .done
    }
    let expected = try expectedDigest(session.arguments)
    if let file = session.arguments.value("snapshot") {
      return try run(session, ofSnapshot: file, expected)
    }
    let ledger = try session.openForReading()
    let progress = session.progress("event")
    let replay: Replay
    do throws(LedgerError) {
      replay = try session.reading { () throws(LedgerError) in
        try ledger.replay(
          at: moment, fromSnapshot: session.arguments.has("from-snapshot"), comparesSnapshot: true
        ) { progress.update($0) }
      }
      progress.clear()
    } catch {
      progress.clear()
      throw error
    }
    writeAll(replay, session)
    if let comparison = replay.comparison, !comparison.agrees { throw disagreement(comparison) }
    return verdict(replay, expected, session)
  }

  /// What a snapshot's file holds by itself.
  private static func run(
    _ session: Session, ofSnapshot file: String, _ expected: String?
  ) throws -> ExitStatus {
    for other in ["at", "from-snapshot"] where session.arguments.has(other) {
      throw LedgerError(
        .usage, "replay is given --snapshot and --\(other)",
        hint: "give one of them: a snapshot is of one moment")
    }
    guard !file.isEmpty else { throw LedgerError(.usage, "--snapshot is empty, expected a path") }
    let path = try session.context.resolve(file)
    guard !PathKind.of(path).isFolder else {
      throw LedgerError(
        .notFound, "there is no snapshot", path: path, cause: "it is a folder",
        hint: "name a file in it")
    }
    let replay = try Replay(ofSnapshotFile: path)
    writeAll(replay, session)
    return verdict(replay, expected, session)
  }

  private static func writeAll(_ replay: Replay, _ session: Session) {
    guard session.arguments.has("tasks") else { return write(replay, session, to: session.out) }
    replay.forEachLines { if session.out.isOpen { session.out.machine($0) } }
    // The report on standard error follows what it is about.
    session.out.flush()
    write(replay, session, to: session.errors)
  }

  private static func verdict(
    _ replay: Replay, _ expected: String?, _ session: Session
  ) -> ExitStatus {
    guard let expected, !expected.hasSameBytes(as: replay.digest) else { return .done }
    session.note("the digest is \(replay.digest), expected \(expected)")
    return .no
  }

  private static func expectedDigest(_ arguments: Arguments) throws(LedgerError) -> String? {
    guard let text = arguments.value("expect") else { return nil }
    let digits = text.lowercased()
    guard digits.utf8.count == 64,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else {
      throw LedgerError(
        .usage, "--expect: found \"\(text.shortened)\", expected 64 hexadecimal digits",
        hint: "`ledger replay` prints the digest of a ledger")
    }
    return digits
  }

  private static func disagreement(_ comparison: SnapshotComparison) -> LedgerError {
    LedgerError(
      .damaged,
      "the snapshot of event \(comparison.sequence) leads to another state than the events, with the digest \(comparison.digest)",
      hint:
        "the events are right: delete the files in the folder snapshots, then run `ledger snapshot`"
    )
  }

  private static func write(_ replay: Replay, _ session: Session, to out: Output) {
    let isOfEventsAlone = replay.snapshot == nil
    // A snapshot does not tell how many events are left of those for which it stands: the other road has counted them.
    let events = isOfEventsAlone ? replay.events : replay.comparison?.events
    let rate = isOfEventsAlone ? NumberText.rate(replay.events, seconds: replay.seconds) : nil
    if session.isJSON {
      return out.json { json in
        if let events { json.add("events", events) }
        json.add("tasks", replay.tasks)
        json.add("digest", replay.digest)
        json.add("seconds", replay.seconds, decimals: 6)
        json.add("digestSeconds", replay.digestSeconds, decimals: 6)
        if let rate { json.add("eventsPerSecond", rate) }
        if let at = session.arguments.value("at") { json.add("at", at) }
        if let snapshot = replay.snapshot { json.add("fromSnapshot", snapshot) }
        if let comparison = replay.comparison {
          if replay.snapshot != nil { json.add("eventsAfterSnapshot", replay.events) }
          json.add("snapshot", comparison.sequence)
          json.add("snapshotAgrees", comparison.agrees)
          json.add("comparisonSeconds", comparison.seconds, decimals: 6)
        }
      }
    }
    let seconds = DecimalText.text(replay.seconds, decimals: 3)
    let digestSeconds = DecimalText.text(replay.digestSeconds, decimals: 3)
    let speed = rate.map { ", \(NumberText.grouped($0)) a second" } ?? ""
    if let events { out.line("events  \(NumberText.grouped(events))") }
    out.line("tasks   \(NumberText.grouped(replay.tasks))")
    out.line("time    \(seconds) s to fold\(speed); \(digestSeconds) s for the digest")
    out.line("digest  \(replay.digest)")
    if let comparison = replay.comparison { write(comparison, replay, out) }
    if session.arguments.has("snapshot"), let sequence = replay.snapshot {
      out.line("from    the snapshot of event \(sequence), by itself")
    }
    if replay.comparison == nil, session.arguments.has("from-snapshot") {
      out.line("no snapshot fits: this is of the events alone")
    }
  }

  private static func write(
    _ comparison: SnapshotComparison, _ replay: Replay, _ out: Output
  ) {
    let seconds = DecimalText.text(comparison.seconds, decimals: 3)
    let verdict =
      comparison.agrees ? out.styled("the same", .green) : out.styled("ANOTHER STATE", .red, .bold)
    let of = "the snapshot of event \(comparison.sequence)"
    if replay.snapshot != nil {
      let after = NumberText.count(replay.events, "event")
      out.line(
        "from    \(of) and \(after) after it; the events alone, in \(seconds) s, lead to \(verdict)"
      )
    } else {
      out.line("check   \(of), in \(seconds) s, leads to \(verdict)")
    }
  }
}
