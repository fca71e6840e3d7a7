/// JSON in the canonical form of RFC 8785, with integers in full.
package enum CanonicalJSON {
  /// Appends a value.
  package static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .int(let number): append(number, to: &bytes)
    case .double(let number): append(number, to: &bytes)
    case .text(let text): append(text, to: &bytes)
    case .array(let values):
      bytes.append(0x5b)
      for (index, element) in values.enumerated() {
        if index > 0 { bytes.append(0x2c) }
        append(element, to: &bytes)
      }
      bytes.append(0x5d)
    }
  }

  /// Appends an integer in full.
  package static func append(_ number: Int64, to bytes: inout [UInt8]) {
    if number >= 0, number < 10 {
      bytes.append(0x30 + UInt8(number))
    } else {
      bytes.append(contentsOf: String(number).utf8)
    }
  }

  /// Appends a text in quotes (RFC 8785, section 3.2.2.2).
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(0x22)
    let done: Void? = text.utf8.withContiguousStorageIfAvailable {
      appendEscaped($0, to: &bytes)
    }
    if done == nil { Array(text.utf8).withUnsafeBufferPointer { appendEscaped($0, to: &bytes) } }
    bytes.append(0x22)
  }

  /// Appends UTF-8 bytes with what must be escaped escaped, without quotes.
  package static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    guard holdsEscaped(UnsafeRawBufferPointer(text)) else {
      bytes.append(contentsOf: text)
      return
    }
    var start = 0
    for index in 0..<text.count {
      let byte = text[index]
      if byte >= 0x20, byte != 0x22, byte != 0x5c { continue }
      bytes.append(contentsOf: text[start..<index])
      start = index + 1
      bytes.append(0x5c)
      switch byte {
      case 0x22, 0x5c: bytes.append(byte)
      case 0x08: bytes.append(0x62)
      case 0x09: bytes.append(0x74)
      case 0x0a: bytes.append(0x6e)
      case 0x0c: bytes.append(0x66)
      case 0x0d: bytes.append(0x72)
      default:
        bytes.append(contentsOf: [0x75, 0x30, 0x30, hex(byte >> 4), hex(byte & 15)])
      }
    }
    bytes.append(contentsOf: text[start...])
  }

  /// Whether a byte of a text must be escaped: eight of them at a time, for most have none.
  private static func holdsEscaped(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place <= text.count - 8 {
      if holdsEscaped(text.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { return true }
      place += 8
    }
    return text[place...].contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c }
  }

  /// Whether one of eight bytes is below 0x20, a quote or a backslash: each of these subtractions borrows from the highest bit of a
  /// byte that is less than the number, and does so first where one is.
  private static func holdsEscaped(_ eight: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = eight ^ ones &* 0x22
    let backslash = eight ^ ones &* 0x5c
    let less =
      (eight &- ones &* 0x20) & ~eight | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    return less & ones &* 0x80 != 0
  }

  private static func hex(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

  /// Appends a finite double as ECMAScript's Number::toString does (RFC 8785, section 3.2.2.3).
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    if let integer = Value.integral(number) { return append(integer, to: &bytes) }
    if number < 0 { bytes.append(0x2d) }
    let (digits, point) = shortestDigits(number.magnitude)
    let zero: UInt8 = 0x30
    if point > 21 || point < -5 {
      bytes.append(digits[0])
      if digits.count > 1 {
        bytes.append(0x2e)
        bytes.append(contentsOf: digits[1...])
      }
      bytes.append(0x65)
      bytes.append(point > 0 ? 0x2b : 0x2d)
      append(Int64((point - 1).magnitude), to: &bytes)
    } else if point <= 0 {
      bytes.append(contentsOf: [zero, 0x2e])
      bytes.append(contentsOf: repeatElement(zero, count: -point))
      bytes.append(contentsOf: digits)
    } else {
      bytes.append(contentsOf: digits.prefix(point))
      bytes.append(contentsOf: repeatElement(zero, count: max(0, point - digits.count)))
      if digits.count > point {
        bytes.append(0x2e)
        bytes.append(contentsOf: digits[point...])
      }
    }
  }

  /// The shortest decimal digits that read back as the number, without zeros at either end, and where the
  /// decimal point stands relative to their start. Swift's `description` gives the same digits as ECMAScript.
  private static func shortestDigits(_ number: Double) -> (digits: [UInt8], point: Int) {
    var digits: [UInt8] = []
    var point = 0
    var seenPoint = false
    var exponent = 0
    var text = Array(number.description.utf8)[...]
    if let e = text.firstIndex(of: 0x65) {
      exponent = Int(String(decoding: text[(e + 1)...], as: UTF8.self)) ?? 0
      text = text[..<e]
    }
    for byte in text {
      if byte == 0x2e {
        seenPoint = true
      } else {
        if !seenPoint { point += 1 }
        digits.append(byte)
      }
    }
    let leading = digits.prefix { $0 == 0x30 }.count
    digits.removeFirst(leading)
    point -= leading
    while digits.count > 1, digits.last == 0x30 { digits.removeLast() }
    return (digits, point + exponent)
  }
}

extension Value {
  /// The number of bytes of its canonical JSON.
  package var canonicalSize: Int {
    switch self {
    case .bool(let flag): return flag ? 4 : 5
    case .int, .double:
      var bytes: [UInt8] = []
      CanonicalJSON.append(self, to: &bytes)
      return bytes.count
    case .text(let text): return CanonicalJSON.size(of: text)
    case .array(let values):
      return values.reduce(2 + max(0, values.count - 1)) { $0 + $1.canonicalSize }
    }
  }
}

extension CanonicalJSON {
  /// The number of bytes of a text in quotes.
  package static func size(of text: String) -> Int {
    text.withBytes { bytes in
      var count = 2 + bytes.count
      for byte in bytes where byte < 0x20 || byte == 0x22 || byte == 0x5c {
        switch byte {
        case 0x22, 0x5c, 0x08, 0x09, 0x0a, 0x0c, 0x0d: count += 1
        default: count += 5
        }
      }
      return count
    }
  }
}
