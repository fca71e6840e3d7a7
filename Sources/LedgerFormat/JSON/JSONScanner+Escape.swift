import LedgerCore

extension JSONScanner {
  /// The character that an escape stands for, and where the escape ends.
  func escape(at index: Int) throws(JSONProblem) -> (scalar: Unicode.Scalar, end: Int) {
    let scalar: Unicode.Scalar
    switch byte(at: index + 1) {
    case 0x22: scalar = "\""
    case 0x5c: scalar = "\\"
    case 0x2f: scalar = "/"
    case 0x62: scalar = "\u{8}"
    case 0x66: scalar = "\u{c}"
    case 0x6e: scalar = "\n"
    case 0x72: scalar = "\r"
    case 0x74: scalar = "\t"
    case 0x75: return try unicodeEscape(at: index)
    default:
      throw unexpected("one of \" \\ / b f n r t u after a backslash", at: index + 1)
    }
    return (scalar, index + 2)
  }

  /// `\uXXXX`, or two of them where they are the halves of a surrogate pair.
  private func unicodeEscape(
    at index: Int
  ) throws(JSONProblem) -> (scalar: Unicode.Scalar, end: Int) {
    let first = try codeUnit(at: index + 2)
    if let scalar = Unicode.Scalar(first) { return (scalar, index + 6) }
    guard first < 0xdc00, byte(at: index + 6) == 0x5c, byte(at: index + 7) == 0x75 else {
      throw loneSurrogate(first, at: index)
    }
    let second = try codeUnit(at: index + 8)
    guard (0xdc00...0xdfff).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw loneSurrogate(first, at: index) }
    return (scalar, index + 12)
  }

  private func loneSurrogate(_ unit: UInt32, at index: Int) -> JSONProblem {
    JSONProblem(
      "found the lone surrogate \\u\(Self.hexadecimal(unit, digits: 4)) in a text, expected a pair",
      at: index)
  }

  private func codeUnit(at index: Int) throws(JSONProblem) -> UInt32 {
    var unit: UInt32 = 0
    for offset in 0..<4 {
      let byte = byte(at: index + offset)
      switch byte {
      case 0x30...0x39: unit = unit << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: unit = unit << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: unit = unit << 4 | UInt32(byte - 0x57)
      default: throw unexpected("four hexadecimal digits after \\u", at: index + offset)
      }
    }
    return unit
  }
}
