import LedgerCore

extension UnsafeMutableRawBufferPointer {
  /// Stores a number, little-endian.
  ///
  /// - Precondition: there is room for it.
  @inline(__always)
  func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
    precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count)
    storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
  }
}

/// Appends little-endian numbers and variable-length integers (7 bits a byte, least significant first).
extension [UInt8] {
  package mutating func append(u16 value: UInt16) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  package mutating func append(u32 value: UInt32) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  package mutating func append(u64 value: UInt64) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
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
    text.withBytes { bytes in
      append(varint: UInt64(bytes.count))
      append(contentsOf: bytes)
    }
  }

  package mutating func append(replica: ReplicaID) { append(uuid: replica.uuid) }

  /// The sixteen bytes of a UUID.
  package mutating func append(uuid: PackedUUID) {
    Swift.withUnsafeBytes(of: (uuid.high.bigEndian, uuid.low.bigEndian)) {
      append(contentsOf: $0)
    }
  }

  package mutating func append(digest: Digest) {
    digest.withUnsafeBytes { append(contentsOf: $0) }
  }
}
