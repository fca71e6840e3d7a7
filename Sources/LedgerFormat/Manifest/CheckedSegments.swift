import LedgerCore

/// When maintenance read which segment last and found it as it was written.
///
/// Whoever has no such file, or one that is damaged, starts with all segments unread.
package struct CheckedSegments: Hashable, Sendable {
  /// No file of it is longer.
  package static let bytesMax = 16 << 20

  /// One segment that was read.
  package struct Entry: Hashable, Sendable {
    /// The name of its file inside `segments`.
    package var file: String
    /// The checksum by which the manifest knew it.
    package var checksum: UInt64
    /// When it was read.
    package var time: LedgerTime

    package init(file: String, checksum: UInt64, time: LedgerTime) {
      self.file = file
      self.checksum = checksum
      self.time = time
    }
  }

  package var ledger: ReplicaID
  package var entries: [Entry]

  package init(ledger: ReplicaID, entries: [Entry] = []) {
    self.ledger = ledger
    self.entries = entries
  }

  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    FileHeader(.checkpoint, ledger: ledger).append(to: &bytes)
    bytes.append(varint: UInt64(entries.count))
    for entry in entries {
      bytes.append(text: entry.file)
      bytes.append(u64: entry.checksum)
      bytes.append(zigzag: entry.time.milliseconds)
    }
    bytes.append(u64: LedgerFormat.checksum(of: bytes, in: 0..<bytes.count))
    return bytes
  }

  package init(_ bytes: [UInt8]) throws(LedgerError) {
    guard bytes.count >= FileHeader.byteCount + 8 else {
      throw LedgerError(.damaged, "a checkpoint has \(bytes.count) bytes")
    }
    var reader = ByteReader(bytes, 0..<bytes.count - 8)
    ledger = try FileHeader(&reader, expecting: .checkpoint) { () throws(LedgerError) in
      try Self.check(bytes)
    }.ledger
    entries = []
    for _ in 0..<(try reader.count(bytesEach: 10)) {
      entries.append(
        Entry(
          file: try reader.text(), checksum: try reader.u64(),
          time: try reader.time(relativeTo: 0)))
    }
    try reader.expectEnd()
  }

  private static func check(_ bytes: [UInt8]) throws(LedgerError) {
    var tail = ByteReader(bytes, bytes.count - 8..<bytes.count)
    let found = LedgerFormat.checksum(of: bytes, in: 0..<bytes.count - 8)
    let stored = try tail.u64()
    guard stored == found else {
      throw LedgerError(
        .damaged, "the checkpoint's checksum is \(hex(found)), expected \(hex(stored))", offset: 0)
    }
  }
}
