import LedgerCore
import LedgerStorage

/// A folder that does one thing wrong on purpose: ``PlantedFault``.
///
/// It lies above the directory that crashes and fails, so that a machine can crash between the halves of what it does.
/// Used on one thread.
final class PlantedDirectory: LedgerDirectory, @unchecked Sendable {
  // Unchecked: a simulation runs on one thread.
  private let base: any LedgerDirectory
  fileprivate let fault: PlantedFault
  /// A sync that was answered and is still to come.
  private var lateSync: (any LedgerFile)?

  init(_ base: any LedgerDirectory, _ fault: PlantedFault) {
    self.base = base
    self.fault = fault
  }

  var path: String { base.path }

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

  func list(_ folder: String) throws -> [String] { try base.list(folder) }

  func lineage() throws -> [FileStatus.Identity] { try base.lineage() }

  func makeFolder(_ name: String) throws { try base.makeFolder(name) }

  func rename(_ name: String, to newName: String) throws {
    try base.rename(name, to: newName)
    guard fault == .renameBeforeSync, newName == LedgerNames.current else { return }
    try base.syncFolder("")
    let file = try base.open(newName, .readWrite)
    try file.sync()
    file.close()
  }

  func unlink(_ name: String) throws { try base.unlink(name) }

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
private final class PlantedFile: LedgerFile {
  private let base: any LedgerFile
  private let directory: PlantedDirectory
  /// What was written last: frames, or something else.
  private let holdsFrames = Guarded(false)

  init(_ base: any LedgerFile, _ directory: PlantedDirectory) {
    self.base = base
    self.directory = directory
  }

  var name: String { base.name }
  func size() throws -> UInt64 { try base.size() }
  func status() throws -> FileStatus { try base.status() }
  func nextData(from offset: UInt64) throws -> UInt64? { try base.nextData(from: offset) }

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
  func truncate(to size: UInt64) throws { try base.truncate(to: size) }

  func tryLock(_ kind: LockKind) throws -> Bool {
    directory.catchUp()
    if directory.fault == .noFolderLock, name == LedgerNames.lock { return true }
    return try base.tryLock(kind)
  }

  func unlock() throws { try base.unlock() }
  func close() { base.close() }
}
