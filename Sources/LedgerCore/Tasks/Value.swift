/// The value of a field: a boolean, a 64-bit integer, a double, a text, or an array of values.
///
/// Two values are equal when their canonical JSON is: 1 and 1.0 are, "é" in two Unicode forms are not.
///
/// ```swift
/// item["priority"] = 2
/// item["tags"] = ["home", "shop"]
/// ```
/// There is no value for null: a field that is not set is null. `nil` in its place unsets a field, inside of `update` and in a draft;
/// a task that is given to `upsert` leaves fields alone that it does not hold.
///
/// ```swift
/// try ledger.update(milk) { $0["due"] = nil }                 // unsets due
/// let undated = try ledger.find("due == null && owner == $who", ["who": nil])
/// ```
public enum Value: Sendable {
  /// true or false.
  case bool(Bool)
  /// A signed 64-bit integer.
  case int(Int64)
  /// A finite double; one with an integral value in the range of `int` counts as that integer.
  case double(Double)
  /// Text, compared as UTF-8 bytes.
  case text(String)
  /// Values in order, nested at most 32 deep.
  case array([Value])

  /// The integer that a double stands for, if its value is integral and in range.
  ///
  /// By hand, because `Int64(exactly:)` needs the C mathematics library, which a program that imports this module
  /// alone does not link.
  package static func integral(_ number: Double) -> Int64? {
    guard number >= -0x1p63, number < 0x1p63 else { return nil }
    let integer = Int64(number)
    return Double(integer) == number ? integer : nil
  }

  /// The value with integral doubles as integers, checked.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` for a number that is not finite, for arrays nested more than 32
  ///   deep, and for a value above 1 MiB of canonical JSON.
  package func validated() throws(LedgerError) -> Value {
    let value = try normalized(depth: 0)
    switch value {
    case .bool, .int: return value
    // No byte of text takes more than six, `\u001f`.
    case .text(let text) where text.utf8.count < Limits.valueBytesMax / 8: return value
    default: break
    }
    guard value.canonicalSize <= Limits.valueBytesMax else {
      throw LedgerError(
        .invalid,
        "a value has \(value.canonicalSize) bytes of JSON, expected at most \(Limits.valueBytesMax)"
      )
    }
    return value
  }

  private func normalized(depth: Int) throws(LedgerError) -> Value {
    switch self {
    case .bool, .int, .text: return self
    case .double(let number):
      guard number.isFinite else {
        throw LedgerError(.invalid, "the number \(number) is not finite")
      }
      return Self.integral(number).map(Value.int) ?? self
    case .array(let values):
      guard depth < Limits.arrayDepthMax else {
        throw LedgerError(
          .invalid, "arrays nest more than \(Limits.arrayDepthMax) deep")
      }
      var result: [Value] = []
      result.reserveCapacity(values.count)
      for value in values { result.append(try value.normalized(depth: depth + 1)) }
      return .array(result)
    }
  }
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.int(let a), .double(let b)), (.double(let b), .int(let a)): integral(b) == a
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    case (.array(let a), .array(let b)): a == b
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .double(let value):
      if let integer = Self.integral(value) {
        hasher.combine(integer)
      } else {
        hasher.combine(value)
      }
    case .text(let value): value.hashBytes(into: &hasher)
    case .array(let values): hasher.combine(values)
    }
  }
}

extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .int(value) }
  public init(floatLiteral value: Double) {
    self = Self.integral(value).map(Value.int) ?? .double(value)
  }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
}

extension Value: CustomStringConvertible {
  /// The canonical JSON of the value.
  public var description: String {
    var bytes: [UInt8] = []
    CanonicalJSON.append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
