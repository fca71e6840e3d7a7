import LedgerCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension JSONScanner {
  /// Passes a number: an integer literal exactly, any other as the nearest double, which is an integer when it
  /// is integral and fits 64 bits.
  mutating func number() throws(JSONProblem) -> Value {
    let start = position
    let isNegative = current == 0x2d
    if isNegative { position += 1 }
    let digits = position
    if current == 0x30, (0x30...0x39).contains(byte(at: position + 1)) {
      throw JSONProblem("found a number with a leading zero", at: start)
    }
    try passDigits()
    let end = position
    if current == 0x2e {
      position += 1
      try passDigits()
    }
    if current | 0x20 == 0x65 {
      position += 1
      if current == 0x2b || current == 0x2d { position += 1 }
      try passDigits()
    }
    if position == end { return .int(try integer(digits..<end, isNegative: isNegative)) }
    return try nearestDouble(start..<position)
  }

  private mutating func passDigits() throws(JSONProblem) {
    guard (0x30...0x39).contains(current) else { throw unexpected("a digit") }
    while (0x30...0x39).contains(current) { position += 1 }
  }

  private func integer(
    _ digits: Range<Int>, isNegative: Bool
  ) throws(JSONProblem) -> Int64 {
    // Counting downwards reaches Int64.min, whose magnitude no Int64 holds.
    var value: Int64 = 0
    for index in digits {
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (next, underflow) = shifted.subtractingReportingOverflow(
        Int64(truncatingIfNeeded: byte(at: index)) - 0x30)
      guard !overflow, !underflow else { throw beyondInteger(digits, isNegative: isNegative) }
      value = next
    }
    if isNegative { return value }
    guard value != .min else { throw beyondInteger(digits, isNegative: isNegative) }
    return -value
  }

  private func beyondInteger(_ digits: Range<Int>, isNegative: Bool) -> JSONProblem {
    let start = isNegative ? digits.lowerBound - 1 : digits.lowerBound
    return JSONProblem(
      "the integer \(string(start..<digits.upperBound).shortened) is beyond 64 bits", at: start,
      hint: "write it with a fraction or an exponent to store the nearest double, or as text")
  }

  private func nearestDouble(_ range: Range<Int>) throws(JSONProblem) -> Value {
    let text = string(range)
    guard let number = Double(text), number.isFinite else {
      throw JSONProblem(
        "the number \(text.shortened) is beyond the range of a double", at: range.lowerBound,
        hint: "store it as text")
    }
    return Value.integral(number).map(Value.int) ?? .double(number)
  }
}
