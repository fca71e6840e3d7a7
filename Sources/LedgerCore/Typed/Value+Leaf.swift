extension Value {
  /// The value of a type that is one by itself; nil for a type that must be asked.
  init?(leaf value: some Encodable, at place: String) throws(LedgerError) {
    switch value {
    case let value as Value: self = value
    case let text as String: self = .text(text)
    case let flag as Bool: self = .bool(flag)
    case let number as any BinaryInteger:
      guard let integer = Self.init(number) else {
        throw LedgerError(
          .invalid,
          "the field \"\(place)\" is \(number), expected an integer of 64 bits with a sign",
          hint: "keep such a number as text")
      }
      self = integer
    case let number as Double: try self.init(number, at: place)
    // The shortest text of it, so that 0.1 stays 0.1.
    case let number as Float: try self.init(Double("\(number)") ?? Double(number), at: place)
    case let id as TaskID: self = .text(id.text)
    case let time as LedgerTime: self = .text(time.description)
    default: return nil
    }
  }

  private init(_ number: Double, at place: String) throws(LedgerError) {
    guard number.isFinite else {
      throw LedgerError(
        .invalid, "the field \"\(place)\" is \(number), expected a finite number",
        hint: "leave it nil")
    }
    self = Self.integral(number).map(Value.int) ?? .double(number)
  }
}

extension Value: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .int(number)
    } else if let number = try? container.decode(Double.self) {
      self = .double(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .array(try container.decode([Value].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let flag): try container.encode(flag)
    case .int(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .array(let values): try container.encode(values)
    }
  }
}

extension TaskID: Codable {
  /// Reads an id from a text, and checks it.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension LedgerTime: Codable {
  /// Reads a time from RFC 3339 text.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// RFC 3339 text in UTC with three decimals and Z.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
