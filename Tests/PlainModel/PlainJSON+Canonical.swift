import Foundation

/// Canonical JSON: RFC 8785, but integers in full.
extension PlainJSON {
  package var canonical: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let flag): bytes += (flag ? "true" : "false").utf8
    case .int(let number): bytes += String(number).utf8
    case .double(let number): bytes += Self.ecmaScript(number).utf8
    case .text(let text): Self.write(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      let sorted = members.sorted { $0.key.precedesByUTF16($1.key) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.write(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Only what JSON demands is escaped: quote, backslash, and what is below U+0020.
  private static func write(_ text: PlainText, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.bytes {
      switch byte {
      case UInt8(ascii: "\""): bytes += #"\""#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case 0x08: bytes += #"\b"#.utf8
      case 0x09: bytes += #"\t"#.utf8
      case 0x0A: bytes += #"\n"#.utf8
      case 0x0C: bytes += #"\f"#.utf8
      case 0x0D: bytes += #"\r"#.utf8
      case 0..<0x10: bytes += (#"\u000"# + String(byte, radix: 16)).utf8
      case 0x10..<0x20: bytes += (#"\u00"# + String(byte, radix: 16)).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

/// Doubles as ECMAScript's Number::toString prints them.
extension PlainJSON {
  package static func ecmaScript(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number == 0 { return "0" }
    if number < 0 { return "-" + ecmaScript(-number) }
    if number.isInfinite { return "Infinity" }  // no JSON: only for messages about refused values
    // The value is 0.DIGITS times ten to the power of `point`.
    let (digits, point) = shortestDigits(number)
    let count = digits.count
    if count <= point && point <= 21 {
      return digits + String(repeating: "0", count: point - count)
    }
    if 0 < point && point <= 21 {
      return digits.prefix(point) + "." + digits.dropFirst(point)
    }
    if -6 < point && point <= 0 {
      return "0." + String(repeating: "0", count: -point) + digits
    }
    let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
    return mantissa + "e" + (point > 0 ? "+" : "-") + String(abs(point - 1))
  }

  /// The fewest digits that read back as the number, found by trying 1, 2, 3 … of them.
  ///
  /// Beside a power of two the nearest decimal of that length may lie just outside while its
  /// neighbour reads back, so both neighbours are tried too.
  private static func shortestDigits(_ number: Double) -> (digits: String, point: Int) {
    for count in 1...17 {
      let parts = String(format: "%.\(count - 1)e", number).split(separator: "e")
      let nearest = Int(parts[0].filter { $0 != "." })!
      let exponent = Int(parts[1])! - (count - 1)
      for digits in [nearest, nearest - 1, nearest + 1] {
        guard Double("\(digits)e\(exponent)") == number else { continue }
        let text = String(digits)
        return (String(text.trimmingSuffix(of: "0")), text.count + exponent)
      }
    }
    preconditionFailure("17 digits always read back as the same double")
  }
}

extension String {
  fileprivate func trimmingSuffix(of character: Character) -> Substring {
    var rest = self[...]
    while rest.count > 1 && rest.last == character { rest.removeLast() }
    return rest
  }
}
