import LedgerCore

/// Text made safe for people: what could move the cursor, change colours, answer for the user, turn the direction of the line or
/// hide between other characters is shown escaped. It is the one place that says which characters these are.
///
/// Escaped are
/// - control characters (Unicode Cc: U+0000 to U+001F, U+007F to U+009F);
/// - the bidirectional controls (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), and the line and paragraph
///   separators (U+2028, U+2029);
/// - what takes no room or looks like nothing, so that two texts look the same that are not: zero-width spaces and joiners
///   (U+200B to U+200D, U+2060 to U+2065, U+206A to U+206F, U+FEFF), the soft hyphen (U+00AD), the grapheme joiner (U+034F),
///   fillers of Hangul (U+115F, U+1160, U+3164, U+FFA0), inherent vowels of Khmer (U+17B4, U+17B5), the Mongolian vowel separator
///   (U+180E), annotations (U+FFF9 to U+FFFB), controls of shorthand and music (U+1BCA0 to U+1BCA3, U+1D173 to U+1D17A), and
///   tags (U+E0000 to U+E007F).
///
/// The two joiners are left where they do their work: U+200D between two emoji, and either between two letters of Arabic, Indic and
/// neighbouring scripts. Combining marks and variation selectors are left, too: they change how the character before them looks.
package enum TerminalText {
  /// Whether a character is shown escaped; of the joiners, whether they are where they do no work.
  package static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    case 0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x200b...0x200d, 0x2060...0x2065,
      0x206a...0x206f, 0x3164, 0xfeff, 0xffa0, 0xfff9...0xfffb, 0x1bca0...0x1bca3,
      0x1d173...0x1d17a, 0xe0000...0xe007f:
      true
    default: false
    }
  }

  /// Whether a text may hold one of these characters: whether it has a byte with which one starts.
  package static func mayHoldEscaped(_ text: ArraySlice<UInt8>) -> Bool {
    text.contains(where: startsEscaped)
  }

  private static func mayHoldEscaped(_ text: String) -> Bool {
    text.utf8.contains(where: startsEscaped)
  }

  private static func startsEscaped(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, 0x7f, 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf0, 0xf3: true
    default: false
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
    forEach(of: text) { scalar, isEscaped in
      switch scalar {
      case "\\" where doublingBackslashes: result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case _ where isEscaped:
        let digits = String(scalar.value, radix: 16)
        result.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// JSON that means the same and holds none of these characters, but for the newlines between objects.
  ///
  /// In JSON that this product writes they occur inside texts only, where `\uXXXX` stands for them, and two of these for one
  /// beyond U+FFFF.
  package static func escaped(json: [UInt8]) -> [UInt8] {
    let text = String(decoding: json, as: UTF8.self)
    guard text.unicodeScalars.contains(where: { $0 != "\n" && isEscaped($0) }) else { return json }
    var result: [UInt8] = []
    forEach(of: text) { scalar, isEscaped in
      if scalar != "\n", isEscaped {
        for unit in String(scalar).utf16 {
          result.append(contentsOf: "\\u\(JSONScanner.hexadecimal(UInt32(unit), digits: 4))".utf8)
        }
      } else {
        result.append(contentsOf: String(scalar).utf8)
      }
    }
    return result
  }

  /// Calls the body with each character, and whether it is shown escaped where it stands.
  private static func forEach(of text: String, _ body: (Unicode.Scalar, Bool) -> Void) {
    let scalars = text.unicodeScalars
    var before: Unicode.Scalar?
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      index = scalars.index(after: index)
      let after = index < scalars.endIndex ? scalars[index] : nil
      body(scalar, isEscaped(scalar) && !joins(scalar, before, after))
      before = scalar
    }
  }

  /// Whether it is a joiner that does its work between its neighbours.
  private static func joins(
    _ scalar: Unicode.Scalar, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?
  ) -> Bool {
    guard scalar.value == 0x200c || scalar.value == 0x200d, let before, let after else {
      return false
    }
    if isInJoiningScript(before), isInJoiningScript(after) { return true }
    return scalar.value == 0x200d && (isEmoji(before) || before.value == 0xfe0f) && isEmoji(after)
  }

  /// Arabic, Syriac, Thaana, N'Ko, Mandaic; Indic scripts; Khmer and Mongolian.
  private static func isInJoiningScript(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x620...0x8ff, 0x900...0xdff, 0x1780...0x17b3, 0x17b6...0x17ff, 0x1820...0x18af:
      scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
        || scalar.properties.generalCategory == .spacingMark
    default: false
    }
  }

  /// Below U+203C the characters with this property are digits and signs.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x203c && scalar.properties.isEmoji
  }
}
