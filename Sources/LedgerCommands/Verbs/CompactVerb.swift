import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger compact`
enum CompactVerb: Verb {
  static let description = VerbDescription(
    "compact", "rewrite segments, so that there are fewer and smaller ones",
    usage: ["[--policy merge] [--dry-run]"],
    options: [
      .init("policy", "NAME", "how: merge, which is what is done where nothing is said"),
      .flag("dry-run", "print what would be done, and change nothing"),
    ],
    details: [
      "merge makes one segment of neighbouring ones, up to 2^20 events each, and compresses it as well as it goes. Nothing is lost: "
        + "every event, every moment and every digest stays as it is. Small segments also merge by themselves, at the "
        + "compression of everyday work.",
      "Others can read and write meanwhile. What is written is read back and compared before the old files go; a file that "
        + "somebody still reads stays until a later sealing or compaction. Each run is on record: `ledger stats` "
        + "shows it. A run that was interrupted left the ledger whole; the next one goes on from there.",
    ],
    examples: [
      .init(
        "ledger compact --dry-run", "the plan: segments, events, bytes before and expected after"),
      .init("ledger compact", "does it, and says how many bytes were freed"),
      .init("ledger --json compact", "one object, for a program"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let policy = try policy(session.arguments)
    if session.arguments.has("dry-run") {
      let plan = try session.openForReading().compactionPlan(policy)
      session.isJSON ? writeJSON(plan, nil, session.out) : write(plan, session.out)
      return .done
    }
    let ledger = try session.openForWriting()
    let progress = session.progress("event")
    let compaction: Compaction
    do throws(LedgerError) {
      compaction = try ledger.compact(policy) { progress.update($0) }
      progress.clear()
    } catch {
      progress.clear()
      throw error
    }
    if session.isJSON {
      writeJSON(compaction.plan, compaction, session.out)
    } else {
      write(compaction, session.out)
    }
    return .done
  }

  private static func policy(_ arguments: Arguments) throws(LedgerError) -> CompactionPolicy {
    guard let name = arguments.value("policy") else { return .merge }
    guard name.hasSameBytes(as: "merge") else {
      throw LedgerError(
        .usage, "there is no policy \"\(name)\"",
        hint: Suggestion.sentence(
          Suggestion.closest(to: name, among: ["merge"]).map { "--policy \($0)" },
          else: "`ledger compact --help` explains the policies"))
    }
    return .merge
  }

  private static func write(_ plan: CompactionPlan, _ out: Output) {
    guard !plan.steps.isEmpty else { return writeNothing(plan, out) }
    for step in plan.steps {
      let expected = NumberText.count(step.expectedBytes, "byte")
      let verb = step.segments == 1 ? "recompress" : "merge"
      out.line("would \(verb) \(text(step)), expected to become \(expected)")
    }
    out.line()
    writeBefore(plan, out)
    out.line("expected  about \(size(plan.expectedBytes, segments: plan.steps.count))")
  }

  private static func write(_ compaction: Compaction, _ out: Output) {
    let plan = compaction.plan
    guard !plan.steps.isEmpty else { return writeNothing(plan, out) }
    for step in plan.steps {
      out.line("\(step.segments == 1 ? "recompressed" : "merged") \(text(step))")
    }
    out.line()
    writeBefore(plan, out)
    out.line("after     \(size(compaction.bytes, segments: plan.steps.count))")
    out.line("freed     \(NumberText.count(compaction.freedBytes, "byte"))")
    if compaction.heldBytes > 0 {
      out.line(
        "held      \(NumberText.count(compaction.heldBytes, "byte")) of old segments, which somebody still reads"
      )
    }
  }

  private static func writeNothing(_ plan: CompactionPlan, _ out: Output) {
    let count = NumberText.count(plan.untouchedSegments, "sealed segment")
    switch plan.untouchedSegments {
    case 0: out.line("nothing to do: no segment is sealed yet")
    case 1: out.line("nothing to do: \(count) stays as it is")
    default: out.line("nothing to do: \(count) stay as they are")
    }
  }

  private static func writeBefore(_ plan: CompactionPlan, _ out: Output) {
    out.line("before    \(size(plan.bytes, segments: plan.segments))")
  }

  private static func text(_ step: CompactionPlan.Step) -> String {
    let events =
      step.events == 1
      ? "event \(step.firstSequence)" : "events \(step.firstSequence) to \(step.lastSequence)"
    return "\(size(step.bytes, segments: step.segments)), \(events)"
  }

  private static func size(_ bytes: UInt64, segments: Int) -> String {
    "\(NumberText.count(bytes, "byte")) in \(NumberText.count(segments, "segment"))"
  }

  /// - Parameter compaction: what came of it; nil for a plan alone.
  private static func writeJSON(
    _ plan: CompactionPlan, _ compaction: Compaction?, _ out: Output
  ) {
    out.json { json in
      json.add("policy", "merge")
      json.add("dryRun", compaction == nil)
      json.add("segments", plan.segments)
      json.add("into", plan.steps.count)
      json.add("untouched", plan.untouchedSegments)
      json.add("events", plan.events)
      json.add("bytes", plan.bytes)
      json.add("expectedBytes", plan.expectedBytes)
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
        json.add("bytes", step.bytes)
        json.add("expectedBytes", step.expectedBytes)
      }
    }
  }
}
