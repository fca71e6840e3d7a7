import LedgerCore

/// The first byte of an encoded value.
///
/// | tag | value | what follows |
/// |---|---|---|
/// | 0 | unset | nothing |
/// | 1, 2 | false, true | nothing |
/// | 3 | integer | zigzag variable-length integer |
/// | 4 | double | eight bytes, IEEE 754, little-endian |
/// | 5 | text | length, bytes |
/// | 6 | array | count, values |
/// | 7 | interned value | its number in the segment's table (sealed segments only) |
/// | 8 | text that is a date "YYYY-MM-DD" | days since 1970-01-01, zigzag (sealed segments only) |
///
/// Types 7 and 8 are named by the shapes of a sealed segment alone: no other value starts with them.
package enum ValueTag {
  package static let unset: UInt8 = 0
  package static let no: UInt8 = 1
  package static let yes: UInt8 = 2
  package static let int: UInt8 = 3
  package static let double: UInt8 = 4
  package static let text: UInt8 = 5
  package static let array: UInt8 = 6
  package static let interned: UInt8 = 7
  package static let date: UInt8 = 8
}

extension LedgerError {
  /// For a kind or type that a newer version may know.
  static func unknownNumber(_ number: UInt8, of what: String, offset: Int? = nil) -> LedgerError {
    LedgerError(
      .unsupported, "\(what) \(number), which this version does not know",
      offset: offset.map(UInt64.init), hint: "install a newer `ledger`")
  }
}

extension [UInt8] {
  /// Appends a value with its tag; nil is an unset.
  package mutating func append(value: Value?) {
    switch value {
    case nil: append(ValueTag.unset)
    case .bool(let flag): append(flag ? ValueTag.yes : ValueTag.no)
    case .int(let number):
      append(ValueTag.int)
      append(zigzag: number)
    case .double(let number):
      append(ValueTag.double)
      append(u64: number.bitPattern)
    case .text(let text):
      append(ValueTag.text)
      append(text: text)
    case .array(let values):
      append(ValueTag.array)
      append(varint: UInt64(values.count))
      for value in values { append(value: value) }
    }
  }
}

extension ByteReader {
  /// A value with its tag; nil is an unset, which is refused inside arrays.
  package mutating func value(depth: Int = 0) throws(LedgerError) -> Value? {
    let tag = try u8()
    switch tag {
    case ValueTag.unset where depth == 0: return nil
    case ValueTag.no: return .bool(false)
    case ValueTag.yes: return .bool(true)
    case ValueTag.int: return .int(try zigzag())
    case ValueTag.double: return try double()
    case ValueTag.text: return .text(try text())
    case ValueTag.array: return try array(depth: depth)
    case ValueTag.unset, ValueTag.interned, ValueTag.date:
      throw fail("a value has the type \(tag), which cannot stand here")
    default: throw .unknownNumber(tag, of: "a value has the type", offset: position)
    }
  }

  /// Passes over a value with its tag. That an array nests no deeper than it may, and the like, is left to who decodes it.
  package mutating func skipValue() throws(LedgerError) {
    if !skipShortText() { try skipValues(1) }
  }

  /// The same for an array without its tag.
  mutating func skipArrayBody() throws(LedgerError) { try skipValues(try count()) }

  private mutating func skipValues(_ count: Int) throws(LedgerError) {
    // What is left to pass over, so that no nesting needs a stack.
    var left = count
    while left > 0 {
      left -= 1
      if skipShortText() { continue }
      switch try u8() {
      case ValueTag.unset, ValueTag.no, ValueTag.yes: break
      case ValueTag.int: _ = try varint()
      case ValueTag.double: try skip(8)
      case ValueTag.text: try skip(try self.count())
      case ValueTag.array: left += try self.count()
      case let tag: throw fail("a value has the type \(tag), which cannot stand here")
      }
    }
  }

  package mutating func double() throws(LedgerError) -> Value {
    let number = Double(bitPattern: try u64())
    guard number.isFinite, Value.integral(number) == nil else {
      throw fail("a number is not in its shortest form")
    }
    return .double(number)
  }

  /// An array without its tag.
  package mutating func arrayBody() throws(LedgerError) -> Value { try array(depth: 0) }

  private mutating func array(depth: Int) throws(LedgerError) -> Value {
    guard depth < Limits.arrayDepthMax else { throw fail("arrays nest too deep") }
    let count = try count()
    try charge(jsonBytes: 2 * count)
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count {
      guard let value = try value(depth: depth + 1) else { throw fail("an array holds an unset") }
      values.append(value)
    }
    return .array(values)
  }

  package mutating func date() throws(LedgerError) -> String {
    let number = try zigzag()
    guard let text = DateText.text(number) else { throw fail("the day \(number) has no date") }
    return text
  }
}

/// Texts of exactly the form "YYYY-MM-DD" that name a day, as numbers of days.
package enum DateText {
  /// 0000-01-01 and 9999-12-31.
  private static let first: Int64 = -719_528
  private static let last: Int64 = 2_932_896

  /// The number of the day that the text names in this form; nil for any other text.
  package static func number(_ text: String) -> Int64? {
    guard text.utf8.count == 10 else { return nil }
    return text.utf8.withContiguousStorageIfAvailable { CivilDay($0)?.number } ?? nil
  }

  /// Whether a day lies in the years 0000 to 9999.
  package static func has(_ number: Int64) -> Bool { number >= first && number <= last }

  /// The text of a day; nil outside the years 0000 to 9999.
  package static func text(_ number: Int64) -> String? {
    guard has(number) else { return nil }
    var bytes: [UInt8] = []
    CivilDay(number: number).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
