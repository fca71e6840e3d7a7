/// Text is compared, sorted and hashed as UTF-8 bytes everywhere: Swift's own `==` on `String` holds two
/// Unicode forms of é to be equal, and a ledger must not.
extension String {
  /// Whether both texts consist of the same UTF-8 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    compareBytes(to: other) == 0
  }

  /// Whether both are absent or consist of the same UTF-8 bytes.
  package static func haveSameBytes(_ left: String?, _ right: String?) -> Bool {
    switch (left, right) {
    case (let left?, let right?): left.hasSameBytes(as: right)
    case (nil, nil): true
    default: false
    }
  }

  /// Whether this text sorts before another by UTF-8 bytes.
  package func bytesPrecede(_ other: String) -> Bool {
    compareBytes(to: other) < 0
  }

  /// Negative, zero or positive, as the bytes of this text sort before, with or after the other's.
  package func compareBytes(to other: String) -> Int {
    let fast = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in
        Self.compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
      }
    }
    if let fast, let result = fast { return result }
    if utf8.elementsEqual(other.utf8) { return 0 }
    return utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
  }

  private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer)
    -> Int
  {
    for index in 0..<Swift.min(left.count, right.count) where left[index] != right[index] {
      return left[index] < right[index] ? -1 : 1
    }
    return left.count - right.count
  }

  /// Feeds the UTF-8 bytes to a hasher, ended by a byte that no UTF-8 holds: "ab", "c" and "a", "bc" differ.
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xff as UInt8)
  }

  /// Whether the text holds a control character (Unicode general category Cc: U+0000 to U+001F and
  /// U+007F to U+009F).
  package var hasControlCharacter: Bool {
    var previous: UInt8 = 0
    for byte in utf8 {
      if byte < 0x20 || byte == 0x7f { return true }
      if previous == 0xc2, byte < 0xa0 { return true }
      previous = byte
    }
    return false
  }

  /// Whether this text sorts before another by UTF-16 code units, the order of keys in RFC 8785.
  package func utf16Precedes(_ other: String) -> Bool {
    Self.utf16Precedes(utf8[...], other.utf8[...])
  }

  /// Only characters from U+E000 to U+FFFF (first byte 0xEE or 0xEF) and those beyond U+FFFF (first byte 0xF0 and up,
  /// surrogates in UTF-16) sort differently in UTF-8 and UTF-16, and they differ at their first byte.
  package static func utf16Precedes(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Bool
  {
    var a = left.makeIterator()
    var b = right.makeIterator()
    while true {
      switch (a.next(), b.next()) {
      case (nil, nil), (_?, nil): return false
      case (nil, _?): return true
      case (let x?, let y?):
        if x != y { return utf16Rank(x) < utf16Rank(y) }
      }
    }
  }

  static func utf16Rank(_ byte: UInt8) -> UInt8 {
    byte == 0xee || byte == 0xef ? byte + 0x10 : byte
  }
}

/// A text as a dictionary key that is compared as bytes.
package struct ByteText: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ByteText, right: ByteText) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }

  package static func < (left: ByteText, right: ByteText) -> Bool {
    left.text.bytesPrecede(right.text)
  }
}
