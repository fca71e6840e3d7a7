import LedgerCore

extension JSONScanner {
  /// Passes what a field may hold: a value, or null, which is nil.
  ///
  /// - Parameter elements: Grows by the number of values, those inside arrays included.
  package mutating func valueOrNull(elements: inout Int) throws(JSONProblem) -> Value? {
    if current == 0x6e {
      try literal("null")
      return nil
    }
    let start = position
    return try value(depth: 0, from: start, elements: &elements)
  }

  private mutating func value(
    depth: Int, from start: Int, elements: inout Int
  ) throws(JSONProblem) -> Value {
    elements += 1
    switch current {
    case 0x22: return .text(string(try text()))
    case 0x2d, 0x30...0x39: return try number()
    case 0x74:
      try literal("true")
      return .bool(true)
    case 0x66:
      try literal("false")
      return .bool(false)
    case 0x5b: return .array(try array(depth: depth, from: start, elements: &elements))
    default: throw mismatch(expected: depth > 0 ? "a value inside the array" : "a value")
    }
  }

  private mutating func array(
    depth: Int, from start: Int, elements: inout Int
  ) throws(JSONProblem) -> [Value] {
    guard depth < Limits.arrayDepthMax else {
      throw JSONProblem("arrays nest more than \(Limits.arrayDepthMax) deep", at: position)
    }
    var values: [Value] = []
    guard try open(.array) else { return values }
    repeat {
      // An element takes at least one byte: what will be refused for its size must not fill the memory first.
      guard elements < Limits.valueBytesMax else {
        throw JSONProblem(
          "a value has more than \(Limits.valueBytesMax) bytes of JSON, which is the most",
          at: start)
      }
      values.append(try value(depth: depth + 1, from: start, elements: &elements))
    } while try hasNext(in: .array)
    return values
  }

  /// Passes any JSON value, objects and nulls included; used where a line is known to be bad and only one of
  /// its keys is wanted.
  mutating func skipValue(depth: Int = 0) throws(JSONProblem) {
    guard depth <= Self.skippedDepthMax else {
      throw JSONProblem("brackets nest more than \(Self.skippedDepthMax) deep", at: position)
    }
    switch current {
    case 0x22: _ = try text()
    case 0x2d, 0x30...0x39: _ = try number()
    case 0x74: try literal("true")
    case 0x66: try literal("false")
    case 0x6e: try literal("null")
    case 0x5b:
      guard try open(.array) else { return }
      repeat { try skipValue(depth: depth + 1) } while try hasNext(in: .array)
    default:
      guard try open(.object) else { return }
      repeat {
        _ = try key()
        try skipValue(depth: depth + 1)
      } while try hasNext(in: .object)
    }
  }

  private static var skippedDepthMax: Int { 512 }
}
