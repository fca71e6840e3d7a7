import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger compact`
enum CompactVerb: Verb {
  static let description = VerbDescription(
    "compact", "rewrite segments, so that there are fewer and smaller ones",
    usage: ["[--policy merge] [--dry-run]", "--policy fold --before MOMENT [--dry-run]"],
    options: [
      .init(
        "policy", "NAME", words: ["merge", "fold"],
        "how: merge, which is the default, or fold"),
      .init(
        "before", "MOMENT",
        "for fold: up to where the history is folded. A number is the last event that is; anything else a time such as 2026-11-30, or a day such as -1y: the longest part of the log in which no event is later"
      ),
      .dryRun,
    ],
    details: [
      "merge makes one segment of neighbouring ones, up to 2^20 events each, and compresses it as well as it goes. Nothing is lost: "
        + "every event, every moment and every digest stays as it is. Small segments also merge by themselves, at the "
        + "compression of everyday work.",
      "fold gives up history: of each task only what still counts of its events up to a horizon stays, with who set it and when, "
        + "and one baseline holds it. The tasks, every later event and every later moment stay as they are; moments before the "
        + "horizon, and commands with a time before it, are refused from then on. The log digest at the horizon is kept, so that "
        + "what follows can still be verified. A transaction is folded whole or not at all. There is no way back but a "
        + "backup. A short history can take more room folded than not: --dry-run says so where the events are sealed already, and the run in any case.",
      "Others can read and write meanwhile. What is written is read back and compared before the old files go; a file that "
        + "somebody still reads stays until a later sealing or compaction. Each run is on record: `ledger stats` "
        + "shows it. A run that was interrupted left the ledger whole; the next one goes on from there.",
    ],
    examples: [
      .init(
        "ledger compact --dry-run", "the plan: segments, events, bytes before and expected after"),
      .init("ledger compact", "does it, and says how many bytes were freed"),
      .init("ledger --json compact", "one object, for a program"),
      .init(
        "ledger compact --policy fold --before -1y --dry-run",
        "how much history would be folded, and how many bytes that would save"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let policy = try policy(session)
    if session.isDryRun {
      let plan = try session.openForReading().compactionPlan(policy)
      session.isJSON ? writeJSON(plan, nil, policy, session.out) : write(plan, session.out)
      return .done
    }
    let ledger = try session.openForWriting()
    let compaction = try session.showingProgress("event") { (progress) throws(LedgerError) in
      try ledger.compact(policy) { progress.update($0) }
    }
    if !compaction.plan.steps.isEmpty {
      session.noteDone(
        policy == .merge ? "the segments were merged" : "the history was folded",
        "`ledger stats` shows the run")
    }
    if session.isJSON {
      writeJSON(compaction.plan, compaction, policy, session.out)
    } else {
      write(compaction, session.out)
    }
    return .done
  }

  private static func policy(_ session: Session) throws(LedgerError) -> CompactionPolicy {
    let name = session.arguments.value("policy") ?? "merge"
    let before = try session.moment("before")
    if name.hasSameBytes(as: "merge") {
      guard before == nil else {
        throw LedgerError(
          .usage, "--before is given, and merge folds no history", hint: "add --policy fold")
      }
      return .merge
    }
    guard name.hasSameBytes(as: "fold") else {
      throw LedgerError(
        .usage, "--policy is \"\(name.shortened)\", expected one of merge, fold",
        hint: Suggestion.sentence(
          Suggestion.closest(to: name, among: ["merge", "fold"]).map { "--policy \($0)" },
          else: name.utf8.contains(0x2e) || name.utf8.contains(0x2f)
            ? "a file is a policy of `ledger maintain`"
            : "`ledger compact --help` explains the policies"))
    }
    guard let before else {
      throw LedgerError(
        .usage, "fold needs --before MOMENT",
        hint: "`ledger compact --help` says what a moment is; --dry-run shows what would be lost")
    }
    return .fold(before: before)
  }

  private static func write(_ plan: CompactionPlan, _ out: Output) {
    guard !plan.steps.isEmpty else { return writeNothing(plan, out) }
    for step in plan.steps { out.line("would \(text(step, plan, ""))") }
    out.line()
    if plan.segments > 0 { writeBefore(plan, out) }
    if let bytes = plan.expectedBytes {
      let more =
        bytes > plan.bytes ? ", \(NumberText.grouped(bytes - plan.bytes)) more than before" : ""
      out.line("expected  about \(NumberText.count(bytes, "byte"))\(more)")
    } else {
      out.line(
        "expected  the newest events are not sealed yet; the run does that first, and only then is known what still counts"
      )
    }
  }

  private static func write(_ compaction: Compaction, _ out: Output) {
    let plan = compaction.plan
    guard !plan.steps.isEmpty else { return writeNothing(plan, out) }
    for step in plan.steps { out.line(text(step, plan, "ed")) }
    out.line()
    writeBefore(plan, out)
    out.line("after     \(NumberText.count(compaction.bytes, "byte"))")
    let change = NumberText.count(compaction.freedBytes.magnitude, "byte")
    out.line(compaction.freedBytes < 0 ? "grown     \(change)" : "freed     \(change)")
    if compaction.heldBytes > 0 {
      out.line(
        "held      \(NumberText.count(compaction.heldBytes, "byte")) of old segments, which somebody still reads"
      )
    }
  }

  private static func writeNothing(_ plan: CompactionPlan, _ out: Output) {
    let count = NumberText.count(plan.untouchedSegments, "sealed segment")
    switch plan.untouchedSegments {
    case 0: out.line("nothing to do")
    case 1: out.line("nothing to do: \(count) stays as it is")
    default: out.line("nothing to do: \(count) stay as they are")
    }
  }

  private static func writeBefore(_ plan: CompactionPlan, _ out: Output) {
    let segments = NumberText.count(plan.segments, "segment")
    out.line("before    \(NumberText.count(plan.bytes, "byte")) in \(segments)")
  }

  /// - Parameter ending: "" before it is done, "ed" after that.
  private static func text(
    _ step: CompactionPlan.Step, _ plan: CompactionPlan, _ ending: String
  ) -> String {
    let segments = NumberText.count(step.segments, "segment")
    if let horizon = plan.horizon {
      let events = NumberText.count(step.events, "event")
      let kept =
        step.keptEvents.map {
          ": of the first \(NumberText.count(horizon, "event")) \(NumberText.grouped($0)) still \($0 == 1 ? "counts, and stays" : "count, and stay")"
        } ?? ""
      return "fold\(ending) \(events), up to event \(horizon)\(kept)"
    }
    let verb = step.segments == 1 ? "recompress\(ending)" : "merge\(ending.dropFirst())"
    let into = step.segments == 1 ? "" : " into 1"
    let events =
      step.firstSequence == step.lastSequence
      ? "event \(step.firstSequence)" : "events \(step.firstSequence) to \(step.lastSequence)"
    return "\(verb) \(segments)\(into): \(events)"
  }

  /// - Parameter compaction: what came of it; nil for a plan alone.
  private static func writeJSON(
    _ plan: CompactionPlan, _ compaction: Compaction?, _ policy: CompactionPolicy, _ out: Output
  ) {
    out.json { json in
      json.add("policy", policy == .merge ? "merge" : "fold")
      json.add("dryRun", compaction == nil)
      if let horizon = plan.horizon { json.add("foldedThrough", horizon) }
      json.add("segments", plan.segments)
      json.add("untouchedSegments", plan.untouchedSegments)
      json.add("events", plan.events)
      json.add("bytes", plan.bytes)
      if let bytes = plan.expectedBytes { json.add("expectedBytes", bytes) }
      if let compaction {
        json.add("bytesAfter", compaction.bytes)
        json.add("freedBytes", compaction.freedBytes)
        json.add("heldBytes", compaction.heldBytes)
      }
      json.addObjects("steps", plan.steps) { json, step in
        json.add("firstSequence", step.firstSequence)
        json.add("lastSequence", step.lastSequence)
        json.add("segments", step.segments)
        json.add("events", step.events)
        if let kept = step.keptEvents { json.add("keptEvents", kept) }
        json.add("bytes", step.bytes)
        if let bytes = step.expectedBytes { json.add("expectedBytes", bytes) }
      }
    }
  }
}
