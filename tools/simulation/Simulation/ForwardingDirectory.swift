import LedgerStorage

/// A folder that passes on every call but those that it does in its own way.
package protocol ForwardingDirectory: LedgerDirectory {
  /// The folder below it.
  var base: any LedgerDirectory { get }
}

extension ForwardingDirectory {
  package var path: String { base.path }
  package var isAtItsPath: Bool { base.isAtItsPath }
  package func open(_ name: String, _ mode: OpenMode) throws -> any LedgerFile {
    try base.open(name, mode)
  }
  package func status(_ name: String) throws -> FileStatus? { try base.status(name) }
  package func extent(_ name: String) throws -> FileExtent? { try base.extent(name) }
  package func lineage() throws -> [FileStatus.Identity] { try base.lineage() }
  package func list(_ folder: String) throws -> [String] { try base.list(folder) }
  package func makeFolder(_ name: String) throws { try base.makeFolder(name) }
  package func rename(_ name: String, to newName: String) throws {
    try base.rename(name, to: newName)
  }
  package func unlink(_ name: String) throws { try base.unlink(name) }
  package func syncFolder(_ folder: String) throws { try base.syncFolder(folder) }
}

/// An open file that passes on every call but those that it does in its own way.
package protocol ForwardingFile: LedgerFile {
  /// The file below it.
  var base: any LedgerFile { get }
}

extension ForwardingFile {
  package var name: String { base.name }
  package func size() throws -> UInt64 { try base.size() }
  package func status() throws -> FileStatus { try base.status() }
  package func nextData(from offset: UInt64) throws -> UInt64? { try base.nextData(from: offset) }
  package func read(at offset: UInt64, count: Int) throws -> [UInt8] {
    try base.read(at: offset, count: count)
  }
  package func write(_ bytes: [UInt8], at offset: UInt64) throws {
    try base.write(bytes, at: offset)
  }
  package func sync() throws { try base.sync() }
  package func truncate(to size: UInt64) throws { try base.truncate(to: size) }
  package func tryLock(_ kind: LockKind) throws -> Bool { try base.tryLock(kind) }
  package func unlock() throws { try base.unlock() }
  package func close() { base.close() }
}
