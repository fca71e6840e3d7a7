#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Text is compared, sorted and hashed as UTF-8 bytes everywhere: Swift's own `==` on `String` holds two
/// Unicode forms of é to be equal, and a ledger must not.
extension String {
  /// Whether both texts consist of the same UTF-8 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    // Most that differ differ in length, which both know.
    utf8.count == other.utf8.count && compareBytes(to: other) == 0
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
    withBytes { left in other.withBytes { right in Self.compare(left, right) } }
  }

  private static func compare(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  )
    -> Int
  {
    guard let a = left.baseAddress, let b = right.baseAddress else {
      return left.count - right.count
    }
    let order = memcmp(a, b, Swift.min(left.count, right.count))
    return order != 0 ? Int(order) : left.count - right.count
  }

  /// Calls `body` with the UTF-8 bytes, in place where they are contiguous.
  @inline(__always)
  package func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    var text = self
    return text.withUTF8(body)
  }

  /// Feeds the UTF-8 bytes to a hasher, ended by a byte that no UTF-8 holds: "ab", "c" and "a", "bc" differ.
  package func hashBytes(into hasher: inout Hasher) {
    withBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xff as UInt8)
  }

  /// Whether the text holds a control character (Unicode general category Cc: U+0000 to U+001F and
  /// U+007F to U+009F).
  package var hasControlCharacter: Bool {
    withBytes { bytes in
      var previous: UInt8 = 0
      for byte in bytes {
        if byte < 0x20 || byte == 0x7f { return true }
        if previous == 0xc2, byte < 0xa0 { return true }
        previous = byte
      }
      return false
    }
  }

  /// Whether the member under this dotted name stands before another in a document: segments compare one by one, by UTF-16 code
  /// units, the order that RFC 8785 (section 3.2.3) gives to keys.
  package func precedesInDocument(_ other: String) -> Bool {
    let dot = UInt8(ascii: ".")
    var a = utf8.makeIterator()
    var b = other.utf8.makeIterator()
    while true {
      switch (a.next(), b.next()) {
      case (_, nil): return false
      case (nil, _?): return true
      case (let x?, let y?):
        if x == y { continue }
        if x == dot || y == dot { return x == dot }
        return Self.utf16Rank(x) < Self.utf16Rank(y)
      }
    }
  }

  /// Only characters from U+E000 to U+FFFF (first byte 0xEE or 0xEF) and those beyond U+FFFF (first byte 0xF0 and up,
  /// surrogates in UTF-16) sort differently in UTF-8 and UTF-16, and they differ at their first byte.
  private static func utf16Rank(_ byte: UInt8) -> UInt8 {
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
