import LedgerCore

/// The first 112 bytes of an active segment; frames start at byte 112.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 32 | file header |
/// | 32 | 8 | the random id of the segment |
/// | 40 | 8 | the sequence number of its first event |
/// | 48 | 16 | the replica that makes its events |
/// | 64 | 32 | the log digest before its first event |
/// | 96 | 8 | that replica's count before its first event |
/// | 104 | 8 | checksum of all that |
package struct ActiveHeader: Hashable, Sendable {
  package static let byteCount = 112

  package var ledger: ReplicaID
  package var segment: UInt64
  package var firstSequence: UInt64
  package var replica: ReplicaID
  package var digestBefore: Digest
  package var countBefore: UInt64

  package init(
    ledger: ReplicaID, segment: UInt64, firstSequence: UInt64, replica: ReplicaID,
    digestBefore: Digest, countBefore: UInt64
  ) {
    self.ledger = ledger
    self.segment = segment
    self.firstSequence = firstSequence
    self.replica = replica
    self.digestBefore = digestBefore
    self.countBefore = countBefore
  }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    FileHeader(.active, ledger: ledger).append(to: &bytes)
    bytes.append(u64: segment)
    bytes.append(u64: firstSequence)
    bytes.append(replica: replica)
    bytes.append(digest: digestBefore)
    bytes.append(u64: countBefore)
    bytes.append(u64: checksum(of: bytes))
    return bytes
  }

  package init(_ bytes: [UInt8]) throws(LedgerError) {
    guard bytes.count >= Self.byteCount else {
      throw LedgerError(
        .damaged,
        "an active segment has \(bytes.count) bytes, expected at least \(Self.byteCount)")
    }
    var reader = ByteReader(bytes, 0..<Self.byteCount)
    ledger = try FileHeader(&reader, expecting: .active) { () throws(LedgerError) in
      try Self.check(bytes)
    }.ledger
    segment = try reader.u64()
    firstSequence = try reader.u64()
    replica = try reader.replica()
    digestBefore = try reader.digest()
    countBefore = try reader.u64()
    guard firstSequence >= 1, firstSequence < UInt64(Int64.max), countBefore < UInt64(Int64.max)
    else { throw LedgerError(.damaged, "the header counts what is impossible", offset: 32) }
  }

  /// The header that was written, where it differs from these bytes by one flipped bit; nil where that is not it.
  package init?(mending bytes: [UInt8]) {
    guard bytes.count >= Self.byteCount else { return nil }
    let bytes = FlippedBit.mended(Array(bytes.prefix(Self.byteCount))) {
      (try? ActiveHeader($0)) != nil
    }
    guard let bytes, let header = try? ActiveHeader(bytes) else { return nil }
    self = header
  }

  private static func check(_ bytes: [UInt8]) throws(LedgerError) {
    var tail = ByteReader(bytes, byteCount - 8..<byteCount)
    let found = checksum(of: bytes, in: 0..<byteCount - 8)
    let stored = try tail.u64()
    guard stored == found else {
      throw LedgerError(
        .damaged, "the header's checksum is \(hex(found)), expected \(hex(stored))", offset: 0)
    }
  }

  /// What the first frame carries in the place of its predecessor's checksum.
  package var firstSeed: UInt64 { digestBefore.checksum }

  /// The log digest before the first event.
  package var logDigestBefore: LogDigest {
    LogDigest(value: digestBefore, sequence: firstSequence - 1)
  }
}

/// Sixteen hexadecimal digits.
package func hex(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
