import LedgerCore

/// CURRENT: which manifest is the ledger's, 64 bytes.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 32 | file header |
/// | 32 | 8 | the number of the manifest |
/// | 40 | 8 | its length |
/// | 48 | 8 | its checksum |
/// | 56 | 8 | checksum of all that |
package struct CurrentFile: Hashable, Sendable {
  package static let byteCount = 64
  /// Manifests have lower numbers: one more can always be named.
  package static let manifestNumberMax: UInt64 = 1 << 62

  package var ledger: ReplicaID
  package var manifestNumber: UInt64
  package var manifestLength: UInt64
  package var manifestChecksum: UInt64

  /// Names a manifest by its bytes.
  package init(ledger: ReplicaID, manifestNumber: UInt64, manifestBytes: [UInt8]) {
    self.ledger = ledger
    self.manifestNumber = manifestNumber
    manifestLength = UInt64(manifestBytes.count)
    manifestChecksum = checksum(of: manifestBytes, in: 0..<manifestBytes.count)
  }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    FileHeader(.current, ledger: ledger).append(to: &bytes)
    bytes.append(u64: manifestNumber)
    bytes.append(u64: manifestLength)
    bytes.append(u64: manifestChecksum)
    bytes.append(u64: checksum(of: bytes, in: 0..<bytes.count))
    return bytes
  }

  package init(_ bytes: [UInt8]) throws(LedgerError) {
    var reader = ByteReader(bytes)
    ledger = try FileHeader(&reader, expecting: .current) { () throws(LedgerError) in
      try Self.check(bytes)
    }.ledger
    guard bytes.count == Self.byteCount else {
      throw LedgerError(
        .damaged, "CURRENT has \(bytes.count) bytes, expected \(Self.byteCount)")
    }
    manifestNumber = try reader.u64()
    guard manifestNumber < Self.manifestNumberMax else {
      throw LedgerError(
        .damaged, "CURRENT names manifest \(manifestNumber), and none has such a number", offset: 32)
    }
    manifestLength = try reader.u64()
    manifestChecksum = try reader.u64()
  }

  private static func check(_ bytes: [UInt8]) throws(LedgerError) {
    guard bytes.count >= byteCount else {
      throw LedgerError(.damaged, "CURRENT has \(bytes.count) bytes, expected \(byteCount)")
    }
    var tail = ByteReader(bytes, byteCount - 8..<byteCount)
    let found = checksum(of: bytes, in: 0..<byteCount - 8)
    let stored = try tail.u64()
    guard stored == found else {
      throw LedgerError(
        .damaged, "the checksum of CURRENT is \(hex(found)), expected \(hex(stored))", offset: 0)
    }
  }
}
