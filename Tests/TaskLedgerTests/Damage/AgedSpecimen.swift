import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger

/// A ledger that has seen maintenance: what was folded, what was saved, a snapshot, and all that says how far somebody is.
struct AgedSpecimen {
  let disk: TestDisk
  let files: [String: [UInt8]]
  let answer: AgedAnswer

  /// - Parameter isSalvaged: whether a segment was damaged and saved in part; its file is a hundred times as long as the others.
  init(isSalvaged: Bool) throws {
    let bench = try RepairBench.made(
      bodyBytes: isSalvaged ? RepairBench.twoBlocks : 50, folds: true)
    let disk: TestDisk
    if isSalvaged {
      disk = try bench.disk(.flip, .firstSealed, other: bench)
      try disk.repair(configuration: bench.configuration)
    } else {
      disk = bench.disk.processKilled()
      _ = try Ledger.verify(
        disk.faults,
        resuming: Verifier.Resuming(now: try LedgerTime("2026-12-01T00:00:00Z"), eventsMax: 6))
      let ledger = try disk.open(configuration: bench.configuration)
      _ = try ledger.snapshot()
      try ledger.checkpoint("mail").advance(to: ledger.statistics().events)
      try disk.faults.setChecked(ledger: try AgedAnswer.ledger(of: disk))
    }
    self.disk = disk
    files = disk.files
    answer = try AgedAnswer(disk)
  }

  /// The kind of a file, by its first bytes; nil where it has no header.
  static func kind(of bytes: [UInt8]) -> FileHeader.Kind? {
    FileHeader.Kind.allCases.first { bytes.starts(with: $0.rawValue.utf8) }
  }
}

extension FaultDirectory {
  /// Leaves the list of segments that maintenance checked.
  func setChecked(ledger: ReplicaID) throws {
    let list = CheckedSegments(
      ledger: ledger,
      entries: [
        .init(file: "x.sealed", checksum: 1, time: LedgerTime(unchecked: 1_796_000_000_000))
      ])
    try ensureFolder(LedgerNames.checkpoints)
    try replaceDurably(LedgerNames.checkedSegments, in: LedgerNames.checkpoints) { file in
      try file.write(list.encoded, at: 0)
    }
  }
}

/// All that such a ledger says of itself, each part or the damage that was reported in its place.
struct AgedAnswer {
  let ledger: Answer?
  /// The digest from the newest snapshot on.
  let fromSnapshot: String?
  let checkpoint: UInt64?
  let resumed: String?
  /// Whether any part reported damage.
  let reportsDamage: Bool
  /// Errors that are no report of damage.
  let otherErrors: [String]

  init(_ disk: TestDisk) throws {
    var reports = false
    var errors: [String] = []
    func part<Part>(_ body: () throws -> Part) -> Part? {
      do {
        return try body()
      } catch let error as LedgerError where error.code == .damaged {
        reports = true
      } catch {
        errors.append("\(error)")
      }
      return nil
    }
    ledger = part { try Answer(disk) }
    fromSnapshot = part { try disk.open().replay(fromSnapshot: true).digest }
    checkpoint = part { try disk.open().checkpoint("mail").sequence }
    // It writes how far it came: on a disk of its own.
    let verified = part {
      try Ledger.verify(
        disk.processKilled().faults,
        resuming: Verifier.Resuming(
          now: try LedgerTime("2026-12-02T00:00:00Z"), eventsMax: .max))
    }
    resumed = verified?.digest
    if verified?.isSound == false { reports = true }
    if (part { try disk.verify() })?.isSound == false { reports = true }
    _ = part { try disk.processKilled().open().maintain(isDryRun: true) }
    reportsDamage = reports
    otherErrors = errors
  }

  /// Whether no part says anything else than another answer does.
  func isNowhereWrong(beside other: AgedAnswer) -> Bool {
    let isSame =
      switch (ledger, other.ledger) {
      case (let mine?, let theirs?): mine.isSame(as: theirs)
      default: true
      }
    func agree<Value: Equatable>(_ mine: Value?, _ theirs: Value?) -> Bool {
      mine == nil || mine == theirs
    }
    return isSame && agree(fromSnapshot, other.fromSnapshot)
      && agree(checkpoint, other.checkpoint) && agree(resumed, other.resumed)
  }

  /// Whether every part is there.
  var isWhole: Bool { ledger != nil && fromSnapshot != nil && checkpoint != nil }

  static func ledger(of disk: TestDisk) throws -> ReplicaID {
    try CurrentFile(disk.files[LedgerNames.current] ?? []).ledger
  }
}
