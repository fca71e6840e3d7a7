import LedgerCore
import LedgerFormat
import LedgerStorage
import TaskLedger

/// `ledger verify`
enum VerifyVerb: Verb {
  static let description = VerbDescription(
    "verify", "check every byte, and say what is wrong and what is right",
    usage: ["", "--resume [--events N]"],
    options: [
      .flag(
        "resume",
        "go on where the last one with --resume stopped or was interrupted; where the files changed since, or it came to its end, begin anew"
      ),
      .init(
        "events", "N", "with --resume: check about N events, and leave the rest to the next run"),
    ],
    details: [
      "Reads every file, checks every checksum and the log digest, folds the events anew, and compares the snapshots with them. It "
        + "works when the ledger cannot be opened. It writes nothing, but for --resume: how far it came is kept in "
        + "checkpoints/verify.position, with the log digest there.",
      "A torn tail is what an interrupted write leaves behind: nothing that was acknowledged is lost, the next change moves it "
        + "aside, and the ledger counts as sound. A file that the system does not let be read may be sound: exit code 74. "
        + "A snapshot that does not fit is left out by every verb, and so is a damaged hint in LOCK or checkpoints: nothing is lost "
        + "with them. Unneeded files are leftovers of the "
        + "ledger's own, unlisted ones hold events that the list of files lacks, foreign ones are somebody else's; none is damage itself.",
      "CURRENT is out of date where something beside its list of files leads to later events, or to others than the list: a copy was "
        + "put back over a newer ledger. "
        + "Damage, a missing file and a file of another ledger are told apart, with exit code 65, and so are the events: those that are "
        + "intact, those that are lost, and those of which nobody can tell. `ledger repair` saves what is intact; what "
        + "it could not save, verify tells from then on, with exit code 0.",
    ],
    examples: [
      .init("ledger verify", "a line for each file, and what they add up to"),
      .init("ledger verify --resume --events 1000000", "a share of a huge ledger, again and again"),
      .init("ledger --json verify", "an object for each file, then one for the ledger"),
    ])

  static func run(_ session: Session) throws -> ExitStatus {
    let arguments = session.arguments
    guard arguments.has("resume") || !arguments.has("events") else {
      throw LedgerError(
        .usage, "--events is given, and nothing is kept to go on from", hint: "add --resume")
    }
    let events = try arguments.number("events") ?? .max
    let location = try LedgerLocation.find(session.globals, session.context)
    let found: Verification
    do throws(LedgerError) {
      found = try session.showingProgress("event") { (progress) throws(LedgerError) in
        guard arguments.has("resume") else {
          return try Ledger.verify(at: location.path) { progress.update($0) }
        }
        return try Ledger.resumeVerification(
          at: location.path, events: events, configuration: session.context.configuration
        ) { progress.update($0) }
      }
    } catch {
      throw location.explain(error)
    }
    if let reason = found.restarted { session.note("begun anew: \(reason)") }
    if let error = found.notKept {
      session.note("how far this run came is not kept: \(error.message)")
    }
    if session.isJSON {
      VerificationJSON.write(found, session.out)
    } else {
      VerificationText.write(found, session.out)
    }
    if let error = found.verdict(path: location.path) { throw error }
    return .done
  }
}

extension Verification {
  var unreadable: [LedgerError] {
    files.compactMap { if case .unreadable(let error) = $0.status { error } else { nil } }
  }
  var hasTornTail: Bool { files.contains { $0.word == "torn" } }

  /// The events of which a baseline holds what still counts, where that is sound.
  var folded: SequenceRanges {
    SequenceRanges(
      files.compactMap { file in
        guard case .sound = file.status,
          file.name.utf8.suffix(9).elementsEqual(".baseline".utf8)
        else { return nil }
        return file.sequences
      })
  }

  private static let ledgerHint =
    "`ledger repair --dry-run` shows what can be saved; restore a backup where that has more"

  /// A segment's name tells what it is, so that a copy of it is as good as the file itself.
  private static let segmentHint =
    "where a backup has the segment in its folder segments, copy it to the same place here, then run `ledger repair`; `ledger repair --dry-run` shows what can be saved without"

  /// Whether all that is damaged, or missing, are segments.
  private var isOfSegments: Bool {
    files.allSatisfy { $0.fault == nil || $0.name.utf8.starts(with: "segments/".utf8) }
  }

  /// What is to be done about all that is damaged, where that is one thing, and no look at what is intact.
  private static func commonHint(_ faults: [LedgerError]) -> String? {
    guard let hint = faults.first?.hint, !hint.contains("`ledger verify`"),
      faults.allSatisfy({ $0.hint == hint })
    else { return nil }
    return hint
  }

  /// The error with which the command ends; nil when all is sound. Damage outweighs what could not be looked at.
  fileprivate func verdict(path: String) -> LedgerError? {
    func counted(_ count: Int) -> String {
      "\(NumberText.count(count, "file")) of \(files.count) \(count == 1 ? "is" : "are")"
    }
    let damaged = files.compactMap(\.fault)
    if !damaged.isEmpty {
      return LedgerError(
        .damaged, "\(counted(damaged.count)) not what was written", path: path,
        hint: listHint
          ?? (isBackup
            ? BackupHint.text
            : Self.commonHint(damaged)
              ?? (isOfSegments ? Self.segmentHint : Self.ledgerHint)))
    }
    // A newer version is the reason that is known for sure.
    guard
      let reason = unreadable.first(where: { $0.code == .unsupported })
        ?? unreadable.first(where: { $0.hint != nil }) ?? unreadable.first
    else { return nil }
    return LedgerError(
      reason.code, "\(counted(unreadable.count)) not checked, because it cannot be read",
      path: path,
      hint: reason.hint, systemError: reason.systemError)
  }
}

extension Verification.File {
  /// The status in a word.
  var word: String {
    switch status {
    case .sound: "sound"
    case .tornTail: "torn"
    case .damaged: "damaged"
    case .missing: "missing"
    case .otherLedger: "otherLedger"
    case .unreadable: "unreadable"
    case .leftOut: "leftOut"
    case .absent: "absent"
    case .unlisted: "unlisted"
    case .unneeded: "unneeded"
    case .foreign: "foreign"
    }
  }
}
