import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger maintain`
enum MaintainVerb: Verb {
  private static let defaults = MaintenancePolicy()

  static let description = VerbDescription(
    "maintain", "do what is due: seal, verify a share, snapshot, merge, remove",
    usage: ["[--policy FILE] [--dry-run]"],
    options: [
      .init(
        "policy", "FILE",
        "what is due when, - for standard input; else the file POLICY in the ledger's folder"),
      .flag("dry-run", "print what is due, and change nothing"),
    ],
    details: [
      "It is meant for a schedule, such as once an hour, and can be run at any time and by several schedules at once: all but the first "
        + "say that maintenance is under way elsewhere, and are done. Others can read and write meanwhile. tools/schedule in "
        + "the sources has a systemd timer, a launchd agent and a cron line.",
      "Damage that is found ends the run with exit code 65, before anything is rewritten or removed: `ledger verify` then says what is "
        + "intact. A job that fails, as on a full disk, or where something else stands in the place of the snapshots, is marked "
        + "so; the others are done all the same, and the exit code is 74. A job that another process is at is left to the next "
        + "run, with exit code 0.",
      "A policy is a text in UTF-8: one key = value a line; empty lines and lines that begin with # say nothing. A key that is not there "
        + "has its default, one that nobody knows is refused with its line and exit code 64, before anything is done. The keys:",
      "seal-events = \(defaults.sealEvents): the newest segment is closed and sealed when it holds as many events; 0: only when it is "
        + "full.",
      "verify-percent = \(defaults.verifyPercent): in each run at least so many percent of the bytes of the sealed segments are read "
        + "and checked, those first that were read longest ago; 0: none, 100: all.",
      "snapshot-events = \(defaults.snapshotEvents): a snapshot is made when as many events were sealed since the last one, and "
        + "at least half as many as that one holds; 0: never.",
      "merge-segments = \(defaults.mergeSegments): `ledger compact` is done when it would rewrite as many segments; 0: never.",
      "remove-unneeded = \(defaults.removesUnneeded ? "yes" : "no"): files are removed that neither the ledger nor a reader needs, "
        + "old snapshots among them; or no.",
    ],
    examples: [
      .init("ledger maintain", "does what is due, a line for each job"),
      .init("ledger maintain --dry-run", "says what is due"),
      .init("ledger --json maintain --policy nightly.policy", "one object, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let isDryRun = session.arguments.has("dry-run")
    let ledger = isDryRun ? try session.openForReading() : try session.openForWriting()
    let policy = try session.arguments.value("policy").map { try read($0, session) }
    let bytes = session.progress("byte")
    let events = session.progress("event")
    defer {
      bytes.clear()
      events.clear()
    }
    let report = try ledger.maintain(policy, isDryRun: isDryRun) { job, count in
      job == .verify ? bytes.update(count) : events.update(count)
    }
    bytes.clear()
    events.clear()
    if report?.steps.contains(where: { $0.outcome == .done }) == true {
      session.noteDone(
        "what was due is done", "`ledger maintain --dry-run` shows what is due now")
    }
    session.isJSON
      ? writeJSON(report, isDryRun: isDryRun, session.out) : write(report, session.out)
    for step in report?.steps ?? [] {
      if let problem = step.problem { session.note("\(step.job.rawValue): \(problem)") }
    }
    if let error = report.flatMap(error) { throw error }
    return .done
  }

  /// The error with which the command ends; nil where every job that was due is done. Damage outweighs a job that failed.
  private static func error(_ report: MaintenanceReport) -> LedgerError? {
    if var damage = report.damage {
      let isOfShare = report.steps.contains { $0.job == .verify && $0.outcome == .damaged }
      damage.hint =
        "\(isOfShare ? "nothing was rewritten or removed" : "the jobs behind it were left out"); run `ledger verify` to see what is intact"
      return damage
    }
    guard let failure = report.failure else { return nil }
    let jobs = report.steps.filter { $0.outcome == .failed }.map(\.job.rawValue)
    let others = jobs.count < report.steps.count ? ", and the others are done" : ""
    return LedgerError(
      .io,
      "the \(jobs.count == 1 ? "job" : "jobs") \(jobs.joined(separator: ", ")) failed\(others)",
      hint: failure.hint ?? "the next run does what is left", systemError: failure.systemError)
  }

  private static func read(
    _ path: String, _ session: Session
  ) throws(LedgerError) -> MaintenancePolicy {
    guard !path.isEmpty else { throw LedgerError(.usage, "--policy is empty, expected a path") }
    let isStandardInput = path == "-"
    let path = try isStandardInput ? "standard input" : session.context.resolve(path)
    let source =
      isStandardInput
      ? session.context.input : try DescriptorSource(path: path, of: "the policy")
    var text: [UInt8] = []
    while text.count <= MaintenancePolicy.bytesMax {
      let part = try source.read(MaintenancePolicy.bytesMax + 1 - text.count)
      if part.isEmpty { break }
      text += part
    }
    return try MaintenancePolicy(parsing: text, path: path)
  }

  private static func write(_ report: MaintenanceReport?, _ out: Output) {
    guard let report else {
      return out.line("maintenance is under way elsewhere: nothing was done")
    }
    for step in report.steps {
      let word = padded(word(step.outcome))
      let shown =
        switch step.outcome {
        case .done: out.styled(word, .green)
        case .damaged, .failed: out.styled(word, .red, .bold)
        case .due, .busy: out.styled(word, .yellow)
        case .notDue, .off, .leftOut: out.styled(word, .dim)
        }
      let amount = amount(step)
      out.line(
        "\(shown)  \(amount.isEmpty ? step.job.rawValue : padded(step.job.rawValue) + "  " + amount)"
      )
    }
  }

  /// As wide as the longest job and the longest outcome.
  private static func padded(_ text: String) -> String {
    text + String(repeating: " ", count: max(0, 8 - text.utf8.count))
  }

  private static func word(_ outcome: MaintenanceReport.Outcome) -> String {
    switch outcome {
    case .notDue: "not due"
    case .leftOut: "left out"
    case .done, .due, .off, .busy, .damaged, .failed: outcome.rawValue
    }
  }

  private static func amount(_ step: MaintenanceReport.Step) -> String {
    let isWaiting = step.outcome == .notDue
    func of(_ count: some BinaryInteger, _ noun: String) -> String {
      isWaiting
        ? "\(NumberText.grouped(count)) of \(NumberText.count(step.threshold, noun))"
        : NumberText.count(count, noun)
    }
    switch (step.job, step.outcome) {
    case (_, .off), (_, .leftOut), (_, .busy), (_, .failed): return ""
    case (.verify, .notDue): return "no sealed segment"
    case (.remove, .notDue): return "no file"
    case (.seal, _): return of(step.events, "event")
    case (.verify, _):
      let segments = NumberText.count(step.threshold, "sealed segment")
      let sound = step.outcome == .due ? "" : " sound"
      return "\(step.files) of \(segments)\(sound), \(NumberText.count(step.bytes, "byte"))"
    case (.snapshot, _): return of(step.events, "event") + " since the last"
    case (.merge, _): return of(step.files, "segment")
    case (.remove, _): return NumberText.count(step.files, "file")
    }
  }

  private static func writeJSON(
    _ report: MaintenanceReport?, isDryRun: Bool, _ out: Output
  ) {
    out.json { json in
      json.add("dryRun", isDryRun)
      json.add("underWayElsewhere", report == nil)
      json.add("damaged", report?.damage != nil)
      json.addObjects("jobs", report?.steps ?? []) { json, step in
        json.add("job", step.job.rawValue)
        json.add("outcome", step.outcome.rawValue)
        json.add("events", step.events)
        json.add("files", step.files)
        json.add("bytes", step.bytes)
        json.add("threshold", step.threshold)
        if let problem = step.problem { json.add("problem", problem) }
      }
    }
  }
}
