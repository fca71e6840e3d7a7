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
      // Before LOCK is made: a folder that holds anything else is left as it is.
      try checkVacant(directory)
      let lock = FolderLock(directory)
      _ = try lock.acquire(timeout: options.lockTimeoutMilliseconds)
      defer { lock.release(inOrder: true) }
      // Another process may have made the ledger while this one waited.
      try clear(try checkVacant(directory), directory)
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

  private static func exists(_ directory: any LedgerDirectory) -> LedgerError {
    LedgerError(
      .alreadyExists, "there already is a ledger", path: directory.path,
      hint: "use it as it is, or name another folder")
  }

  /// Refuses a folder that holds a ledger or anything but what an interrupted creation leaves.
  ///
  /// - Returns: the names of what is to be removed, files of segments with their folder.
  @discardableResult
  private static func checkVacant(_ directory: any LedgerDirectory) throws -> [String] {
    let names = try directory.list("")
    if names.contains(LedgerNames.current) { throw exists(directory) }
    let ours: Set<String> = [
      LedgerNames.lock, LedgerNames.segments, LedgerNames.currentDraft, LedgerNames.manifest(1),
    ]
    guard names.allSatisfy(ours.contains) else {
      throw LedgerError(
        .alreadyExists, "the folder is not empty", path: directory.path,
        hint: "name an empty or new folder")
    }
    let files = names.contains(LedgerNames.segments) ? try directory.list(LedgerNames.segments) : []
    for file in files {
      let bytes = try directory.contents(of: LedgerNames.inSegments(file))
      guard bytes.dropFirst(ActiveHeader.byteCount).allSatisfy({ $0 == 0 }) else {
        throw LedgerError(
          .damaged, "the folder holds events, but the file CURRENT is missing",
          path: directory.path, hint: "run `ledger verify` to see what is intact")
      }
    }
    return files.map(LedgerNames.inSegments)
      + names.filter { $0 != LedgerNames.lock && $0 != LedgerNames.segments }
  }

  private static func clear(_ names: [String], _ directory: any LedgerDirectory) throws {
    for name in names { try directory.unlink(name) }
  }
}
