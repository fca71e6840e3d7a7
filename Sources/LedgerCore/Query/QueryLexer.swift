/// Cuts the text of a query into tokens.
struct QueryLexer {
  enum Token: Hashable {
    case name(String)
    case text(String)
    case number(Value)
    /// What follows a dollar sign, and how far from that day.
    case argument(String, DayDistance?)
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

  let bytes: [UInt8]
  /// The byte after the token read last.
  var position = 0
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
    if byte == 0x24 { return .argument(try argument(), try distance()) }
    // The longer ones come first.
    for symbol in Symbol.allCases where bytes[position...].starts(with: symbol.rawValue.utf8) {
      position += symbol.rawValue.utf8.count
      return .symbol(symbol)
    }
    let name = passName()
    guard !name.isEmpty else { throw unknown() }
    return .name(name)
  }

  func byte(_ ahead: Int = 0) -> UInt8? {
    position + ahead < bytes.count ? bytes[position + ahead] : nil
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// An error at a place of the text, by its byte.
  func problem(
    _ sentence: String, at place: Int? = nil, hint: String? = nil
  ) -> LedgerError {
    let column = column(at: place ?? start)
    return LedgerError(
      .invalid, "the query is wrong at column \(column): \(sentence)", column: column, hint: hint)
  }

  /// The column of a byte, in characters from 1.
  func column(at place: Int) -> Int { String(decoding: bytes[..<place], as: UTF8.self).count + 1 }

  private func unknown() -> LedgerError {
    let rest = String(decoding: bytes[position...].prefix(16), as: UTF8.self)
    let found = rest.first.map { "\"\($0)\"" } ?? "nothing"
    let pattern = "text is found by contains(body, \"milk\"), a pattern by regex(body, \"^milk\")"
    let hint: String? =
      switch bytes[position] {
      case 0x7e: pattern
      case 0x3d where byte(1) == 0x7e: pattern
      case 0x3d: "equal is =="
      case 0x26: "and is &&"
      case 0x7c: "or is ||"
      case 0x2b, 0x2d: "days are added to a date right behind the argument: $today+7"
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

  /// The distance behind an argument, such as `+7`, `-1d` or `+2m`; nil where there is none.
  private mutating func distance() throws(LedgerError) -> DayDistance? {
    guard let sign = byte(), sign == 0x2b || sign == 0x2d, Self.isDigit(byte(1) ?? 0) else {
      return nil
    }
    let place = position
    position += 1
    while let byte = byte(), Self.isDigit(byte) || Self.isLetter(byte) || byte == 0x5f {
      position += 1
    }
    guard let distance = DayDistance(bytes[place..<position]) else {
      throw problem(
        "the days behind $ are written wrong", at: place,
        hint: "they are \(DayDistance.form): $today+7, $today+2w, $today-1m")
    }
    return distance
  }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
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
