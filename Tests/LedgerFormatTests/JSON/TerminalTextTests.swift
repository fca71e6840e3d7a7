import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Text on a terminal` {
  /// Control characters, bidirectional controls, line and paragraph separators.
  static let controls: [UInt32] =
    Array(0..<0x20) + Array(0x7f...0x9f) + [0x61c, 0x200e, 0x200f] + Array(0x2028...0x202e)
    + Array(0x2066...0x2069)
  /// What takes no room, or looks like nothing.
  static let hidden: [UInt32] =
    [0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e] + Array(0x200b...0x200d)
    + Array(0x2060...0x2065) + Array(0x206a...0x206f) + [0x3164, 0xfeff, 0xffa0]
    + Array(0xfff9...0xfffb) + Array(0x1bca0...0x1bca3) + Array(0x1d173...0x1d17a)
    + Array(0xe0000...0xe007f)
  static let escaped = controls + hidden

  @Test func `what could drive a terminal or hide is escaped, nothing else`() throws {
    let escaped = Set(Self.escaped)
    let wrong = (UInt32(0)...0x10ffff).filter { code in
      guard let scalar = Unicode.Scalar(code) else { return false }
      let text = String(scalar)
      return TerminalText.isEscaped(scalar) != escaped.contains(code)
        || TerminalText.escaped(text).hasSameBytes(as: text) == escaped.contains(code)
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    "👩\u{200d}👩\u{200d}👧", "❤\u{fe0f}\u{200d}🔥", "🧑🏽\u{200d}💻", "می\u{200c}خواهم", "क्\u{200d}ष",
    "ශ්\u{200d}රී",
    "1\u{fe0f}\u{20e3}", "e\u{301}", "日本 é 🇩🇪",
  ])
  func `what joins emoji or letters stays as it is`(_ text: String) {
    #expect(TerminalText.escaped(text).hasSameBytes(as: text))
    #expect(TerminalText.escaped(json: Array(text.utf8)) == Array(text.utf8))
  }

  @Test(arguments: [
    ("pay\u{200d}pal", #"pay\u{200d}pal"#), ("a\u{200c}b", #"a\u{200c}b"#),
    ("\u{200d}👩", #"\u{200d}👩"#), ("👩\u{200d}", #"👩\u{200d}"#), ("👩\u{200c}👩", #"👩\u{200c}👩"#),
    ("1\u{200d}2", #"1\u{200d}2"#), ("می\u{200c}", #"می\u{200c}"#),
    ("می\u{200c}a", #"می\u{200c}a"#),
    ("\u{feff}milk", #"\u{feff}milk"#), ("\u{e0041}", #"\u{e0041}"#),
  ])
  func `a joiner that joins nothing is shown`(_ text: String, _ shown: String) {
    #expect(TerminalText.escaped(text).hasSameBytes(as: shown))
  }

  @Test func `people see the characters spelled out`() {
    #expect(
      TerminalText.escaped("a\n\t\r\u{1b}[31m\u{7f}\u{85}\u{202e}é😀\u{200d}")
        == #"a\n\t\r\u{1b}[31m\u{7f}\u{85}\u{202e}é😀\u{200d}"#)
    #expect(TerminalText.escaped("Get milk, dé 日本 \\n") == "Get milk, dé 日本 \\n")
    #expect(TerminalText.escaped("\r\n") == #"\r\n"#)
  }

  @Test func `machine output stays the same JSON`() throws {
    for code in Self.escaped {
      let scalar = try #require(Unicode.Scalar(code))
      let text = Value.text("a\(String(scalar))é😀")
      let shown = TerminalText.escaped(json: Array(text.description.utf8))
      #expect(try DocumentReader.value(shown[...]) == text)
      let scalars = String(decoding: shown, as: UTF8.self).unicodeScalars
      #expect(!scalars.contains(where: TerminalText.isEscaped), "\(code)")
    }
    #expect(
      TerminalText.escaped(json: Array("{\"a\":\"\u{202e}\u{9b}\"}\n".utf8))
        == Array("{\"a\":\"\\u202e\\u009b\"}\n".utf8))
  }
}
