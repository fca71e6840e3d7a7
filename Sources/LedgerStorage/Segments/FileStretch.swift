import LedgerCore
import LedgerFormat

/// A part of a file, read in pieces: however long it claims to be, it costs the memory of one piece.
struct FileStretch {
  /// A piece and where it stands in the file.
  struct Piece {
    let range: Range<UInt64>
    /// Nil for a hole, which reads as zeros and holds nothing on the disk either.
    let bytes: [UInt8]?
  }

  let file: any LedgerFile
  let range: Range<UInt64>

  /// As long as pieces are at most.
  static let pieceBytes = 1 << 20

  /// Calls `body` with piece after piece, holes included.
  func forEachPiece(_ body: (Piece) throws -> Void) throws {
    var start = range.lowerBound
    var data = try file.nextData(from: start) ?? range.upperBound
    while start < range.upperBound {
      let end = min(range.upperBound, start + UInt64(Self.pieceBytes))
      if data < start { data = try file.nextData(from: start) ?? range.upperBound }
      let isHole = data >= end
      let bytes = isHole ? nil : try file.read(at: start, count: Int(end - start))
      try body(Piece(range: start..<end, bytes: bytes))
      start = end
    }
  }

  /// The SHA-256 of all bytes.
  func digest() throws -> Digest {
    let zeros = [UInt8](repeating: 0, count: Self.pieceBytes)
    var hash = SHA256Stream()
    try forEachPiece { piece in
      if let bytes = piece.bytes {
        hash.update(bytes)
      } else {
        zeros.withUnsafeBytes { all in
          hash.update(UnsafeRawBufferPointer(rebasing: all[..<piece.range.count]))
        }
      }
    }
    return hash.finish()
  }

  /// Copies all bytes to the beginning of an empty file; holes stay holes.
  func copy(to target: any LedgerFile) throws {
    try forEachPiece { piece in
      guard let bytes = piece.bytes else { return }
      try target.write(bytes, at: piece.range.lowerBound - range.lowerBound)
    }
    let length = range.upperBound - range.lowerBound
    if try target.size() < length { try target.truncate(to: length) }
  }

  /// Overwrites all bytes with zeros; a hole holds nothing else.
  func clear() throws {
    try forEachPiece { piece in
      guard let bytes = piece.bytes else { return }
      try file.write([UInt8](repeating: 0, count: bytes.count), at: piece.range.lowerBound)
    }
  }

  /// Whether all bytes are zero.
  func isAllZero() throws -> Bool {
    var isZero = true
    try forEachPiece { piece in
      let bytes = piece.bytes ?? []
      if Zeros.lastOther(in: bytes, bytes.indices) != nil { isZero = false }
    }
    return isZero
  }
}
