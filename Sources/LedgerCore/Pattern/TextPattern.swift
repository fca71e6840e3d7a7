/// A regular expression whose search takes time in proportion to the text, whatever the expression.
///
/// It is found anywhere in a text unless `^` and `$` tie it to beginning and end. Supported are characters as themselves, `.`,
/// `[a-z]`, `[^…]`, `\d \w \s` and their capitals, `\b \B`, `^ $`, `(…)`, `(?:…)`, `|`, `* + ? {m} {m,} {m,n}`, and `(?i)` at the
/// beginning; anything else is refused. The article on queries has the details and the limits.
///
/// ```swift
/// let pattern = try TextPattern("(?i)\\bmilk\\b")
/// pattern.matches("Get Milk!")   // true
/// ```
public struct TextPattern: Sendable {
  /// The longest pattern, in Unicode scalars.
  public static let lengthMax = 1000

  /// The pattern as it was given.
  public let text: String
  private let program: PatternProgram

  /// Reads a pattern.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` and the column in the pattern for what is not supported or above the limits.
  public init(_ text: String) throws(LedgerError) {
    do {
      self = try Self.reading(text)
    } catch {
      let column = error.place.map { $0 + 1 }
      throw LedgerError(
        .invalid,
        "the pattern is wrong\(column.map { " at character \($0)" } ?? ""): \(error.sentence)",
        column: column, hint: error.hint)
    }
  }

  /// The pattern that finds a text as it stands, its letters in their other case, too.
  ///
  /// - Throws: as ``init(_:)``, for a text that is too long.
  package init(ignoringCaseOf text: String) throws(LedgerError) {
    var pattern = "(?i)"
    for scalar in text.unicodeScalars {
      if scalar.isASCII, !scalar.properties.isAlphabetic, !(0x30...0x39).contains(scalar.value) {
        pattern += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      } else {
        pattern.unicodeScalars.append(scalar)
      }
    }
    try self.init(pattern)
  }

  static func reading(_ text: String) throws(PatternProblem) -> TextPattern {
    // Bytes are counted first: they are known without a look at a text of megabytes.
    guard text.utf8.count <= 4 * lengthMax, text.unicodeScalars.count <= lengthMax else {
      throw PatternProblem(
        place: nil, sentence: "it has more than \(lengthMax) characters", hint: nil)
    }
    return TextPattern(text: text, program: try PatternProgram(text))
  }

  private init(text: String, program: PatternProgram) {
    self.text = text
    self.program = program
  }

  /// Whether the pattern is found in a text.
  public func matches(_ text: String) -> Bool {
    var search = PatternSearch(program)
    return search.finds(in: text)
  }

  /// How many steps a search takes.
  package func steps(in text: String) -> Int {
    var search = PatternSearch(program)
    _ = search.finds(in: text)
    return search.steps
  }
}

extension TextPattern: Hashable {
  public static func == (left: TextPattern, right: TextPattern) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}

extension TextPattern: CustomStringConvertible {
  public var description: String { text }
}
