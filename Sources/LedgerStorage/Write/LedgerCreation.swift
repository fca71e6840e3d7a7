import LedgerCore
import LedgerFormat

/// Makes a new ledger in a folder.
package enum LedgerCreation {
  /// Makes LOCK, the first segment, the first manifest and CURRENT; CURRENT comes last, so that an interrupted creation is no
  /// ledger and can be done again.
  ///
  /// - Throws: `alreadyExists` when the folder holds a ledger or anything else.
  package static func create(
    in directory: any LedgerDirectory, ledger: ReplicaID = .random(),
    replica: ReplicaID = .random(), options: StoreOptions, clock: LedgerClock
  ) throws(LedgerError) {
    do {
      // A folder of something else does not even get a LOCK.
      _ = try leftovers(in: directory)
      let lock = FolderLock(directory)
      try lock.acquire(timeout: options.lockTimeoutMilliseconds)
      defer { lock.release() }
      // Another process may have made the ledger while this one waited, or is dead and left half of it.
      for name in try leftovers(in: directory) { try directory.unlink(name) }
      try makeFiles(directory, ledger, replica, options, clock)
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  private static func makeFiles(
    _ directory: any LedgerDirectory, _ ledger: ReplicaID, _ replica: ReplicaID,
    _ options: StoreOptions, _ clock: LedgerClock
  ) throws {
    try directory.ensureFolder(LedgerNames.segments)
    let header = ActiveHeader(
      ledger: ledger, segment: UInt64.random(in: 1...UInt64.max), firstSequence: 1,
      replica: replica, digestBefore: .zero, countBefore: 0)
    let name = LedgerNames.activeSegment(first: 1, segment: header.segment)
    let file = try SegmentFile.create(
      header, named: name, in: directory, extensionBytes: options.extensionBytes)
    file.file.close()
    let entry = SegmentEntry(
      kind: .active, file: name, segment: header.segment, firstSequence: 1, eventCount: 0,
      end: UInt64(ActiveHeader.byteCount), checksum: checksum(of: header.encoded),
      digestBefore: .zero, digestAfter: .zero, ownCount: 0, newest: nil)
    let created = MaintenanceRecord(
      kind: "created", follows: 0, time: clock(),
      details: [.init("ledger", ledger.description), .init("replica", replica.description)])
    let manifest = Manifest(
      ledger: ledger, number: 1, replica: replica, segments: [entry], records: [created])
    do {
      try ManifestStep.take(manifest, in: directory)
    } catch {
      switch error {
      case .before(let error), .unknown(let error): throw error
      }
    }
  }

  /// What an interrupted creation left; refuses a folder that holds anything else.
  private static func leftovers(in directory: any LedgerDirectory) throws -> [String] {
    if try directory.list("").contains(LedgerNames.current) {
      throw LedgerError(
        .alreadyExists, "there already is a ledger", path: directory.path,
        hint: "use it as it is, or name another folder")
    }
    switch try FolderWithoutCurrent(directory) {
    case .unfinished(let leftovers): return leftovers
    case .ledger: throw HeldManifest.missingCurrent(directory)
    case .foreign:
      throw LedgerError(
        .alreadyExists, "the folder is not empty", path: directory.path,
        hint: "name an empty or new folder")
    }
  }
}
