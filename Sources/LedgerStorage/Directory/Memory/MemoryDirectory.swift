import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder in memory that knows what a power cut would leave of it.
///
/// It answers as ``LocalDirectory`` does: open files keep what was unlinked, locks exclude each other between
/// handles, errors carry the same codes. Beside what can be seen it keeps what is *durable*:
/// - the bytes and the length of a file as of its last sync,
/// - the names in a folder as of the last ``syncFolder(_:)`` of that folder.
///
/// So a synced file whose name never was is lost in a power cut, and a rename that was not synced is undone.
/// Where the two folders of a rename were not both synced, the file may have two names or none.
///
/// ```swift
/// let directory = MemoryDirectory()
/// let file = try directory.open("CURRENT", .create)
/// try file.write(bytes, at: 0)
/// try file.sync()
/// directory.powerCut().contents()  // empty: the name was not synced
/// ```
///
/// Unfit for more than tests, previews and small ledgers: every byte is held twice.
package final class MemoryDirectory: LedgerDirectory {
  package let path: String
  /// Nobody can move it.
  package var isAtItsPath: Bool { true }
  let disk: Guarded<MemoryDisk>
  /// Rings when a file was written to or a name has come or gone.
  let bell = FolderBell()

  /// Makes an empty folder.
  package convenience init(path: String = "memory") {
    self.init(path: path, disk: MemoryDisk())
  }

  private init(path: String, disk: MemoryDisk) {
    self.path = path
    self.disk = Guarded(disk)
  }
}

extension MemoryDirectory {
  package func open(_ name: String, _ mode: OpenMode) throws -> any LedgerFile {
    let number = try trying(.open(name, mode, in: path)) { () throws(Errno) in
      let checked = mode == .folder ? try RelativeName(folder: name) : try RelativeName(name)
      return try disk.withLock { (disk) throws(Errno) in try disk.open(checked, mode) }
    }
    return MemoryFile(name: name, directory: self, number: number)
  }

  package func extent(_ name: String) throws -> FileExtent? {
    guard let status = try status(name) else { return nil }
    let isFile = disk.withLock { $0.files[Int(status.identity.number)] != nil }
    return FileExtent(identity: status.identity, size: status.size, isFile: isFile)
  }

  package func status(_ name: String) throws -> FileStatus? {
    try trying(.status(name, in: path)) { () throws(Errno) in
      let name = try RelativeName(name)
      return try disk.withLock { (disk) throws(Errno) in
        do throws(Errno) {
          return disk.status(of: try disk.node(name))
        } catch {
          if error.code == ENOENT { return nil }
          throw error
        }
      }
    }
  }

  package func list(_ folder: String) throws -> [String] {
    try trying(.list(folder, in: path)) { () throws(Errno) in
      let folder = try RelativeName(folder: folder)
      return try disk.withLock { (disk) throws(Errno) in try disk.list(folder) }
    }
  }

  package func makeFolder(_ name: String) throws {
    try trying(.makeFolder(name, in: path)) { () throws(Errno) in
      let name = try RelativeName(name)
      try disk.withLock { (disk) throws(Errno) in try disk.makeFolder(name) }
    }
  }

  package func rename(_ name: String, to newName: String) throws {
    try trying(.rename(name, to: newName, in: path)) { () throws(Errno) in
      let (name, newName) = (try RelativeName(name), try RelativeName(newName))
      try disk.withLock { (disk) throws(Errno) in try disk.rename(name, to: newName) }
    }
    bell.ring()
  }

  package func unlink(_ name: String) throws {
    try trying(.unlink(name, in: path)) { () throws(Errno) in
      let name = try RelativeName(name)
      try disk.withLock { (disk) throws(Errno) in try disk.unlink(name) }
    }
    bell.ring()
  }

  package func lineage() throws -> [FileStatus.Identity] {
    let disk = UInt64(UInt(bitPattern: ObjectIdentifier(self)))
    return [FileStatus.Identity(device: disk, number: UInt64(MemoryDisk.root))]
  }

  package func watch() throws -> any FolderWatch { MemoryWatch(bell) }

  package func syncFolder(_ folder: String) throws {
    try trying(.syncFolder(folder, in: path)) { () throws(Errno) in
      let folder = try RelativeName(folder: folder)
      try disk.withLock { (disk) throws(Errno) in
        disk.syncFolder(try disk.folder(folder))
      }
    }
  }
}

// For tests.
extension MemoryDirectory {
  /// A new folder with what is durable here: no handle, no lock, nothing that was not synced.
  package func powerCut() -> MemoryDirectory { successor { $0.cutPower(tearing: nil) } }

  /// A new folder as a less orderly power cut may leave it: each unsynced sector of 512 bytes, each unsynced length and each
  /// unsynced entry of a folder is by itself as it was at the last sync, as it is now, or as it was in between, as the seed
  /// decides.
  package func powerCut(tearing seed: UInt64) -> MemoryDirectory {
    successor { $0.cutPower(tearing: seed) }
  }

  /// A new folder with what can be seen here, as the next process finds it after a kill: no handle, no lock. What is
  /// not durable here is not durable there.
  package func copy() -> MemoryDirectory { successor { $0.closeAll() } }

  /// Gives all files together no more than so many bytes from now on; nil: any number. What does not fit is ENOSPC.
  package func limit(toBytes bytes: Int?) { disk.withLock { $0.bytesMax = bytes } }

  /// The bytes of every file that can be seen, by its name.
  package func contents() -> [String: [UInt8]] { disk.withLock { $0.contents() } }

  /// Gives a file these bytes behind everyone's back, as damage does: seen and durable alike. Open handles see them;
  /// a file that is not there is made.
  package func setContents(_ name: String, _ bytes: [UInt8]) throws {
    try trying(.open(name, .create, in: path)) { () throws(Errno) in
      let name = try RelativeName(name)
      try disk.withLock { (disk) throws(Errno) in try disk.setContents(name, bytes) }
    }
    bell.ring()
  }

  private func successor(_ change: (inout MemoryDisk) -> Void) -> MemoryDirectory {
    var disk = disk.withLock { $0 }
    change(&disk)
    return MemoryDirectory(path: path, disk: disk)
  }
}
