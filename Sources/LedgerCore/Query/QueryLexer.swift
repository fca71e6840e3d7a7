/// Cuts the text of a query into tokens.
struct QueryLexer {
  enum Token: Hashable {
    case name(String)
    case text(String)
    case number(Value)
    /// What follows a dollar sign.
    case argument(String)
    case symbol(Symbol)
    case end
  }

  enum Symbol: String, CaseIterable {
    case and = "&&"
    case or = "||"
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
    case not = "!"
    case open = "("
    case close = ")"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."
  }

  /// Words that are no names of fields, where they stand alone.
  static let keywords: Set<String> = ["true", "false", "null", "in"]

  private let bytes: [UInt8]
  /// The byte after the token read last.
  private(set) var position = 0
  /// The byte at which that token starts.
  private(set) var start = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The next token.
  mutating func next() throws(LedgerError) -> Token {
    while let byte = byte(), byte == 0x20 || (0x09...0x0d).contains(byte) { position += 1 }
    start = position
    guard let byte = byte() else { return .end }
    if byte == 0x22 || byte == 0x27 { return .text(try text()) }
    if Self.isDigit(byte) || (byte == 0x2d && Self.isDigit(self.byte(1) ?? 0)) {
      return .number(try number())
    }
    if byte == 0x24 { return .argument(try argument()) }
    // The longer ones come first.
    for symbol in Symbol.allCases where bytes[position...].starts(with: symbol.rawValue.utf8) {
      position += symbol.rawValue.utf8.count
      return .symbol(symbol)
    }
    let name = passName()
    guard !name.isEmpty else { throw unknown() }
    return .name(name)
  }

  private func byte(_ ahead: Int = 0) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// An error at a place of the text, by its byte.
  func problem(
    _ sentence: String, at place: Int? = nil, hint: String? = nil
  ) -> LedgerError {
    let column = String(decoding: bytes[..<(place ?? start)], as: UTF8.self).count + 1
    return LedgerError(
      .invalid, "the query is wrong at column \(column): \(sentence)", column: column, hint: hint)
  }

  private func unknown() -> LedgerError {
    let rest = String(decoding: bytes[position...].prefix(16), as: UTF8.self)
    let found = rest.first.map { "\"\($0)\"" } ?? "nothing"
    let hint: String? =
      switch bytes[position] {
      case 0x3d: "equal is =="
      case 0x26: "and is &&"
      case 0x7c: "or is ||"
      default: "a name with other characters than letters, digits, _ and - is written [\"name\"]"
      }
    return problem("found \(found), which has no meaning here", hint: hint)
  }

  private mutating func argument() throws(LedgerError) -> String {
    position += 1
    let first = position
    while let byte = byte(), Self.isDigit(byte) || byte == 0x5f || Self.isLetter(byte) {
      position += 1
    }
    guard position > first else {
      throw problem("found $ without a name", hint: "an argument is named like $name")
    }
    return String(decoding: bytes[first..<position], as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
}

// Names.
extension QueryLexer {
  /// Whether a text is a name as it stands: letters, digits, marks, _ and -, no digit or - first.
  static func isName(_ text: String) -> Bool {
    var isFirst = true
    for scalar in text.unicodeScalars {
      guard isInNames(scalar, isFirst: isFirst) else { return false }
      isFirst = false
    }
    return !isFirst
  }

  private static func isInNames(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
    if isFirst, (0x30...0x39).contains(scalar.value) || scalar == "-" { return false }
    return scalar.isInWords || scalar == "-"
  }

  private mutating func passName() -> String {
    // Letters of ASCII are most of it.
    var end = position
    while end < bytes.count,
      bytes[end] >= 0x80 || bytes[end] == 0x2d || bytes[end] == 0x5f || Self.isDigit(bytes[end])
        || Self.isLetter(bytes[end])
    {
      end += 1
    }
    var name = String.UnicodeScalarView()
    for scalar in String(decoding: bytes[position..<end], as: UTF8.self).unicodeScalars {
      guard Self.isInNames(scalar, isFirst: name.isEmpty) else { break }
      name.append(scalar)
    }
    position += String(name).utf8.count
    return String(name)
  }
}

// Numbers.
extension QueryLexer {
  private mutating func number() throws(LedgerError) -> Value {
    if byte() == 0x2d { position += 1 }
    let digits = position
    passDigits()
    guard bytes[digits] != 0x30 || position == digits + 1 else {
      throw problem("found a number with a leading zero", hint: "text stands in quotes")
    }
    let isInteger = byte() != 0x2e && byte().map { $0 | 0x20 } != 0x65
    if byte() == 0x2e {
      position += 1
      guard passDigits() else { throw problem("found a number without a digit after the point") }
    }
    if byte().map({ $0 | 0x20 }) == 0x65 {
      position += 1
      if byte() == 0x2b || byte() == 0x2d { position += 1 }
      guard passDigits() else { throw problem("found a number without a digit after the e") }
    }
    guard !startsName else {
      throw problem(
        "found a number that goes on as a name",
        hint: "text stands in quotes; a field is written [\"name\"] where its name starts with a digit")
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      guard let integer = Int64(text) else {
        throw problem(
          "the integer \(text.shortened) is beyond 64 bits",
          hint: "write it with a fraction or an exponent for the nearest double")
      }
      return .int(integer)
    }
    guard let number = Double(text), number.isFinite else {
      throw problem("the number \(text.shortened) is beyond the range of a double")
    }
    return Value.integral(number).map(Value.int) ?? .double(number)
  }

  private var startsName: Bool {
    guard let byte = byte() else { return false }
    return Self.isLetter(byte) || byte == 0x5f || byte >= 0x80
  }

  @discardableResult
  private mutating func passDigits() -> Bool {
    let first = position
    while let byte = byte(), Self.isDigit(byte) { position += 1 }
    return position > first
  }
}

// Texts.
extension QueryLexer {
  private mutating func text() throws(LedgerError) -> String {
    let quote = bytes[position]
    position += 1
    var text: [UInt8] = []
    while let byte = byte() {
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == 0x5c {
        text.append(contentsOf: String(try escaped()).utf8)
      } else {
        text.append(byte)
      }
    }
    throw problem("found a text without its closing quote")
  }

  /// The character that an escape stands for; the backslash is passed.
  private mutating func escaped() throws(LedgerError) -> Character {
    let place = position - 1
    let byte = byte() ?? 0
    position += 1
    switch byte {
    case 0x22: return "\""
    case 0x27: return "'"
    case 0x5c: return "\\"
    case 0x2f: return "/"
    case 0x62: return "\u{08}"
    case 0x66: return "\u{0c}"
    case 0x6e: return "\n"
    case 0x72: return "\r"
    case 0x74: return "\t"
    case 0x75:
      guard let scalar = scalar() else {
        throw problem("found \\u without the four digits of a character", at: place)
      }
      return Character(scalar)
    default:
      throw problem(
        "found a backslash that begins no escape", at: place,
        hint: "a backslash as itself is \\\\; the others are \\\" \\' \\/ \\b \\f \\n \\r \\t \\uHHHH")
    }
  }

  /// What `\u` and its digits stand for, a pair of surrogates included.
  private mutating func scalar() -> Unicode.Scalar? {
    guard let high = unit() else { return nil }
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xdc00, byte() == 0x5c, byte(1) == 0x75 else { return nil }
    position += 2
    guard let low = unit(), (0xdc00..<0xe000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
  }

  private mutating func unit() -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = byte().flatMap({ Unicode.Scalar($0).hexadecimalDigit }) else { return nil }
      value = value << 4 + digit
      position += 1
    }
    return value
  }

  /// The byte at which a character of a text stands that starts at a place.
  func place(ofScalar number: Int, inTextAt start: Int) -> Int {
    var place = start + 1
    for _ in 0..<number where place < bytes.count {
      if bytes[place] == 0x5c {
        place += escapeLength(at: place)
      } else {
        place += 1
        while place < bytes.count, bytes[place] & 0xc0 == 0x80 { place += 1 }
      }
    }
    return min(place, bytes.count)
  }

  private func escapeLength(at place: Int) -> Int {
    guard place + 3 < bytes.count, bytes[place + 1] == 0x75 else { return 2 }
    // D8 to DB begin a pair.
    let isPair =
      bytes[place + 2] | 0x20 == 0x64
      && (bytes[place + 3] == 0x38 || bytes[place + 3] == 0x39
        || (0x61...0x62).contains(bytes[place + 3] | 0x20))
    return isPair ? 12 : 6
  }
}
