extension Value {
  /// Makes a text.
  public init(_ text: String) { self = .text(text) }

  /// Makes a boolean.
  public init(_ flag: Bool) { self = .bool(flag) }

  /// Makes an integer; nil outside the range of 64 bits with a sign.
  public init?(_ number: some BinaryInteger) {
    guard let number = Int64(exactly: number) else { return nil }
    self = .int(number)
  }

  /// The text; nil for any other value.
  public var text: String? { if case .text(let text) = self { text } else { nil } }

  /// The boolean; nil for any other value.
  public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The integer; nil for any other value, a double with a fraction included.
  public var int: Int64? {
    switch self {
    case .int(let number): number
    case .double(let number): Self.integral(number)
    default: nil
    }
  }

  /// The number; nil for any other value.
  public var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The elements; nil for any other value.
  public var array: [Value]? { if case .array(let values) = self { values } else { nil } }
}
