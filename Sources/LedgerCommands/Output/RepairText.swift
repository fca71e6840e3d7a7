import LedgerCore
import LedgerFormat
import LedgerStorage
import TaskLedger

/// What a repair did, or would do, for the eye.
enum RepairText {
  /// - Parameter path: where the ledger is.
  static func write(
    _ repair: Repair, _ isDryRun: Bool, of path: String, _ out: Output
  ) {
    for error in repair.leftAlone {
      out.line(out.shown("left alone: \(error.message)"))
      if let hint = error.hint { out.line(out.shown("  hint     \(hint)")) }
    }
    guard !repair.steps.isEmpty else {
      let all = repair.leftAlone.isEmpty ? "" : "but for these files "
      return out.line("nothing to do: \(all)the ledger is sound")
    }
    for step in repair.steps {
      out.line(out.shown("\(isDryRun ? "would " : "")\(action(step, isDryRun ? "" : "d"))"))
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
    for line in tasksLines(repair, isDryRun, of: path) { out.line(out.shown(line)) }
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
    if !repair.lostBefore.isEmpty {
      let verb = isDryRun ? "would stay" : repair.lostBefore.count == 1 ? "stays" : "stay"
      let lost = LossText.events(repair.lostBefore)
      out.line(
        "\(lost.prefix(1).uppercased())\(lost.dropFirst()) \(verb) lost, as was put on record before."
      )
    }
    for line in wayBack(repair, isDryRun, of: path) { out.line(out.shown(line)) }
  }

  /// How many tasks vanish, where a snapshot tells of them, and how they come back: each command on a line of its own.
  private static func tasksLines(
    _ repair: Repair, _ isDryRun: Bool, of path: String
  ) -> [String] {
    guard let left = repair.tasks else { return [] }
    let verb = isDryRun ? "would be" : left == 1 ? "is" : "are"
    let start = "\(NumberText.count(left, "task")) \(verb) left"
    guard let step = repair.steps.last(where: { $0.tasks != nil }), let known = step.tasks else {
      return [start + "."]
    }
    let text =
      "\(start); the newest snapshot of before, which is kept, has \(NumberText.grouped(known))"
      + (left < known ? "." : ", perhaps with other values.")
    guard !isDryRun else {
      return [
        text + " How to bring these back is said after the repair."
          + " Keep what `ledger --json list --deleted` prints first, where it still does."
      ]
    }
    guard let aside = step.aside else { return [text] }
    let prints = "ledger replay --snapshot \("\(path)/\(aside)".shellWord) --tasks"
    let transaction =
      "\(Limits.transactionEventsMax) tasks or \(Limits.transactionBytesMax >> 20) MiB"
    return [
      text + " This prints them:",
      "  \(prints)",
      "This sets every field that they have to what it was then, changed since or not; more than \(transaction) in several parts:",
      "  \(prints) | ledger --ledger \(path.shellWord) upsert -",
      "A field that one of them lacks is not unset: where it is set in the events that are left, it stays.",
    ]
  }

  /// How lost events come back.
  private static func wayBack(_ repair: Repair, _ isDryRun: Bool, of path: String) -> [String] {
    guard !repair.lost.isEmpty || repair.uncertainAfter != nil else { return [] }
    let them = repair.lostEvents == 1 ? "It comes" : "They come"
    let folder = "\(path)/\(LedgerNames.segments)"
    guard isDryRun else {
      return [
        "\(them) back where a whole copy of the file is found, or a backup has one that holds \(repair.lostEvents == 1 ? "it" : "them"): put it into \(folder), and run",
        "  ledger --ledger \(path.shellWord) repair",
      ]
    }
    return [
      "\(them) back where a backup has \(repair.lostEvents == 1 ? "it" : "them"): copy a file of the same name from its folder \(LedgerNames.segments) to \(folder) before the repair, one of another name after it, and repair again."
    ]
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
      let none = repair.lostBefore.isEmpty ? "No event" : "No other event"
      return repair.uncertainAfter == nil
        ? "\(none) \(isDryRun ? "would be" : "is") lost."
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
      "\(what.prefix(1).uppercased())\(what.dropFirst()) \(verb) lost"
        + (unknown ? "; nobody can tell which numbers." : "."), .yellow)
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
}

/// The same for programs: an object for each part, then one for the whole.
enum RepairJSON {
  static func write(_ repair: Repair, _ isDryRun: Bool, _ out: Output) {
    for step in repair.steps {
      out.json { json in
        json.add("part", word(step.part))
        json.add("file", step.file)
        json.add("problem", step.problem)
        if case .manifest(let source?) = step.part { json.add("source", source) }
        if let kept = step.keptEvents { json.add("keptEvents", kept) }
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
      if !repair.lostBefore.isEmpty { json.addRanges("lostBefore", repair.lostBefore) }
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
