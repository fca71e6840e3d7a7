import LedgerCore
import LedgerStorage

/// A directory whose reads and writes of segments are done in pieces, with something happening between them: no system promises
/// that a read sees all of a write or nothing.
final class PiecewiseDirectory: ForwardingDirectory {
  /// What happens between two pieces, the second of which begins at an offset; not again while it does.
  typealias Interruption = @Sendable (_ offset: UInt64) throws -> Void

  let base: any LedgerDirectory
  private let pieceBytes: Int
  private let interruption = Guarded<Interruption?>(nil)

  init(_ base: any LedgerDirectory, pieceBytes: Int) {
    self.base = base
    self.pieceBytes = pieceBytes
  }

  func interrupt(_ body: Interruption?) { interruption.withLock { $0 = body } }

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

private final class PiecewiseFile: ForwardingFile {
  let base: any LedgerFile
  private let directory: PiecewiseDirectory

  init(_ base: any LedgerFile, _ directory: PiecewiseDirectory) {
    self.base = base
    self.directory = directory
  }

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
