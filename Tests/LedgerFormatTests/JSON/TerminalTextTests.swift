import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Text on a terminal` {
  /// Control characters, bidirectional controls, line and paragraph separators.
  static let escaped: [UInt32] =
    Array(0..<0x20) + Array(0x7f...0x9f) + [0x61c, 0x200e, 0x200f] + Array(0x2028...0x202e)
    + Array(0x2066...0x2069)

  @Test func `what could drive a terminal is escaped, nothing else`() throws {
    for code in UInt32(0)...0x3000 {
      guard let scalar = Unicode.Scalar(code) else { continue }
      #expect(TerminalText.isEscaped(scalar) == Self.escaped.contains(code), "\(code)")
    }
  }

  @Test func `people see the characters spelled out`() {
    #expect(
      TerminalText.escaped("a\n\t\r\u{1b}[31m\u{7f}\u{85}\u{202e}é😀\u{200d}")
        == #"a\n\t\r\u{1b}[31m\u{7f}\u{85}\u{202e}é😀"# + "\u{200d}")
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
