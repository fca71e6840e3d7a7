/// How many columns text takes on a terminal, and how to cut and wrap it by them.
///
/// Terminals disagree on rare characters; what matters here is that common ones, East Asian text and emoji among them, line up.
enum TextColumns {
  /// The columns of a text.
  static func count(_ text: some StringProtocol) -> Int {
    // Printable ASCII, which most text is, needs no look at its characters.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text.utf8.count }
    return text.reduce(0) { $0 + count($1) }
  }

  /// The columns of one character as a person sees it: signs of Indic scripts stand beside their letter, other marks above or
  /// below it.
  static func count(_ character: Character) -> Int {
    var columns = 0
    for scalar in character.unicodeScalars {
      // VARIATION SELECTOR-16 asks for the wide, colourful form of the character before it; several emoji joined are one.
      // Below U+231A there is none.
      if scalar.value == 0xfe0f || scalar.value >= 0x231a && scalar.properties.isEmojiPresentation {
        return 2
      }
      columns += count(scalar)
    }
    return columns
  }

  private static func count(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The vowels and finals of Hangul stand inside of the syllable that their first consonant begins.
    if (0x1160...0x11ff).contains(scalar.value) { return 0 }
    return isWide(scalar.value) ? 2 : 1
  }

  /// East Asian Wide and Fullwidth (Unicode Standard Annex 11), as ranges of whole blocks.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
      0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd:
      true
    default: false
    }
  }

  /// The text, cut with an ellipsis where it takes more columns than there are.
  static func cut(_ text: String, to columns: Int) -> String {
    guard count(text) > columns else { return text }
    guard columns > 1 else { return columns == 1 ? "…" : "" }
    var kept = ""
    var used = 0
    for character in text {
      used += count(character)
      if used > columns - 1 { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text with spaces behind it up to so many columns.
  static func pad(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - count(text)))
  }

  /// The text with spaces before it up to so many columns.
  static func padLeft(_ text: String, to columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - count(text))) + text
  }

  /// The text in lines of at most so many columns, broken at spaces where there are any.
  static func wrap(_ text: String, to columns: Int) -> [String] {
    let columns = max(columns, 8)
    var lines: [String] = []
    var line = ""
    var used = 0
    var isFirst = true
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !isFirst, used > 0, used + 1 + count(word) > columns {
        lines.append(line)
        (line, used) = ("", 0)
      } else if !isFirst {
        line.append(" ")
        used += 1
      }
      isFirst = false
      for character in word {
        let width = count(character)
        // A word longer than a line is cut where the line ends.
        if used + width > columns {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line.append(character)
        used += width
      }
    }
    lines.append(line)
    return lines
  }
}
