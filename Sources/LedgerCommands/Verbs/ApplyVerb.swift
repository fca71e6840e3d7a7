import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger apply`
enum ApplyVerb: Verb {
  static let description = VerbDescription(
    "apply", "append a stream of commands, one JSON object a line",
    usage: ["FILE... [--continue] [--dry-run]", "- [--continue] [--dry-run]"],
    operands: .some("FILE"),
    options: [
      .flag(
        "continue",
        "leave out a bad line with its whole transaction, go on, and exit with 65 at the end"),
      .flag(
        "dry-run",
        "say what would be in, how many tasks would be added, gone and changed, and which lines are bad; change nothing"
      ),
    ],
    details: [
      "A line is an object with \"kind\" (upsert, update, toggle, delete or evict), \"task\" (a whole id; an upsert may leave "
        + "it out), \"set\" and \"unset\" (upsert and update only), and where wanted \"time\" (RFC 3339), \"author\", "
        + "\"message\" and \"transaction\" (text or an integer). Consecutive lines of a file with the same transaction are "
        + "one transaction; a line without one is its own. - is standard input.",
      "What is reported as in is synced. A bad line stops the run: nothing of its transaction is in, everything before it "
        + "is; a line of which not even the transaction can be read counts to the transactions before it and behind it. A stream that pauses is appended as far as it came. A transaction has at most \(Limits.transactionEventsMax) "
        + "lines, and is held in memory until it is appended: somewhat more than 1 KiB a line.",
      "A line with a time acts on the task as it stood then; a time more than a day in the future makes it a bad line. Applying a file twice is not harmless: a toggle goes back, and "
        + "an upsert without \"task\" makes another task. The end of a run says how many lines are in; of one that was killed `ledger log "
        + "--last 1` shows the last event: the line that made it is in, lines behind it only where they changed nothing.",
      "--dry-run carries the lines out one after the other, as the run would, and ends with its exit code; it holds what it makes in "
        + "memory, somewhat more than 1 KiB an event.",
      "All goes into the folder that was opened at the start. Where that is moved, deleted or replaced while a stream runs, the end "
        + "of the run says so.",
    ],
    examples: [
      .init("ledger apply tasks.ndjson", "appends what the file says"),
      .init(
        "echo '{\"kind\":\"update\",\"task\":\"123abc\",\"set\":{\"priority\":1}}' | ledger apply -",
        "one line from elsewhere"),
      .init("generate | ledger apply - --continue", "takes a stream, and leaves out bad lines"),
      .init(
        "ledger apply import.ndjson --continue --dry-run",
        "every bad line of a file, before anything of it is in"),
    ])

  /// A bulk load makes few large segments, not many small ones.
  private static let sealEvents: UInt64 = 131_072
  private static let sealBytes: UInt64 = 64 << 20

  static func run(_ session: Session) throws -> ExitStatus {
    let files = session.arguments.operands
    // A file that is missing is found before the first one is applied.
    for file in files where file != "-" {
      guard !file.isEmpty else {
        throw LedgerError(
          .usage, "FILE is empty, expected a path", hint: "name a file, or - for standard input")
      }
      try DescriptorSource.check(session.context.resolve(file))
    }
    let ledger = try session.openForWriting(makesOwn: true) { configuration in
      configuration.sealEvents = sealEvents
      configuration.sealBytes = sealBytes
      configuration.sealsInBackground = true
      configuration.tidiesWhileSealing = false
    }
    let segmentsBefore = try ledger.statistics().segments.count
    let run = try ApplyRun(session, ledger)
    do {
      try apply(files, run, session)
    } catch {
      // What is in stays in, whatever ended the run: it is said in any case.
      try? run.writeSummary()
      throw error
    }
    // Nobody waits to hear it until the files are in order.
    try run.writeSummary()
    session.out.flush()
    if !session.isDryRun {
      try seal(ledger, session, segmentsBefore: segmentsBefore)
    }
    if let error = run.stop { throw error }
    return run.isWhole ? .done : .damaged
  }

  private static func apply(_ files: [String], _ run: ApplyRun, _ session: Session) throws {
    for file in files {
      let isStandardInput = file == "-"
      let source =
        isStandardInput
        ? session.context.input : try DescriptorSource(path: session.context.resolve(file))
      guard try run.apply(source, name: isStandardInput ? "standard input" : file) else { return }
    }
  }

  /// Leaves no larger active segment than other commands would, nor files that sealing on the way has made needless.
  private static func seal(
    _ ledger: Ledger, _ session: Session, segmentsBefore: Int
  ) throws {
    let configuration = session.context.configuration
    let progress = session.progress("event")
    defer { progress.clear() }
    let segments = try ledger.statistics().segments
    let isLong =
      segments.last.map { active in
        segments.count > segmentsBefore || active.events > configuration.sealEvents
          || active.bytes > configuration.sealBytes
      } ?? false
    do throws(LedgerError) {
      try ledger.finishLoad(isLong: isLong) { progress.update($0) }
    } catch {
      // What was loaded is there, and a notice says that the segment stays open.
      guard error.isForWantOfSpace else { throw error }
      try ledger.finishLoad(isLong: false)
    }
  }
}

/// The files of one run.
private final class ApplyRun {
  let progress: Progress
  /// Why the run stopped; nil while it goes on.
  private(set) var stop: LedgerError?
  private let session: Session
  private let ledger: Ledger
  /// What only tries the lines; nil: they are appended.
  private let rehearsal: Rehearsal?
  private let continues: Bool
  private var total = Applier.Summary()
  private let start: Double

  private static let chunkBytes = 256 << 10

  init(_ session: Session, _ ledger: Ledger) throws(LedgerError) {
    self.session = session
    self.ledger = ledger
    rehearsal = session.isDryRun ? try Rehearsal(ledger) : nil
    continues = session.arguments.has("continue")
    progress = session.progress("line")
    start = session.context.monotonicSeconds()
  }

  /// Whether no line was bad.
  var isWhole: Bool { total.bad == 0 }

  /// Applies a stream to its end, or up to a line that stops the run: false.
  func apply(_ source: any InputSource, name: String) throws -> Bool {
    let applier = Applier(ledger, trying: rehearsal, continues: continues) { [self] in
      noteBad($0.under(name))
    }
    do {
      try pass(source, to: applier)
      add(try applier.finish())
    } catch {
      progress.clear()
      applier.finishUnderWay()
      add(applier.summary)
      let lines = NumberText.count(applier.summary.lines, "line")
      session.note("\(name): \(lines)\(rehearsal == nil ? "" : " would be") in before this error")
      throw error
    }
    guard var error = stop else { return true }
    error.sentence += "; \(areIn(applier.summary.lines, which: " before it"))"
    guard rehearsal == nil else {
      error.sentence += ", and what follows was not looked at"
      let goOn = "--continue looks at all lines"
      error.hint = error.hint.map { "\(goOn); \($0)" } ?? goOn
      stop = error
      return false
    }
    // First of all: who mends the file and applies it as a whole again repeats what is in.
    let place = (applier.summary.goesOnAt ?? error.line).map { "line \($0)" } ?? "there"
    let goOn =
      "mend the line and apply the stream from \(place) on, or leave out bad lines with --continue"
    error.hint = error.hint.map { "\(goOn); \($0)" } ?? goOn
    stop = error
    return false
  }

  /// "2 lines are in"
  private func areIn(_ lines: Int, which: String = "") -> String {
    let verb = rehearsal != nil ? "would be" : lines == 1 ? "is" : "are"
    return "\(NumberText.count(lines, "line"))\(which) \(verb) in"
  }

  private func pass(_ source: any InputSource, to applier: Applier) throws {
    var splitter = LineSplitter()
    while stop == nil {
      let chunk = try source.read(Self.chunkBytes)
      if chunk.isEmpty { splitter.finish() } else { splitter.append(chunk[...]) }
      try drain(&splitter, into: applier)
      progress.update(total.lines + applier.summary.lines)
      if chunk.isEmpty { return }
      // Whoever writes a slow stream need not wait for the next line to see the last one appended.
      if stop == nil, source.isWaiting() { try applier.flush() }
    }
  }

  private func drain(_ splitter: inout LineSplitter, into applier: Applier) throws {
    while stop == nil {
      let line: LineSplitter.Line?
      do throws(LedgerError) {
        line = try splitter.next()
      } catch {
        _ = try applier.addUnreadable(error)
        continue
      }
      guard let line else { return }
      _ = try applier.add(line)
    }
  }

  private func noteBad(_ error: LedgerError) {
    guard continues else {
      stop = stop ?? error
      return
    }
    progress.clear()
    ErrorReport.write(error, .damaged, isJSON: session.isJSON, to: session.errors)
  }

  private func add(_ summary: Applier.Summary) {
    total.lines += summary.lines
    total.events += summary.events
    total.unchanged += summary.unchanged
    total.dropped += summary.dropped
    total.bad += summary.bad
  }

  /// Says what is in, and thus synced; or would be.
  func writeSummary() throws(LedgerError) {
    let seconds = session.context.monotonicSeconds() - start
    progress.clear()
    if rehearsal == nil {
      session.noteAppended(total.events)
      if total.events > 0, !ledger.isAtItsPath {
        session.note(
          "the folder of the ledger was moved, deleted or replaced meanwhile: the events went with the one that was opened, and are not in \(ledger.path)"
        )
      }
    }
    let differences = try rehearsal?.differences()
    if session.isJSON {
      return session.out.json { json in
        json.add("dryRun", rehearsal != nil)
        json.add("lines", total.lines)
        json.add("events", total.events)
        json.add("unchangedLines", total.unchanged)
        json.add("droppedLines", total.dropped)
        json.add("badLines", total.bad)
        json.add("seconds", seconds, decimals: 6)
        guard let differences else { return }
        json.add("added", differences.added)
        json.add("gone", differences.gone)
        json.add("changed", differences.changed)
      }
    }
    let events = NumberText.count(total.events, "event")
    let unchanged = NumberText.grouped(total.unchanged)
    let dropped = total.dropped == 0 ? "" : "; \(NumberText.count(total.dropped, "line")) dropped"
    session.out.line("\(areIn(total.lines)): \(events), \(unchanged) unchanged\(dropped)")
    guard let differences else { return }
    session.out.line(
      "the tasks would differ: \(NumberText.grouped(differences.added)) added, "
        + "\(NumberText.grouped(differences.gone)) gone, \(NumberText.grouped(differences.changed)) changed"
    )
    let changing = differences.added + differences.gone + differences.changed
    if changing == 0, total.events > 0 {
      session.note("in the end all tasks would be as they are; nothing is changed")
    } else {
      session.noteDryRun(changing: changing)
    }
  }
}
