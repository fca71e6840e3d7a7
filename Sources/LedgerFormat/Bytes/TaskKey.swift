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
    var index = 0
    for byte in stored {
      if index == 4 || index == 6 || index == 8 || index == 10 { digits.append(0x2d) }
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
      index += 1
    }
    return digits
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? 0x30 + nibble : 0x57 + nibble
  }

  /// The sixteen bytes of a text of the form of a UUID in lower case.
  private static func pack(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 36 else { return nil }
    return text.withBytes { characters in
      var isPacked = true
      let bytes = [UInt8](unsafeUninitializedCapacity: 16) { target, count in
        var at = 0
        for place in 0..<16 {
          if at == 8 || at == 13 || at == 18 || at == 23 {
            isPacked = isPacked && characters[at] == 0x2d
            at += 1
          }
          let high = nibble(characters[at])
          let low = nibble(characters[at + 1])
          isPacked = isPacked && high < 16 && low < 16
          target[place] = high << 4 | low & 15
          at += 2
        }
        count = 16
      }
      return isPacked ? bytes : nil
    }
  }

  /// The value of a digit; 16 and above for any other character.
  private static func nibble(_ character: UInt8) -> UInt8 {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x61...0x66: character - 0x57
    default: 0xff
    }
  }
}
