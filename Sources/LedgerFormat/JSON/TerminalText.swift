import LedgerCore

/// Text made safe for a terminal: what could move the cursor, change colours, answer for the user or turn the direction
/// of the line is shown escaped.
///
/// Escaped are control characters (Unicode Cc: U+0000 to U+001F, U+007F to U+009F), the bidirectional
/// controls (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), and the line and paragraph separators (U+2028,
/// U+2029).
package enum TerminalText {
  /// Whether a character is shown escaped.
  package static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether a text may hold one of these characters: whether it has a byte with which one starts.
  private static func mayHoldEscaped(_ text: String) -> Bool {
    text.utf8.contains { byte in
      byte < 0x20 || byte == 0x7f || byte == 0xc2 || byte == 0xd8 || byte == 0xe2
    }
  }

  /// A text for people: `\n`, `\r`, `\t`, and `\u{1b}` for the others.
  ///
  /// - Parameter doublingBackslashes: whether a backslash in the text becomes two, so that it begins no escape.
  package static func escaped(_ text: String, doublingBackslashes: Bool = false) -> String {
    if !doublingBackslashes, !mayHoldEscaped(text) { return text }
    func changes(_ scalar: Unicode.Scalar) -> Bool {
      isEscaped(scalar) || (doublingBackslashes && scalar == "\\")
    }
    guard text.unicodeScalars.contains(where: changes) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\" where doublingBackslashes: result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case _ where isEscaped(scalar):
        let digits = String(scalar.value, radix: 16)
        result.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// JSON that means the same and holds none of these characters, but for the newlines between objects.
  ///
  /// In JSON that this product writes they occur inside texts only, where `\uXXXX` stands for them. None of them
  /// lies beyond U+FFFF.
  package static func escaped(json: [UInt8]) -> [UInt8] {
    let text = String(decoding: json, as: UTF8.self)
    guard text.unicodeScalars.contains(where: { $0 != "\n" && isEscaped($0) }) else { return json }
    var result: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar != "\n", isEscaped(scalar) {
        let digits = JSONScanner.hexadecimal(scalar.value, digits: 4)
        result.append(contentsOf: "\\u\(digits)".utf8)
      } else {
        result.append(contentsOf: String(scalar).utf8)
      }
    }
    return result
  }
}
