import LedgerCore
import LedgerStorage

/// A folder that does one thing wrong on purpose: ``PlantedFault``.
///
/// It lies above the directory that crashes and fails, so that a machine can crash between the halves of what it does.
/// Used on one thread.
final class PlantedDirectory: ForwardingDirectory, @unchecked Sendable {
  // Unchecked: a simulation runs on one thread.
  let base: any LedgerDirectory
  fileprivate let fault: PlantedFault
  /// A sync that was answered and is still to come.
  private var lateSync: (any LedgerFile)?

  init(_ base: any LedgerDirectory, _ fault: PlantedFault) {
    self.base = base
    self.fault = fault
  }

  /// Syncs what should have been synced before.
  fileprivate func catchUp() {
    guard let file = lateSync else { return }
    lateSync = nil
    try? file.sync()
  }

  func open(_ name: String, _ mode: OpenMode) throws -> any LedgerFile {
    catchUp()
    return PlantedFile(try base.open(name, mode), self)
  }

  func status(_ name: String) throws -> FileStatus? {
    catchUp()
    return try base.status(name)
  }

  func extent(_ name: String) throws -> FileExtent? {
    catchUp()
    return try base.extent(name)
  }

  func rename(_ name: String, to newName: String) throws {
    try base.rename(name, to: newName)
    guard fault == .renameBeforeSync, newName == LedgerNames.current else { return }
    try base.syncFolder("")
    let file = try base.open(newName, .readWrite)
    try file.sync()
    file.close()
  }

  func syncFolder(_ folder: String) throws {
    switch fault {
    case .noFolderSyncAfterRename where folder.isEmpty: return
    case .noSegmentsFolderSync where folder == LedgerNames.segments: return
    default: try base.syncFolder(folder)
    }
  }

  /// - Parameter holdsFrames: whether what was written last was frames, not a header or zeros.
  fileprivate func sync(_ file: any LedgerFile, holdsFrames: Bool) throws {
    let isActive = file.name.hasSuffix(".active")
    switch fault {
    case .noFrameSync where holdsFrames: return
    case .lateFrameSync where holdsFrames: lateSync = file
    case .failedSyncIgnored where holdsFrames: try? file.sync()
    case .noSealedSync where file.name.hasPrefix(LedgerNames.segments) && !isActive: return
    case .noManifestSync where file.name.hasPrefix(LedgerNames.manifestPrefix): return
    case .renameBeforeSync where file.name == LedgerNames.currentDraft: return
    default: try file.sync()
    }
  }
}

/// An open file of a ``PlantedDirectory``.
private final class PlantedFile: ForwardingFile {
  let base: any LedgerFile
  private let directory: PlantedDirectory
  /// What was written last: frames, or something else.
  private let holdsFrames = Guarded(false)

  init(_ base: any LedgerFile, _ directory: PlantedDirectory) {
    self.base = base
    self.directory = directory
  }

  func read(at offset: UInt64, count: Int) throws -> [UInt8] {
    directory.catchUp()
    return try base.read(at: offset, count: count)
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws {
    directory.catchUp()
    let isFrame = name.hasSuffix(".active") && offset > 0 && bytes.first != 0
    holdsFrames.withLock { $0 = isFrame }
    try base.write(bytes, at: offset)
  }

  func sync() throws { try directory.sync(base, holdsFrames: holdsFrames.withLock { $0 }) }

  func tryLock(_ kind: LockKind) throws -> Bool {
    directory.catchUp()
    if directory.fault == .noFolderLock, name == LedgerNames.lock { return true }
    return try base.tryLock(kind)
  }
}
