import Foundation

/// Reads one JSON text, strictly: RFC 8259, valid UTF-8, no key twice, no lone surrogate, an integer
/// literal exactly or not at all.
package struct PlainJSONReader {
  /// What is wrong, and at which byte.
  package struct Failure: Error, Equatable {
    package let reason: String
    package let offset: Int

    package init(reason: String, offset: Int) {
      self.reason = reason
      self.offset = offset
    }
  }

  /// Deeper than anything the ledger takes; it only keeps the stack safe.
  private static let depthMax = 512

  private let bytes: [UInt8]
  private var position = 0

  package static func read(_ bytes: [UInt8]) throws(Failure) -> PlainJSON {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Failure(reason: "not UTF-8", offset: 0)
    }
    var reader = PlainJSONReader(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.failure("more after the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func failure(_ reason: String) -> Failure { Failure(reason: reason, offset: position) }

  /// The byte under the cursor; 0, which is valid nowhere outside of a string, at the end.
  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipSpace() {
    while [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ text: String) throws(Failure) {
    for byte in text.utf8 {
      guard next == byte else { throw failure("expected \(text)") }
      position += 1
    }
  }

  private mutating func value(depth: Int) throws(Failure) -> PlainJSON {
    guard depth <= Self.depthMax else { throw failure("nested too deep") }
    skipSpace()
    switch next {
    case UInt8(ascii: "n"):
      try expect("null")
      return .null
    case UInt8(ascii: "t"):
      try expect("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try expect("false")
      return .bool(false)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "{"): return try object(depth: depth)
    default: return try number()
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> PlainJSON {
    try expect("[")
    var elements: [PlainJSON] = []
    if skip(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
    } while skip(UInt8(ascii: ","))
    try expect("]")
    return .array(elements)
  }

  private mutating func object(depth: Int) throws(Failure) -> PlainJSON {
    try expect("{")
    var members: [PlainMember] = []
    var keys: Set<PlainText> = []
    if skip(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      let key = try text()
      guard keys.insert(key).inserted else { throw failure("the key \(key) is there twice") }
      skipSpace()
      try expect(":")
      members.append(PlainMember(key, try value(depth: depth + 1)))
    } while skip(UInt8(ascii: ","))
    try expect("}")
    return .object(members)
  }
}

/// Numbers.
extension PlainJSONReader {
  private mutating func digits() throws(Failure) {
    let start = position
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { position += 1 }
    guard position > start else { throw failure("expected a digit") }
  }

  private mutating func number() throws(Failure) -> PlainJSON {
    let start = position
    var isInteger = true
    if next == UInt8(ascii: "-") { position += 1 }
    let first = position
    try digits()
    if bytes[first] == UInt8(ascii: "0"), position > first + 1 {
      throw failure("a number starts with 0")
    }
    if next == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let literal = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      guard let integer = Int64(literal) else { throw failure("\(literal) is not 64-bit") }
      return .int(integer)
    }
    // strtod rounds to the nearest double; too large is infinite, too small is zero.
    let double = strtod(literal, nil)
    guard double.isFinite else { throw failure("\(literal) is not finite") }
    return .double(double)
  }
}

/// Strings.
extension PlainJSONReader {
  private mutating func text() throws(Failure) -> PlainText {
    try expect("\"")
    var result: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return PlainText(bytes: result)
      case 0..<0x20: throw failure("a control character in a string")
      case UInt8(ascii: "\\"):
        position += 1
        result += try escaped()
      default:
        result.append(byte)
        position += 1
      }
    }
    throw failure("a string without an end")
  }

  private mutating func escaped() throws(Failure) -> [UInt8] {
    let byte = next
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default: throw failure("an unknown escape")
    }
  }

  private mutating func scalar() throws(Failure) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard UTF16.isLeadSurrogate(first) else { throw failure("a lone surrogate") }
    try expect("\\u")
    let second = try unit()
    guard UTF16.isTrailSurrogate(second) else { throw failure("a lone surrogate") }
    return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))!
  }

  private mutating func unit() throws(Failure) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
        throw failure("expected four hexadecimal digits")
      }
      unit = unit << 4 + UInt16(digit)
      position += 1
    }
    return unit
  }
}
