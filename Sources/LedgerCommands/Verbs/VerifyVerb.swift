import LedgerCore
import LedgerFormat
import TaskLedger

/// `ledger verify`
enum VerifyVerb: Verb {
  static let description = VerbDescription(
    "verify", "check every byte, and say what is wrong and what is right",
    usage: [""],
    details: [
      "Reads every file, checks every checksum and the log digest, folds the events anew, and compares the snapshots with them. It "
        + "writes nothing, and works when the ledger cannot be opened.",
      "A torn tail is what an interrupted write leaves behind: nothing that was acknowledged is lost, the next change moves it "
        + "aside, and the ledger counts as sound. A file that the system does not let be read may be sound: exit code 74. "
        + "A snapshot that does not fit is left out by every verb, and nothing is lost with it. "
        + "Anything else that is wrong is damage, with exit code 65: restore the file from a backup.",
    ],
    examples: [
      .init("ledger verify", "a line for each file, and what they add up to"),
      .init("ledger --json verify", "an object for each file, then one for the ledger"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let location = try LedgerLocation.find(session.globals, session.context)
    let progress = session.progress("event")
    let found: Verification
    do throws(LedgerError) {
      found = try Ledger.verify(at: location.path) { progress.update($0) }
      progress.clear()
    } catch {
      progress.clear()
      throw location.explain(error)
    }
    if session.isJSON {
      for file in found.files { writeJSON(file, session.out) }
      writeJSON(found, session.out)
    } else {
      write(found, session.out)
    }
    if let error = found.verdict(path: location.path) { throw error }
    return .done
  }

  private static func write(_ found: Verification, _ out: Output) {
    for file in found.files { write(file, out) }
    out.line()
    out.line("events        \(NumberText.grouped(found.events)) as they were written")
    if let tasks = found.tasks { out.line("tasks         \(NumberText.grouped(tasks))") }
    if let digest = found.digest { out.line("state digest  \(digest)") }
    if let digest = found.logDigest { out.line("log digest    \(digest)") }
    guard found.isSound else {
      let what = found.damaged.isEmpty ? "cannot be read in full" : "is damaged"
      return out.line(out.styled("The ledger \(what).", .red, .bold))
    }
    let torn = found.hasTornTail ? " but for a torn tail, which the next change moves aside" : ""
    out.line(out.styled("The ledger is sound\(torn).", .green))
  }

  private static func write(_ file: Verification.File, _ out: Output) {
    let events = file.sequences.map(events) ?? ""
    let what = "\(out.shown(file.name))  \(NumberText.count(file.bytes, "byte"))\(events)"
    switch file.status {
    case .sound: out.line("\(out.styled("sound   ", .green))  \(what)")
    case .unneeded:
      out.line("\(out.styled("unneeded", .dim))  \(out.shown(file.name))  nothing names it")
    case .leftOut(let error):
      out.line("\(out.styled("left out", .yellow))  \(what)")
      out.line("          \(out.shown(error.message))")
    case .tornTail(let bytes, let offset):
      out.line("\(out.styled("torn    ", .yellow))  \(what)")
      out.line("          a torn tail of \(NumberText.count(bytes, "byte")) at byte \(offset)")
    case .damaged(let error):
      out.line("\(out.styled("DAMAGED ", .red, .bold))  \(what)")
      out.line("          \(out.shown(error.message))")
    case .unreadable(let error):
      out.line("\(out.styled("UNREAD  ", .red, .bold))  \(out.shown(file.name))")
      out.line("          \(out.shown(error.message))")
    }
  }

  private static func events(_ numbers: ClosedRange<UInt64>) -> String {
    numbers.count == 1
      ? ", event \(numbers.lowerBound)" : ", events \(numbers.lowerBound) to \(numbers.upperBound)"
  }

  private static func writeJSON(_ file: Verification.File, _ out: Output) {
    out.json { json in
      json.add("file", file.name)
      json.add("bytes", file.bytes)
      json.add("status", file.word)
      if let sequences = file.sequences {
        json.add("firstSequence", sequences.lowerBound)
        json.add("lastSequence", sequences.upperBound)
      }
      switch file.status {
      case .sound, .unneeded: break
      case .tornTail(let bytes, let offset):
        json.add("tornBytes", bytes)
        json.add("offset", offset)
      case .damaged(let error), .unreadable(let error), .leftOut(let error):
        json.add("message", error.message)
        if let offset = error.offset { json.add("offset", offset) }
      }
    }
  }

  private static func writeJSON(_ found: Verification, _ out: Output) {
    out.json { json in
      json.add("sound", found.isSound)
      json.add("tornTail", found.hasTornTail)
      json.add("files", found.files.count)
      json.add("damagedFiles", found.damaged.count)
      json.add("unreadableFiles", found.unreadable.count)
      json.add("events", found.events)
      if let tasks = found.tasks { json.add("tasks", tasks) }
      if let digest = found.digest { json.add("digest", digest) }
      if let digest = found.logDigest { json.add("logDigest", digest) }
    }
  }
}

extension Verification {
  fileprivate var damaged: [File] { files.filter { $0.word == "damaged" } }
  fileprivate var unreadable: [LedgerError] {
    files.compactMap { if case .unreadable(let error) = $0.status { error } else { nil } }
  }
  fileprivate var hasTornTail: Bool { files.contains { $0.word == "torn" } }
}

extension Verification {
  /// The error with which the command ends; nil when all is sound. Damage outweighs what could not be looked at.
  fileprivate func verdict(path: String) -> LedgerError? {
    func counted(_ count: Int) -> String {
      "\(NumberText.count(count, "file")) of \(files.count) \(count == 1 ? "is" : "are")"
    }
    if !damaged.isEmpty {
      return LedgerError(
        .damaged, "\(counted(damaged.count)) damaged", path: path,
        hint: "keep a copy of the folder as it is, and restore what is damaged from a backup")
    }
    // A newer version is the reason that is known for sure.
    guard let reason = unreadable.first(where: { $0.code == .unsupported }) ?? unreadable.first
    else { return nil }
    return LedgerError(
      reason.code, "\(counted(unreadable.count)) not checked, because it cannot be read",
      path: path,
      hint: reason.hint, systemError: reason.systemError)
  }
}

extension Verification.File {
  /// The status in a word.
  fileprivate var word: String {
    switch status {
    case .sound: "sound"
    case .tornTail: "torn"
    case .damaged: "damaged"
    case .unreadable: "unreadable"
    case .leftOut: "leftOut"
    case .unneeded: "unneeded"
    }
  }
}
