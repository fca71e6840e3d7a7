import LedgerCore
import LedgerStorage

/// A directory whose reads and writes of segments are done in pieces, with something happening between them: no system promises
/// that a read sees all of a write or nothing.
final class PiecewiseDirectory: LedgerDirectory {
  /// What happens between two pieces, the second of which begins at an offset; not again while it does.
  typealias Interruption = @Sendable (_ offset: UInt64) throws -> Void

  private let base: any LedgerDirectory
  private let pieceBytes: Int
  private let interruption = Guarded<Interruption?>(nil)

  init(_ base: any LedgerDirectory, pieceBytes: Int) {
    self.base = base
    self.pieceBytes = pieceBytes
  }

  func interrupt(_ body: Interruption?) { interruption.withLock { $0 = body } }

  var path: String { base.path }
  func status(_ name: String) throws -> FileStatus? { try base.status(name) }
  func extent(_ name: String) throws -> FileExtent? { try base.extent(name) }
  func lineage() throws -> [FileStatus.Identity] { try base.lineage() }
  func list(_ folder: String) throws -> [String] { try base.list(folder) }
  func makeFolder(_ name: String) throws { try base.makeFolder(name) }
  func rename(_ name: String, to newName: String) throws { try base.rename(name, to: newName) }
  func unlink(_ name: String) throws { try base.unlink(name) }
  func syncFolder(_ folder: String) throws { try base.syncFolder(folder) }

  func open(_ name: String, _ mode: OpenMode) throws -> any LedgerFile {
    let file = try base.open(name, mode)
    return name.hasSuffix(".active") ? PiecewiseFile(file, self) : file
  }

  fileprivate func pieces(_ count: Int) -> [Range<Int>] {
    stride(from: 0, to: count, by: pieceBytes).map { $0..<min($0 + pieceBytes, count) }
  }

  fileprivate func runInterruption(before offset: UInt64) throws {
    let body = interruption.withLock { body in
      defer { body = nil }
      return body
    }
    guard let body else { return }
    defer { interruption.withLock { $0 = body } }
    try body(offset)
  }
}

private final class PiecewiseFile: LedgerFile {
  private let base: any LedgerFile
  private let directory: PiecewiseDirectory

  init(_ base: any LedgerFile, _ directory: PiecewiseDirectory) {
    self.base = base
    self.directory = directory
  }

  var name: String { base.name }
  func size() throws -> UInt64 { try base.size() }
  func status() throws -> FileStatus { try base.status() }
  func nextData(from offset: UInt64) throws -> UInt64? { try base.nextData(from: offset) }
  func sync() throws { try base.sync() }
  func truncate(to size: UInt64) throws { try base.truncate(to: size) }
  func tryLock(_ kind: LockKind) throws -> Bool { try base.tryLock(kind) }
  func unlock() throws { try base.unlock() }
  func close() { base.close() }

  func read(at offset: UInt64, count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for piece in directory.pieces(count) {
      let start = offset + UInt64(piece.lowerBound)
      if piece.lowerBound > 0 { try directory.runInterruption(before: start) }
      bytes += try base.read(at: start, count: piece.count)
    }
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: UInt64) throws {
    for piece in directory.pieces(bytes.count) {
      let start = offset + UInt64(piece.lowerBound)
      if piece.lowerBound > 0 { try directory.runInterruption(before: start) }
      try base.write(Array(bytes[piece]), at: start)
    }
  }
}
