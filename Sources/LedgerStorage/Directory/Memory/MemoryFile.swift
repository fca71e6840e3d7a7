import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An open file of a ``MemoryDirectory``; it keeps the directory.
package final class MemoryFile: LedgerFile {
  package let name: String
  private let directory: MemoryDirectory
  private let number: Int

  init(name: String, directory: MemoryDirectory, number: Int) {
    self.name = name
    self.directory = directory
    self.number = number
  }

  deinit { close() }

  private var path: String { joinPath(directory.path, name) }

  package func size() throws -> UInt64 {
    try perform(.size(path)) { (disk, handle) in
      UInt64(disk.files[handle.node]?.visible.count ?? 0)
    }
  }

  package func status() throws -> FileStatus {
    try perform(.size(path)) { (disk, handle) in disk.status(of: handle.node) }
  }

  package func nextData(from offset: UInt64) throws -> UInt64? {
    try size() > offset ? offset : nil
  }

  package func read(at offset: UInt64, count: Int) throws -> [UInt8] {
    precondition(count >= 0, "a read of \(count) bytes")
    return try perform(.read(count, at: offset, path)) { (disk, handle) throws(Errno) in
      guard let file = disk.files[handle.node] else { throw Errno(EISDIR) }
      return try file.read(at: offset, count: count)
    }
  }

  package func write(_ bytes: [UInt8], at offset: UInt64) throws {
    try perform(.write(bytes.count, at: offset, path)) { (disk, handle) throws(Errno) in
      guard handle.mode.writes else { throw Errno(EBADF) }
      try disk.write(bytes, at: offset, to: handle.node)
    }
    directory.bell.ring()
  }

  package func sync() throws {
    try perform(.sync(path)) { (disk, handle) throws(Errno) in
      if handle.mode == .folder {
        disk.syncFolder(handle.node)
      } else {
        disk.files[handle.node]?.sync()
      }
    }
  }

  package func truncate(to size: UInt64) throws {
    try perform(.truncate(to: size, path)) { (disk, handle) throws(Errno) in
      guard handle.mode.writes else { throw Errno(EINVAL) }
      try disk.files[handle.node]?.truncate(to: size)
    }
  }

  package func tryLock(_ kind: LockKind) throws -> Bool {
    try perform(.lock(kind, path)) { (disk, _) throws(Errno) in try disk.tryLock(number, kind) }
  }

  package func unlock() throws {
    try perform(.unlock(path)) { (disk, _) throws(Errno) in try disk.unlock(number) }
  }

  package func close() { directory.disk.withLock { $0.close(number) } }

  private func perform<Result: Sendable>(
    _ attempt: @autoclosure () -> Attempt,
    _ body: (inout MemoryDisk, MemoryDisk.Handle) throws(Errno) -> Result
  ) throws(LedgerError) -> Result {
    try trying(attempt()) { () throws(Errno) in
      try directory.disk.withLock { (disk) throws(Errno) in
        try body(&disk, try disk.handle(number))
      }
    }
  }
}

extension MemoryFile: PageLosing {
  package func losePages() {
    directory.disk.withLock { disk in
      guard let handle = try? disk.handle(number) else { return }
      disk.files[handle.node]?.losePages()
    }
  }
}

/// A file whose failed sync can be played as the kernel plays it.
package protocol PageLosing: LedgerFile {
  /// What was written since the last sync stays visible, counts as clean, and never becomes durable unless it is
  /// written again.
  func losePages()
}

extension OpenMode {
  /// Whether a file opened so can be changed.
  fileprivate var writes: Bool { self == .readWrite || self == .create }
}
