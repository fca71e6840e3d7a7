import LedgerCore

/// How far a named consumer has durably processed the events.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 32 | file header |
/// | 32 | 8 | the sequence number of the last event that was processed |
/// | 40 | 32 | the log digest after it |
/// | 72 | 8 | when it was stored |
/// | 80 | | the name: length, then UTF-8 |
/// | | 8 | checksum of all that |
package struct CheckpointFile: Hashable, Sendable {
  /// No file is longer.
  package static let byteCountMax = 256
  package static let nameBytesMax = 64

  package var ledger: ReplicaID
  package var name: String
  package var digest: LogDigest
  package var stored: LedgerTime

  package init(ledger: ReplicaID, name: String, digest: LogDigest, stored: LedgerTime) {
    self.ledger = ledger
    self.name = name
    self.digest = digest
    self.stored = stored
  }

  /// Whether a text can be the name of a checkpoint: 1 to 64 lower-case letters, digits, dots, dashes and underscores, the first a
  /// letter or digit. It is part of a file's name.
  package static func isName(_ text: String) -> Bool {
    func isPlain(_ byte: UInt8) -> Bool {
      (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
    }
    guard let first = text.utf8.first, isPlain(first), text.utf8.count <= nameBytesMax else {
      return false
    }
    return text.utf8.allSatisfy { isPlain($0) || $0 == 0x2e || $0 == 0x2d || $0 == 0x5f }
  }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    FileHeader(.checkpoint, ledger: ledger).append(to: &bytes)
    bytes.append(u64: digest.sequence)
    bytes.append(digest: digest.value)
    bytes.append(u64: UInt64(bitPattern: stored.milliseconds))
    bytes.append(text: name)
    bytes.append(u64: checksum(of: bytes, in: 0..<bytes.count))
    return bytes
  }

  /// Reads a file.
  ///
  /// - Throws: `damaged` for bytes that are not what was written, `unsupported` for a newer version's.
  package init(_ bytes: [UInt8]) throws(LedgerError) {
    guard bytes.count >= FileHeader.byteCount + 8 else {
      throw LedgerError(.damaged, "a checkpoint has \(bytes.count) bytes, too few for one")
    }
    var reader = ByteReader(bytes, 0..<bytes.count - 8)
    ledger = try FileHeader(&reader, expecting: .checkpoint) { () throws(LedgerError) in
      try Self.check(bytes)
    }.ledger
    let sequence = try reader.u64()
    digest = LogDigest(value: try reader.digest(), sequence: sequence)
    guard let time = try? LedgerTime(milliseconds: try reader.i64()) else {
      throw reader.fail("the time at which the checkpoint was stored does not exist")
    }
    stored = time
    name = try reader.text()
    guard Self.isName(name) else { throw reader.fail("the checkpoint's name cannot be one") }
    try reader.expectEnd()
  }

  private static func check(_ bytes: [UInt8]) throws(LedgerError) {
    var tail = ByteReader(bytes, bytes.count - 8..<bytes.count)
    let found = checksum(of: bytes, in: 0..<bytes.count - 8)
    let expected = try tail.u64()
    guard expected == found else {
      throw LedgerError(
        .damaged, "the checksum of the checkpoint is \(hex(found)), expected \(hex(expected))",
        offset: 0)
    }
  }
}
