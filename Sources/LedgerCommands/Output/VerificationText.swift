import LedgerCore
import LedgerFormat
import TaskLedger

/// A verification for the eye.
enum VerificationText {
  static func write(_ found: Verification, _ out: Output) {
    for file in found.files { write(file, out) }
    out.line()
    if let earlier = found.earlier {
      out.line(
        "before        events 1 to \(earlier.through) were verified in the run that began at \(earlier.time)"
      )
    }
    out.line("events        \(NumberText.grouped(found.events)) as they were written")
    writeFolded(found, out)
    writeEvents(found, out)
    if let tasks = found.tasks { out.line("tasks         \(NumberText.grouped(tasks))") }
    if let digest = found.digest { out.line("state digest  \(digest)") }
    if let digest = found.logDigest { out.line("log digest    \(digest)") }
    writeVerdict(found, out)
  }

  private static func writeFolded(_ found: Verification, _ out: Output) {
    let loss = found.foldedLoss
    guard let events = found.folded.isEmpty ? loss?.events : found.folded else { return }
    let what =
      switch loss?.isComplete {
      case true: "what still counted was lost, as a repair recorded"
      case false: "some of what still counted was lost, as a repair recorded"
      case nil: "what still counts is as it was written"
      }
    out.line("folded        \(LossText.events(events)): \(what)")
  }

  /// Which events are intact, lost or in doubt, where that is not all of them.
  private static func writeEvents(_ found: Verification, _ out: Output) {
    if !found.isSound {
      out.line("intact        \(found.intact.isEmpty ? "none" : LossText.events(found.intact))")
    }
    if !found.lost.isEmpty { out.line("lost          \(LossText.events(found.lost))") }
    if !found.doubtful.isEmpty { out.line("doubtful      \(text(doubtful: found.doubtful))") }
    let before = found.lostBefore.without(found.foldedLoss?.events ?? SequenceRanges())
    if let text = LossText.recorded(before) { out.line("lost before   \(text)") }
    if let last = found.uncertainAfter {
      let which = last == 0 ? "events" : "events after \(last)"
      out.line("uncertain     whether there were \(which) that are lost")
    }
  }

  private static func text(doubtful: SequenceRanges) -> String {
    doubtful.ranges.last.map { $0.upperBound >= UInt64(Int64.max) - 1 } ?? false
      ? "every event: nothing says which files are the ledger" : LossText.events(doubtful)
  }

  private static func writeVerdict(_ found: Verification, _ out: Output) {
    guard found.isSound else {
      let isDamaged = found.files.contains { $0.fault != nil }
      let what = isDamaged ? "is damaged" : "cannot be read in full"
      return out.line(out.styled("The ledger \(what).", .red, .bold))
    }
    if let last = found.stoppedAfter {
      return out.line(
        out.styled(
          "The ledger is sound up to event \(last); `ledger verify --resume` goes on from there.",
          .green))
    }
    let torn = found.hasTornTail ? " but for a torn tail, which the next change moves aside" : ""
    let hasLoss = !found.lostBefore.isEmpty || found.uncertainAfter != nil
    let loss = hasLoss ? " but for what was lost before" : ""
    out.line(out.styled("The ledger is sound\(torn)\(loss).", .green))
  }

  private static func padded(_ word: String) -> String {
    word + String(repeating: " ", count: max(0, 8 - word.utf8.count))
  }

  private static func write(_ file: Verification.File, _ out: Output) {
    let events =
      file.sequences.map {
        ", \(LossText.events(SequenceRanges($0)))"
      } ?? ""
    let name = out.shown(file.name)
    let what = "\(name)  \(NumberText.count(file.bytes, "byte"))\(events)"
    func line(_ word: String, _ text: String, problem: String? = nil) {
      out.line("\(word)  \(text)")
      if let problem { out.line("          \(out.shown(problem))") }
    }
    func good(_ word: String) -> String { out.styled(padded(word), .green) }
    func odd(_ word: String) -> String { out.styled(padded(word), .yellow) }
    func bad(_ word: String) -> String { out.styled(padded(word), .red, .bold) }
    switch file.status {
    case .sound: line(good("sound"), what)
    case .absent: line(odd("absent"), "\(name)  whoever needs it makes it")
    case .unlisted:
      let held = file.sequences.map { LossText.events(SequenceRanges($0)) } ?? "events"
      guard file.returned.isEmpty else {
        let events = LossText.events(file.returned)
        line(
          odd("unlisted"),
          "\(name)  it holds \(events), counted as lost: `ledger repair` takes them back")
        break
      }
      line(odd("unlisted"), "\(name)  it holds \(held) that the list of files lacks")
    case .unneeded: line(out.styled("unneeded", .dim), "\(name)  nothing names it")
    case .foreign: line(odd("foreign"), "\(name)  it is no file of a ledger")
    case .leftOut(let error): line(odd("left out"), what, problem: error.message)
    case .tornTail(let bytes, let offset):
      let tail = "a torn tail of \(NumberText.count(bytes, "byte")) at byte \(offset)"
      line(odd("torn"), what, problem: tail)
    case .damaged(let error): line(bad("DAMAGED"), what, problem: error.message)
    case .missing(let error):
      line(bad("MISSING"), name + events, problem: error.message)
    case .otherLedger(let error): line(bad("OTHER"), what, problem: error.message)
    case .unreadable(let error): line(bad("UNREAD"), name, problem: error.message)
    }
  }
}

/// A verification for programs: an object for each file, then one for the ledger.
enum VerificationJSON {
  static func write(_ found: Verification, _ out: Output) {
    for file in found.files { write(file, out) }
    out.json { json in
      json.add("sound", found.isSound)
      json.add("tornTail", found.hasTornTail)
      json.add("files", found.files.count)
      json.add("damagedFiles", found.files.count { $0.fault != nil })
      json.add("unreadableFiles", found.unreadable.count)
      json.add("events", found.events)
      if !found.folded.isEmpty { json.addRanges("folded", found.folded) }
      json.addRanges("intact", found.intact)
      json.addRanges("lost", found.lost)
      json.addRanges("doubtful", found.doubtful)
      json.addRanges("lostBefore", found.lostBefore)
      if let loss = found.foldedLoss { json.addRanges("lostOfFolded", loss.events) }
      if let last = found.uncertainAfter { json.add("uncertainAfter", last) }
      if let earlier = found.earlier {
        json.add("verifiedThrough", earlier.through)
        json.add("verifiedSince", earlier.time.description)
      }
      if let last = found.stoppedAfter { json.add("stoppedAfter", last) }
      if let tasks = found.tasks { json.add("tasks", tasks) }
      if let digest = found.digest { json.add("digest", digest) }
      if let digest = found.logDigest { json.add("logDigest", digest) }
    }
  }

  private static func write(_ file: Verification.File, _ out: Output) {
    out.json { json in
      json.add("file", file.name)
      json.add("bytes", file.bytes)
      json.add("status", file.word)
      if let sequences = file.sequences {
        json.add("firstSequence", sequences.lowerBound)
        json.add("lastSequence", sequences.upperBound)
      }
      if !file.returned.isEmpty { json.addRanges("returned", file.returned) }
      switch file.status {
      case .sound, .absent, .unlisted, .unneeded, .foreign: break
      case .tornTail(let bytes, let offset):
        json.add("tornBytes", bytes)
        json.add("offset", offset)
      case .damaged(let error), .missing(let error), .otherLedger(let error),
        .unreadable(let error), .leftOut(let error):
        json.add("problem", error.message)
        if let offset = error.offset { json.add("offset", offset) }
      }
    }
  }
}
