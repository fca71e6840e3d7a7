import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger repair`
enum RepairVerb: Verb {
  static let description = VerbDescription(
    "repair", "save what is intact of a damaged ledger",
    usage: ["[--dry-run]"],
    options: [.flag("dry-run", "print what would be done, and change nothing")],
    details: [
      "Does what `ledger verify` shows to be needed, and nothing on a sound ledger. What is intact of a damaged segment goes into "
        + "a new one, and every event keeps its sequence number; the tasks are what the events that are left add up to. "
        + "A segment is found under another name, too, and where it was lost and is back, its events take their place again. "
        + "A CURRENT or manifest that is missing, broken or out of date is made anew from the newest manifest that fits the files, or "
        + "from the segments themselves: what is missing between them is named, and they are a new replica's where they may be a "
        + "backup's. A backup under an older copy of it gets its newer list back. Where two lists of files with different events "
        + "lie in the folder, because a copy was put back over a newer ledger, the longer one counts; what was acknowledged on the "
        + "other is named, its files are kept, and the exit code is 65. What stands in the place of a file is moved "
        + "aside. Snapshots of lost events are no longer used, and kept; the plan says how many tasks they hold and how many are left, and "
        + "`ledger replay --snapshot FILE --tasks` prints them.",
      "The broken bytes are kept in the folder `aside` of the ledger. What was done is on record, with what was lost, the digest "
        + "of the broken bytes and where they are: `ledger stats` shows it. From then on `ledger verify` and every verb that reads say "
        + "which events were lost. Where nobody can tell how many were lost at the end, the ledger goes on as a new replica.",
      "Where a backup has more, restore that instead. A file that the system does not let be read is not repaired: whether it is lost "
        + "cannot be told. A repair that was interrupted left the ledger as damaged as before, or repaired; run it again.",
    ],
    examples: [
      .init("ledger repair --dry-run", "what is wrong, what can be saved, and what is lost"),
      .init("ledger repair", "does that"),
      .init("ledger --json repair", "an object for each part, then one for the whole"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let isDryRun = session.arguments.has("dry-run")
    let location = try LedgerLocation.find(session.globals, session.context)
    let configuration = session.context.configuration
    let progress = session.progress("event")
    let repair: Repair
    do throws(LedgerError) {
      repair =
        isDryRun
        ? try Ledger.repairPlan(at: location.path, configuration: configuration) {
          progress.update($0)
        }
        : try Ledger.repair(at: location.path, configuration: configuration) {
          progress.update($0)
        }
      progress.clear()
    } catch {
      progress.clear()
      throw location.explain(error)
    }
    if !isDryRun, !repair.steps.isEmpty {
      session.noteDone("the ledger was repaired", "`ledger stats` shows what was done")
    }
    if session.isJSON {
      writeJSON(repair, isDryRun, session.out)
    } else {
      write(repair, isDryRun, of: location.path, session.out)
    }
    if repair.droppedEvents > 0 { throw dropping(repair, isDryRun, path: location.path) }
    return .done
  }

  private static func write(
    _ repair: Repair, _ isDryRun: Bool, of path: String, _ out: Output
  ) {
    guard !repair.steps.isEmpty else { return out.line("nothing to do: the ledger is sound") }
    for step in repair.steps {
      out.line("\(isDryRun ? "would " : "")\(action(step, isDryRun ? "" : "d"))")
      out.line("  problem  \(out.shown(step.problem))")
      if let file = step.foundIn { out.line("  found in \(out.shown(file))") }
      if let tasks = step.tasks { out.line("  tasks    \(NumberText.grouped(tasks)) in its state") }
      if let kept = step.keptEvents { out.line("  saved    \(NumberText.count(kept, "event"))") }
      if !step.returned.isEmpty { out.line("  restored \(LossText.events(step.returned))") }
      if step.isOfFolded {
        out.line("  lost     \(LossText.folded(step))")
      } else if !step.lost.isEmpty {
        out.line("  lost     \(LossText.events(step.lost))")
      }
      if !step.dropped.isEmpty {
        out.line("  dropped  \(LossText.events(step.dropped)), acknowledged")
      }
      if !step.unproven.isEmpty {
        out.line("  unsure   \(LossText.events(step.unproven)), perhaps acknowledged")
      }
      if let last = step.uncertainAfter {
        out.line("  lost     perhaps events after \(last), of which nobody knows")
      }
      if let aside = step.aside { out.line("  kept in  \(out.shown(aside))") }
    }
    out.line()
    if let text = tasksText(repair, isDryRun, of: path) { out.line(out.shown(text)) }
    if repair.isNewReplica {
      out.line(
        "The ledger \(isDryRun ? "would go" : "goes") on as a new replica: it may be a backup whose list of files is lost."
      )
    }
    let returned = repair.returned.count
    if returned > 0 {
      let verb = isDryRun ? "would be" : returned == 1 ? "is" : "are"
      out.line("\(NumberText.count(returned, "event")) \(verb) part of the ledger again.")
    }
    out.line(verdict(repair, isDryRun, out))
  }

  /// How many tasks vanish, where a snapshot tells of them.
  private static func tasksText(_ repair: Repair, _ isDryRun: Bool, of path: String) -> String? {
    guard let left = repair.tasks else { return nil }
    let verb = isDryRun ? "would be" : left == 1 ? "is" : "are"
    let start = "\(NumberText.count(left, "task")) \(verb) left"
    guard let step = repair.steps.last(where: { $0.tasks != nil }), let known = step.tasks else {
      return start + "."
    }
    let text =
      "\(start); the newest snapshot of before, which is kept, has \(NumberText.grouped(known))."
    guard left < known else { return text }
    guard !isDryRun else {
      return text + " How to bring these back is said after the repair."
        + " Keep what `ledger --json list --deleted` prints first, where it still does."
    }
    guard let aside = step.aside else { return text }
    let prints = "ledger replay --snapshot \(path)/\(aside) --tasks"
    let transaction =
      "\(Limits.transactionEventsMax) tasks or \(Limits.transactionBytesMax >> 20) MiB"
    return text + " `\(prints)` prints them, and "
      + "`\(prints) | ledger --ledger \(path) upsert -` brings them back as they were then, fields that were changed since, too; "
      + "more than \(transaction) in several parts."
  }

  private static func verdict(_ repair: Repair, _ isDryRun: Bool, _ out: Output) -> String {
    guard !repair.lost.isEmpty else {
      if repair.droppedEvents > 0 {
        return "No other event \(isDryRun ? "would be" : "is") lost."
      }
      if repair.steps.contains(where: { !$0.unproven.isEmpty }) {
        return out.styled(
          "No event that is known to have been acknowledged \(isDryRun ? "would be" : "is") lost.",
          .yellow)
      }
      return repair.uncertainAfter == nil
        ? "No event \(isDryRun ? "would be" : "is") lost."
        : out.styled("Whether events are lost at the end cannot be told.", .yellow)
    }
    let folded = repair.steps.first { $0.isOfFolded }
    let count = repair.steps.filter { !$0.isOfFolded }
      .reduce(into: SequenceRanges()) { $0.formUnion($1.lost) }.count
    let numbered = count == 0 ? nil : NumberText.count(count, "event")
    let what = [folded.map(LossText.folded), numbered].compactMap { $0 }.joined(separator: ", and ")
    // "What still counted" is one thing, however many events that were.
    let isOne =
      if let folded {
        count == 0
          && (folded.keptEvents == 0 || folded.countedEvents == nil || folded.lostEvents == 1)
      } else {
        count == 1
      }
    let verb = isDryRun ? "would be" : isOne ? "is" : "are"
    let unknown = folded.map { $0.keptEvents != 0 } ?? false
    return out.styled(
      "\(what.prefix(1).uppercased())\(what.dropFirst()) \(verb) lost for good"
        + (unknown ? "; nobody can tell which numbers." : "."), .yellow)
  }

  /// What was acknowledged is never dropped in silence.
  private static func dropping(_ repair: Repair, _ isDryRun: Bool, path: String) -> LedgerError {
    let count = repair.droppedEvents
    let verb = isDryRun ? "would not be" : count == 1 ? "is not" : "are not"
    return LedgerError(
      .damaged,
      "\(NumberText.count(count, "event")) that had been acknowledged \(verb) part of the ledger any more: \(repair.dropped.text()), of another list of files",
      path: path,
      hint: isDryRun
        ? "copy the folder first: a copy of it can be repaired in another way"
        : "their files are kept in the folder aside, as `ledger stats` shows; make these changes again"
    )
  }

  /// - Parameter ending: "" before it is done, "d" after that.
  private static func action(_ step: Repair.Step, _ ending: String) -> String {
    switch step.part {
    case .lock: "replace\(ending) \(step.file)"
    case .manifest(let source):
      "restore\(ending) the list of files, from \(source ?? "the segments themselves")"
    case .dropped: "set aside \(step.file)"
    case .segment: "replace\(ending) \(step.file)"
    case .returned: "\(ending.isEmpty ? "take" : "took") back \(step.file)"
    case .snapshot: "discontinue\(ending) \(step.file)"
    case .aside: "note\(ending) the loss of \(step.file)"
    case .unnamed:
      step.aside?.hasSameBytes(as: step.file) == true
        ? "note\(ending) \(step.file)" : "move\(ending) \(step.file) aside"
    }
  }

  private static func writeJSON(_ repair: Repair, _ isDryRun: Bool, _ out: Output) {
    for step in repair.steps {
      out.json { json in
        json.add("part", word(step.part))
        json.add("file", step.file)
        json.add("problem", step.problem)
        if case .manifest(let source?) = step.part { json.add("from", source) }
        if let kept = step.keptEvents { json.add("kept", kept) }
        if step.part == .dropped { json.addRanges("dropped", step.dropped) }
        if step.part == .segment || !step.lost.isEmpty { json.addRanges("lost", step.lost) }
        if step.part == .returned { json.addRanges("returned", step.returned) }
        if step.isOfFolded {
          json.add("ofFolded", true)
          if let count = step.countedEvents { json.add("countedEvents", count) }
          if let count = step.lostEvents { json.add("lostEvents", count) }
        }
        if !step.unproven.isEmpty { json.addRanges("unproven", step.unproven) }
        if let last = step.uncertainAfter { json.add("uncertainAfter", last) }
        if let file = step.foundIn { json.add("foundIn", file) }
        if let tasks = step.tasks { json.add("tasks", tasks) }
        guard let aside = step.aside else { return }
        json.add("aside", aside)
        json.add("bytes", step.bytes)
        if let digest = step.digest { json.add("sha256", digest) }
      }
    }
    out.json { json in
      json.add("dryRun", isDryRun)
      json.add("parts", repair.steps.count)
      if let count = repair.lostEvents { json.add("lostEvents", count) }
      json.addRanges("lost", repair.lost)
      if !repair.returned.isEmpty { json.addRanges("returned", repair.returned) }
      if let folded = repair.steps.first(where: \.isOfFolded) {
        json.addRanges("lostOfFolded", folded.lost)
      }
      if repair.droppedEvents > 0 {
        json.add("droppedEvents", repair.droppedEvents)
        json.addRanges("dropped", repair.dropped)
        json.add("acknowledged", true)
      }
      if let last = repair.uncertainAfter { json.add("uncertainAfter", last) }
      if repair.isNewReplica { json.add("newReplica", true) }
      if let tasks = repair.tasks { json.add("tasks", tasks) }
    }
  }

  private static func word(_ part: Repair.Part) -> String {
    switch part {
    case .lock: "lock"
    case .manifest: "manifest"
    case .dropped: "dropped"
    case .segment: "segment"
    case .returned: "returned"
    case .snapshot: "snapshot"
    case .aside: "aside"
    case .unnamed: "unnamed"
    }
  }
}
