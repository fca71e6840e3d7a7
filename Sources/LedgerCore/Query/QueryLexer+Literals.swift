/// Cutting literals: numbers, and texts in quotes.
extension QueryLexer {
  mutating func number() throws(LedgerError) -> Value {
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
    guard !beginsDate(digits) else {
      throw problem(
        "found a date without quotes", hint: "a date is a text: \"\(wordFromStart.shortened)\"")
    }
    guard !startsName else {
      throw problem(
        "found a number that goes on as a name",
        hint:
          "text stands in quotes; a field is written [\"name\"] where its name starts with a digit")
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

  /// Whether digits that were passed are the year of a date.
  private func beginsDate(_ first: Int) -> Bool {
    position - first == 4 && byte() == 0x2d && byte(1).map(Self.isDigit) ?? false
  }

  /// What stands from the token on up to a blank or a sign of the grammar.
  private var wordFromStart: String {
    let isInDate: (UInt8) -> Bool = { byte in
      Self.isDigit(byte) || Self.isLetter(byte) || [0x2d, 0x3a, 0x2e, 0x2b].contains(byte)
    }
    return String(decoding: bytes[start...].prefix(while: isInDate), as: UTF8.self)
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
  mutating func text() throws(LedgerError) -> String {
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
        hint:
          "a backslash as itself is \\\\; the others are \\\" \\' \\/ \\b \\f \\n \\r \\t \\uHHHH")
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
