/// A JSON value with exact integers and with members in the order in which they were written.
///
/// A command is given such values. A field of a task holds only some of them: a bool, an integer, a
/// double without an integral value in range, a text, or an array of these (`asFieldValue`).
package indirect enum PlainJSON: Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case text(PlainText)
  case array([PlainJSON])
  case object([PlainMember])
}

/// One key of an object with its value.
package struct PlainMember: Sendable {
  package var key: PlainText
  package var value: PlainJSON

  package init(_ key: PlainText, _ value: PlainJSON) {
    self.key = key
    self.value = value
  }
}

/// Two values are equal when their canonical JSON is: that is the rule, so it is also the code.
extension PlainJSON: Equatable {
  package static func == (one: PlainJSON, other: PlainJSON) -> Bool {
    one.canonical == other.canonical
  }
}

extension PlainMember: Equatable {}

extension PlainJSON: CustomStringConvertible {
  package var description: String { String(decoding: canonical, as: UTF8.self) }
}

extension PlainJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral
{
  package init(stringLiteral text: String) { self = .text(PlainText(text)) }
  package init(integerLiteral number: Int64) { self = .int(number) }
  package init(booleanLiteral flag: Bool) { self = .bool(flag) }
  package init(floatLiteral number: Double) { self = .double(number) }
  package init(arrayLiteral elements: PlainJSON...) { self = .array(elements) }
}

/// What of all JSON a field can hold.
extension PlainJSON {
  package static let arrayDepthMax = 32
  package static let fieldValueSizeMax = 1 << 20

  /// The value as a field keeps it, or nil when it must be refused.
  package var asFieldValue: PlainJSON? {
    guard let value = kept(arraysAround: 0), value.canonical.count <= Self.fieldValueSizeMax else {
      return nil
    }
    return value
  }

  private func kept(arraysAround depth: Int) -> PlainJSON? {
    switch self {
    case .null, .object: return nil
    case .bool, .int, .text: return self
    case .double(let number): return Self.number(number)
    case .array(let elements):
      guard depth < Self.arrayDepthMax else { return nil }
      var kept: [PlainJSON] = []
      for element in elements {
        guard let value = element.kept(arraysAround: depth + 1) else { return nil }
        kept.append(value)
      }
      return .array(kept)
    }
  }

  /// A double with an integral value in the range of Int64 is that integer, so -0.0 is 0.
  private static func number(_ number: Double) -> PlainJSON? {
    guard number.isFinite else { return nil }
    let isInteger = number.rounded() == number && number >= -0x1p63 && number < 0x1p63
    return isInteger ? .int(Int64(number)) : .double(number)
  }
}
