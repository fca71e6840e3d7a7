import LedgerCore
import LedgerFormat

/// Makes a new ledger in a folder.
package enum LedgerCreation {
  /// Makes LOCK, the first segment, the first manifest and CURRENT; CURRENT comes last, so that an interrupted creation is no
  /// ledger and can be done again.
  ///
  /// - Parameter record: what the ledger's first record says; nil: that it was created.
  /// - Throws: `alreadyExists` when the folder holds a ledger or anything else.
  package static func create(
    in directory: any LedgerDirectory, ledger: ReplicaID = .random(),
    replica: ReplicaID = .random(), record: MaintenanceRecord? = nil, options: StoreOptions,
    clock: LedgerClock
  ) throws(LedgerError) {
    do {
      // A folder of something else does not even get a LOCK.
      _ = try leftovers(in: directory)
      let lock = FolderLock(directory)
      try lock.acquire(timeout: options.lockTimeoutMilliseconds)
      defer { lock.release() }
      // Another process may have made the ledger while this one waited, or is dead and left half of it.
      for name in try leftovers(in: directory) { try directory.unlink(name) }
      let record = record ?? created(ledger, replica, clock())
      try makeFiles(directory, ledger, replica, record, options)
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  private static func makeFiles(
    _ directory: any LedgerDirectory, _ ledger: ReplicaID, _ replica: ReplicaID,
    _ record: MaintenanceRecord, _ options: StoreOptions
  ) throws {
    try directory.ensureFolder(LedgerNames.segments)
    let active = EmptySegment(ledger: ledger, replica: replica, after: .empty)
    try active.makeFile(in: directory, extensionBytes: options.extensionBytes)
    let manifest = Manifest(
      ledger: ledger, number: 1, replica: replica, segments: [active.entry], records: [record])
    do {
      try ManifestStep.take(manifest, in: directory)
    } catch {
      switch error {
      case .before(let error), .unknown(let error): throw error
      }
    }
  }

  private static func created(
    _ ledger: ReplicaID, _ replica: ReplicaID, _ time: LedgerTime
  ) -> MaintenanceRecord {
    MaintenanceRecord(
      kind: "created", follows: 0, time: time,
      details: [.init("ledger", ledger.description), .init("replica", replica.description)])
  }

  /// What an interrupted creation left; refuses a folder that holds anything else.
  ///
  /// - Parameter isRestoration: whether what an interrupted restoration left counts, too.
  static func leftovers(
    in directory: any LedgerDirectory, isRestoration: Bool = false
  ) throws -> [String] {
    // Behind the look, too: others may have made one meanwhile.
    try requireNoCurrent(directory)
    let folder = try FolderWithoutCurrent(directory)
    try requireNoCurrent(directory)
    switch folder {
    case .unfinished(let leftovers): return leftovers
    case .unfinishedRestoration(let leftovers):
      if isRestoration { return leftovers }
      throw LedgerError(
        .alreadyExists, "a restoration was interrupted", path: directory.path,
        hint: "run the `ledger restore --from` again, or remove the folder")
    case .ledger: throw HeldManifest.missingCurrent(directory)
    case .foreign:
      throw LedgerError(
        .alreadyExists, "there already is something else", path: directory.path,
        hint: "name an empty or new folder")
    }
  }

  private static func requireNoCurrent(_ directory: any LedgerDirectory) throws {
    guard try directory.list("").contains(LedgerNames.current) else { return }
    throw LedgerError(
      .alreadyExists, "there already is a ledger", path: directory.path,
      hint: "use it as it is, or name another folder")
  }
}
