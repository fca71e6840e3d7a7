import LedgerCore

/// A task id as files hold it: a UUID in lower case as sixteen bytes, anything else as text.
///
/// Packed ids sort among each other as their texts do; against others they are compared as text.
package struct TaskKey: Hashable, Sendable {
  package let id: TaskID
  /// The sixteen bytes of a UUID, or the UTF-8 of any other id.
  package let stored: [UInt8]
  package let isPacked: Bool

  package init(_ id: TaskID) {
    self.id = id
    if let packed = Self.pack(id.text) {
      stored = packed
      isPacked = true
    } else {
      stored = Array(id.text.utf8)
      isPacked = false
    }
  }

  /// 2 × length + 1 for packed, then the bytes.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(varint: UInt64(stored.count) << 1 | (isPacked ? 1 : 0))
    bytes.append(contentsOf: stored)
  }

  package init(_ reader: inout ByteReader) throws(LedgerError) {
    let head = try reader.varint()
    guard head >> 1 <= UInt64(Limits.idBytesMax) else {
      throw reader.fail("a task id has \(head >> 1) bytes")
    }
    let slice = try reader.take(Int(head >> 1))
    guard let key = TaskKey(stored: Array(slice), isPacked: head & 1 == 1) else {
      throw reader.fail("a task id is malformed")
    }
    self = key
  }

  /// A key by its bytes; nil when they are none.
  init?(stored: [UInt8], isPacked: Bool) {
    guard let id = Self.text(stored, isPacked: isPacked) else { return nil }
    self.id = id
    self.stored = stored
    self.isPacked = isPacked
  }

  /// The id of stored bytes; nil when they are none.
  package static func text(_ stored: some Collection<UInt8>, isPacked: Bool) -> TaskID? {
    guard isPacked else {
      guard let text = String(validating: stored, as: UTF8.self), pack(text) == nil else {
        return nil
      }
      return try? TaskID(text)
    }
    guard stored.count == 16 else { return nil }
    return TaskID(unchecked: String(decoding: unpack(stored), as: UTF8.self))
  }

  /// The 36 characters of a UUID.
  package static func unpack(_ stored: some Collection<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(36)
    for (index, byte) in stored.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { digits.append(0x2d) }
      for nibble in [byte >> 4, byte & 15] {
        digits.append(nibble < 10 ? 0x30 + nibble : 0x57 + nibble)
      }
    }
    return digits
  }

  /// The sixteen bytes of a text of the form of a UUID in lower case.
  private static func pack(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 36 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    var high: UInt8?
    for (index, character) in text.utf8.enumerated() {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard character == 0x2d else { return nil }
        continue
      }
      let nibble: UInt8
      switch character {
      case 0x30...0x39: nibble = character - 0x30
      case 0x61...0x66: nibble = character - 0x57
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | nibble)
        high = nil
      } else {
        high = nibble
      }
    }
    return bytes
  }
}
