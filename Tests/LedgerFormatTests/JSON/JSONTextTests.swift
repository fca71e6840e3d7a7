import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Texts in JSON` {
  private func text(_ json: String) throws -> [UInt8] {
    guard case .text(let text)? = try jsonValue(json) else { return [] }
    return Array(text.utf8)
  }

  @Test func `plain text of any length is read`() throws {
    for count in 0..<40 {
      let plain = String("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".prefix(count))
      #expect(try text("\"\(plain)\"") == Array(plain.utf8), "\(count)")
    }
  }

  @Test func `a special byte is found at every place of a word`() throws {
    for count in 0..<24 {
      let before = String(repeating: "a", count: count)
      #expect(try text("\"\(before)\\nb\"") == Array("\(before)\nb".utf8), "\(count)")
      #expect(try text("\"\(before)é€😀!\"") == Array("\(before)é€😀!".utf8), "\(count)")
      #expect(
        jsonTextRefusal(Array("\(before)\u{1}bcdefghijkl".utf8))
          == "column \(count + 2): found the control character U+0001 in a text, "
          + "expected the escape \\u0001")
    }
  }

  @Test func `every byte of ASCII is read or refused where it stands`() throws {
    for byte in UInt8(0)..<0x80 where byte != 0x22 && byte != 0x5c {
      let raw = Array("0123456789".utf8) + [byte] + Array("abcdefghij".utf8)
      if byte < 0x20 {
        #expect(jsonTextRefusal(raw).hasPrefix("column 12: found the control character U+00"))
      } else {
        let json = String(decoding: [0x22] + raw + [0x22], as: UTF8.self)
        #expect(try text(json) == raw, "\(byte)")
      }
    }
  }

  @Test func `all escapes are read`() throws {
    #expect(
      try text(#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\u0000""#)
        == Array("\"\\/\u{8}\u{c}\n\r\tA\u{e9}€\u{0}".utf8))
  }

  @Test func `a surrogate pair is one character`() throws {
    #expect(try text(#""\ud83d\uDE00""#) == Array("😀".utf8))
    #expect(try text(#""\uDBFF\uDFFF""#) == Array("\u{10ffff}".utf8))
    #expect(try text(#""\ud800\udc00""#) == Array("\u{10000}".utf8))
  }

  @Test(arguments: [
    #"\ud83d"#, #"\ude00"#, #"\ud83dx"#, #"\ud83d\n"#, #"\ud83d\u0041"#, #"\ud83d\ud83d"#,
    #"\ude00\ud83d"#,
  ])
  func `a lone surrogate is refused`(escape: String) {
    #expect(
      jsonTextRefusal(Array("ab\(escape)".utf8))
        == "column 4: found the lone surrogate \(escape.prefix(6)) in a text, expected a pair")
  }

  @Test func `unknown and cut escapes are refused`() {
    #expect(
      jsonTextRefusal(Array(#"\x41"#.utf8))
        == #"column 3: found 'x', expected one of " \ / b f n r t u after a backslash"#)
    #expect(
      jsonTextRefusal(Array(#"\u12g4"#.utf8))
        == #"column 6: found 'g', expected four hexadecimal digits after \u"#)
    #expect(
      jsonTextRefusal(Array(#"\ud83d\u12"#.utf8))
        == #"column 12: found '"', expected four hexadecimal digits after \u"#)
    #expect(
      jsonValueRefusal(#""abc\"#)
        == "column 6: found the end of the text, expected one of \" \\ / b f n r t u after a backslash"
    )
  }

  @Test func `a text without its closing quote is refused`() {
    #expect(
      jsonValueRefusal("\"abc") == "column 5: found the end of the text, expected the closing quote"
    )
    #expect(
      jsonValueRefusal("\"abcdefghijklmnop")
        == "column 18: found the end of the text, expected the closing quote")
  }

  /// Overlong forms, surrogates (CESU-8), what lies beyond U+10FFFF, lone and missing continuations.
  @Test(
    arguments: [
      [0xff], [0xfe], [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2], [0xc2, 0x41],
      [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf], [0xe2, 0x82], [0xe2, 0x28, 0xa1],
      [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80],
      [0xf0, 0x8f, 0xbf, 0xbf], [0xf0, 0x9f, 0x98], [0xf4, 0x90, 0x80, 0x80],
      [0xf5, 0x80, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func `invalid UTF-8 is refused`(raw: [UInt8]) {
    let first = String(raw[0], radix: 16)
    #expect(
      jsonTextRefusal([0x61] + raw)
        == "column 3: found byte 0x\(first) in a text, which is not UTF-8 here")
  }

  @Test func `the borders of UTF-8 are read`() throws {
    for code in [0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xcfff, 0xd7ff, 0xe000, 0xfffd, 0xffff] {
      let text = String(try #require(Unicode.Scalar(UInt32(code))))
      #expect(try self.text("\"\(text)\"") == Array(text.utf8))
    }
    for code in [0x10000, 0x3ffff, 0x40000, 0xfffff, 0x100000, 0x10ffff] {
      let text = String(try #require(Unicode.Scalar(UInt32(code))))
      #expect(try self.text("\"\(text)\"") == Array(text.utf8))
    }
  }

  @Test func `text stays in its Unicode form`() throws {
    #expect(try text("\"e\u{301}\"") == [0x65, 0xcc, 0x81])
    #expect(try text("\"\u{e9}\"") == [0xc3, 0xa9])
  }
}
