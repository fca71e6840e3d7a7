import LedgerCore

/// Where a text stands, without its quotes.
package struct JSONText {
  /// Its bytes as written.
  package let range: Range<Int>
  /// Whether there are escapes among them.
  package let hasEscapes: Bool
}

extension JSONScanner {
  /// Passes a text and checks all of it; makes no string of it yet.
  package mutating func text() throws(JSONProblem) -> JSONText {
    guard current == 0x22 else { throw mismatch(expected: "text") }
    let start = position + 1
    var index = start
    var hasEscapes = false
    while true {
      index = plainEnd(from: index)
      let byte = byte(at: index)
      switch byte {
      case 0x22:
        position = index + 1
        return JSONText(range: start..<index, hasEscapes: hasEscapes)
      case 0x5c:
        hasEscapes = true
        index = try escape(at: index).end
      case 0..<0x20:
        throw controlCharacter(at: index)
      case 0x80...:
        index = try sequenceEnd(at: index)
      default:
        index += 1
      }
    }
  }

  /// Whether a text is a constant, escapes read.
  package func matches(_ text: JSONText, _ constant: StaticString) -> Bool {
    guard text.hasEscapes else { return bytes(text.range, are: constant) }
    return string(text).hasSameBytes(as: constant.description)
  }

  /// A text as a string, escapes read.
  package func string(_ text: JSONText) -> String {
    guard text.hasEscapes else { return string(text.range) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.range.count)
    var index = text.range.lowerBound
    while index < text.range.upperBound {
      // `text()` passed the same escapes, so that none can fail here.
      if byte(at: index) == 0x5c, let escape = try? escape(at: index) {
        decoded.append(contentsOf: String(escape.scalar).utf8)
        index = escape.end
      } else {
        decoded.append(byte(at: index))
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The first index that may hold something else than plain ASCII, eight bytes at a time.
  private func plainEnd(from start: Int) -> Int {
    var index = start
    while let word = word(at: index) {
      let special = Self.specials(in: word)
      if special != 0 { return index + special.trailingZeroBitCount / 8 }
      index += 8
    }
    return index
  }

  /// Marks, in the top bit of each byte, quotes, backslashes, control characters and bytes beyond ASCII. The lowest
  /// mark is exact; a borrow can set false ones only above a true one.
  private static func specials(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5c)
    let marks =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
      | ((word &- ones &* 0x20) & ~word) | word
    return marks & (ones &* 0x80)
  }

  private func controlCharacter(at index: Int) -> JSONProblem {
    guard index < count else {
      return JSONProblem("found the end of the text, expected the closing quote", at: count)
    }
    let digits = Self.hexadecimal(UInt32(byte(at: index)), digits: 4)
    return JSONProblem(
      "found the control character U+\(digits) in a text, expected the escape \\u\(digits)",
      at: index)
  }

  /// The end of a well-formed UTF-8 sequence beyond ASCII (RFC 3629: neither overlong forms nor surrogates nor
  /// anything beyond U+10FFFF).
  private func sequenceEnd(at index: Int) throws(JSONProblem) -> Int {
    let second = byte(at: index + 1)
    let (length, isSecondLegal) =
      switch byte(at: index) {
      case 0xc2...0xdf: (2, second & 0xc0 == 0x80)
      case 0xe0: (3, (0xa0...0xbf).contains(second))
      case 0xed: (3, (0x80...0x9f).contains(second))
      case 0xe1...0xef: (3, second & 0xc0 == 0x80)
      case 0xf0: (4, (0x90...0xbf).contains(second))
      case 0xf1...0xf3: (4, second & 0xc0 == 0x80)
      case 0xf4: (4, (0x80...0x8f).contains(second))
      default: (0, false)
      }
    guard isSecondLegal, length < 3 || byte(at: index + 2) & 0xc0 == 0x80,
      length < 4 || byte(at: index + 3) & 0xc0 == 0x80
    else {
      throw JSONProblem(
        "found \(spelled(index)) in a text, which is not UTF-8 here", at: index,
        hint: "save the input as UTF-8")
    }
    return index + length
  }
}
