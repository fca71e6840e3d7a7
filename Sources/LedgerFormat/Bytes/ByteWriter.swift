import LedgerCore

/// Appends little-endian numbers and variable-length integers (7 bits a byte, least significant first).
extension [UInt8] {
  package mutating func append(u16 value: UInt16) { appendLittleEndian(UInt64(value), 2) }
  package mutating func append(u32 value: UInt32) { appendLittleEndian(UInt64(value), 4) }
  package mutating func append(u64 value: UInt64) { appendLittleEndian(value, 8) }

  private mutating func appendLittleEndian(_ value: UInt64, _ count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  /// Overwrites eight bytes.
  package mutating func replace(u64 value: UInt64, at offset: Int) {
    for index in 0..<8 { self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  package mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Small magnitudes of either sign become small numbers: 0, -1, 1, -2, …
  package mutating func append(zigzag value: Int64) {
    append(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// The length as a variable-length integer, then the UTF-8 bytes.
  package mutating func append(text: String) {
    append(varint: UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  package mutating func append(replica: ReplicaID) {
    for word in [replica.high, replica.low] {
      for index in 0..<8 { append(UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * index))) }
    }
  }

  package mutating func append(digest: Digest) { append(contentsOf: digest.bytes) }
}
