import LedgerCore
import LedgerFormat

/// What the manifest keeps of backups and restorations.
///
/// Invariants:
/// - a manifest with a record of the kind `backup` is that of a backup: nothing is appended to it, and nothing in it rewritten but
///   by the next backup to the same folder, or by a repair;
/// - as long as that record names no sequence number, the backup was begun and never finished;
/// - a ledger that was restored says so in a record of the kind `restored`, the last one when the ledger is new.
extension MaintenanceRecord {
  private static let backupKind = "backup"
  private static let restorationKind = "restored"
  private static let sequenceName = "sequence"
  private static let secondStepName = "step"

  /// Of a backup that is begun.
  static func backupBegun(of replica: ReplicaID, time: LedgerTime) -> MaintenanceRecord {
    MaintenanceRecord(
      kind: backupKind, follows: 0, time: time, details: [.init("replica", replica.description)])
  }

  /// Of a backup that holds a log up to its end.
  static func backup(of replica: ReplicaID, end: LogDigest, time: LedgerTime) -> MaintenanceRecord {
    MaintenanceRecord(
      kind: backupKind, follows: end.sequence, time: time,
      details: [.init("replica", replica.description)] + place(end))
  }

  /// Of a ledger that was restored.
  ///
  /// - Parameters:
  ///   - source: the replica whose log it was.
  ///   - replica: the one that makes the events from now on.
  static func restoration(
    from source: ReplicaID, as replica: ReplicaID, end: LogDigest, time: LedgerTime
  ) -> MaintenanceRecord {
    MaintenanceRecord(
      kind: restorationKind, follows: end.sequence, time: time,
      details: [.init("from", source.description), .init("replica", replica.description)]
        + place(end))
  }

  private static func place(_ end: LogDigest) -> [Detail] {
    [.init(sequenceName, String(end.sequence)), .init("digest", end.value.hex)]
  }

  /// The same record in the list of the second step of a run.
  var ofSecondStep: MaintenanceRecord {
    var record = self
    record.details.append(.init(Self.secondStepName, "2"))
    return record
  }

  var isOfSecondStep: Bool { details.contains { $0.name == Self.secondStepName } }

  var isBackup: Bool { kind == Self.backupKind }
  var isRestoration: Bool { kind == Self.restorationKind }
  var namesSequence: Bool { details.contains { $0.name == Self.sequenceName } }
}

extension Manifest {
  /// The record that makes it the manifest of a backup.
  var backupRecord: MaintenanceRecord? { records.last(where: \.isBackup) }

  /// Whether the folder is a backup.
  package var isBackup: Bool { backupRecord != nil }

  /// The next list, which changes nothing but says that this one was a backup's.
  func afterSecondStep(number: UInt64) -> Manifest {
    var manifest = self
    manifest.number = number
    manifest.records = records.map { $0.isBackup && !$0.isOfSecondStep ? $0.ofSecondStep : $0 }
    return manifest
  }

  /// Whether a backup was begun in the folder, and never finished.
  var isUnfinishedBackup: Bool { backupRecord?.namesSequence == false }

  /// Requires that no backup was begun in the folder and never finished: what is there is no ledger, nor an older state of one.
  ///
  /// - Parameter path: the folder.
  func checkIsNoUnfinishedBackup(_ path: String) throws(LedgerError) {
    guard isUnfinishedBackup else { return }
    throw LedgerError(
      .notFound, "there is no backup", path: path, cause: "one was begun and never finished",
      hint: "run the `ledger backup` again, or name another backup")
  }

  /// Refuses to change a backup.
  ///
  /// - Parameter path: the folder.
  package func checkIsNoBackup(_ path: String) throws(LedgerError) {
    guard isBackup else { return }
    throw LedgerError(
      .invalid, "cannot change the backup", path: path,
      hint:
        "`ledger backup` brings it up to date; to make a ledger of it elsewhere: `ledger --ledger NEW restore --from BACKUP`"
    )
  }

  /// How many events are there up to one, folded ones included: all but those that a repair found lost.
  func eventCount(through last: UInt64) -> UInt64 { last - lostUnfolded.count }

  /// The log digest where its closed segments end.
  var closedEnd: LogDigest { active.logDigestBefore }

  /// The records that a copy of the ledger has, too: snapshots stay behind, and what the copy is it says itself.
  var recordsToCopy: [MaintenanceRecord] {
    records.filter { !$0.isBackup && $0.kind != SnapshotEntry.recordKind }
  }

  /// The files in the folder `aside` that records tell of, each with the digest that it had, where that is on record.
  var keptAside: [(name: String, digest: String?)] {
    records.compactMap { record in
      guard let name = record.detail("aside") else { return nil }
      let parts = name.utf8.split(separator: 0x2f, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].elementsEqual(LedgerNames.aside.utf8) else { return nil }
      return (name, record.detail("sha256"))
    }
  }

  /// Their names.
  var filesAside: [String] { keptAside.map(\.name) }
}
