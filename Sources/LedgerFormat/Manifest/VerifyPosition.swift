import LedgerCore

/// How far a verification came: 104 bytes.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 32 | file header |
/// | 32 | 8 | the last event that was verified |
/// | 40 | 32 | the log digest after it |
/// | 72 | 8 | checksum of what the manifest says of the segments up to it |
/// | 80 | 8 | when the verification began |
/// | 88 | 8 | 1 when it came to its end, else 0 |
/// | 96 | 8 | checksum of all that |
package struct VerifyPosition: Hashable, Sendable {
  package static let byteCount = 104

  package var ledger: ReplicaID
  package var sequence: UInt64
  package var digest: Digest
  /// Stands for the files that were read: where one was exchanged since, they are read again.
  package var segments: UInt64
  package var began: LedgerTime
  package var isDone: Bool

  /// A position at the end of some of a manifest's segments.
  ///
  /// - Parameter count: how many segments were verified.
  package init(_ manifest: Manifest, segments count: Int, began: LedgerTime, isDone: Bool) {
    let verified = manifest.segments.prefix(count)
    ledger = manifest.ledger
    sequence = verified.last?.lastSequence ?? 0
    digest = verified.last?.digestAfter ?? .zero
    var bytes: [UInt8] = []
    for entry in verified { entry.append(to: &bytes) }
    segments = checksum(of: bytes, in: 0..<bytes.count)
    self.began = began
    self.isDone = isDone
  }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    FileHeader(.verifyPosition, ledger: ledger).append(to: &bytes)
    bytes.append(u64: sequence)
    bytes.append(digest: digest)
    bytes.append(u64: segments)
    bytes.append(u64: UInt64(bitPattern: began.milliseconds))
    bytes.append(u64: isDone ? 1 : 0)
    bytes.append(u64: checksum(of: bytes, in: 0..<bytes.count))
    return bytes
  }

  package init(_ bytes: [UInt8]) throws(LedgerError) {
    var reader = ByteReader(bytes)
    ledger = try FileHeader(&reader, expecting: .verifyPosition) { () throws(LedgerError) in
      try Self.check(bytes)
    }.ledger
    sequence = try reader.u64()
    digest = try reader.digest()
    segments = try reader.u64()
    guard let time = try? LedgerTime(milliseconds: try reader.i64()) else {
      throw reader.fail("the time at which the verification began does not exist")
    }
    began = time
    let done = try reader.u64()
    guard done <= 1 else { throw reader.fail("whether the verification is done is \(done)") }
    isDone = done == 1
  }

  private static func check(_ bytes: [UInt8]) throws(LedgerError) {
    guard bytes.count == byteCount else {
      throw LedgerError(
        .damaged, "a position of verify has \(bytes.count) bytes, expected \(byteCount)")
    }
    var tail = ByteReader(bytes, byteCount - 8..<byteCount)
    let found = checksum(of: bytes, in: 0..<byteCount - 8)
    let stored = try tail.u64()
    guard stored == found else {
      throw LedgerError(
        .damaged, "the checksum of a position is \(hex(found)), expected \(hex(stored))", offset: 0)
    }
  }
}
