/// Reads queries.
///
/// Invariants:
/// - brackets nest at most `Query.nestingMax` deep, so recursion is bounded;
/// - the text, its terms and the elements of its arrays are bounded before anything is built of them.
struct QueryParser {
  private var lexer: QueryLexer
  private let arguments: [String: Value?]
  private var unused: Set<String>
  private var token = QueryLexer.Token.end
  private var depth = 0
  private var terms = 0

  init(_ text: String, _ arguments: [String: Value?]) throws(LedgerError) {
    guard text.utf8.count <= Query.textBytesMax else {
      throw LedgerError(
        .invalid,
        "the query has \(text.utf8.count) bytes, expected at most \(Query.textBytesMax)",
        hint: "pass long values as arguments")
    }
    lexer = QueryLexer(text)
    unused = Set(arguments.keys)
    var checked: [String: Value?] = [:]
    for (name, value) in arguments {
      do throws(LedgerError) {
        checked[name] = .some(try value?.validated())
      } catch {
        var error = error
        error.sentence = "the argument \"\(name.shortened)\" is refused: \(error.sentence)"
        throw error
      }
    }
    self.arguments = checked
  }

  /// The whole query.
  mutating func read() throws(LedgerError) -> Query {
    try advance()
    guard token != .end else {
      throw lexer.problem(
        "found nothing, expected a condition", hint: "true is the query for every task")
    }
    let query = try alternatives()
    guard token == .end else { throw unexpected("&& or || or the end", hint: meant) }
    if let name = unused.min() {
      throw LedgerError(
        .invalid, "the argument \"\(name.shortened)\" is not used in the query",
        hint: "in the query it is $name, of letters, digits and _")
    }
    return query
  }

  private mutating func advance() throws(LedgerError) { token = try lexer.next() }

  private mutating func take(_ symbol: QueryLexer.Symbol) throws(LedgerError) -> Bool {
    guard token == .symbol(symbol) else { return false }
    try advance()
    return true
  }

  private mutating func alternatives() throws(LedgerError) -> Query {
    var query = try conjunction()
    while try take(.or) { query.or(try conjunction()) }
    return query
  }

  private mutating func conjunction() throws(LedgerError) -> Query {
    var query = try condition()
    while try take(.and) { query.and(try condition()) }
    return query
  }

  /// A test, or what stands in brackets; before either any number of !.
  private mutating func condition() throws(LedgerError) -> Query {
    var isNegated = false
    var hasNot = false
    while try take(.not) {
      isNegated.toggle()
      hasNot = true
    }
    let place = lexer.start
    var query: Query
    if try take(.open) {
      depth += 1
      guard depth <= Query.nestingMax else {
        throw lexer.problem(
          "brackets nest more than \(Query.nestingMax) deep", at: place)
      }
      query = try alternatives()
      depth -= 1
      guard try take(.close) else { throw unexpected(")", hint: meant) }
    } else {
      query = Query(try test(isNegated: hasNot))
    }
    if isNegated { query.negate() }
    return query
  }

  private mutating func countTerm(at place: Int? = nil) throws(LedgerError) {
    terms += 1
    guard terms <= Query.termsMax else {
      throw lexer.problem(
        "it has more than \(Query.termsMax) conditions and elements of arrays", at: place,
        hint: "pass a long array as an argument")
    }
  }
}

// Conditions on one place.
extension QueryParser {
  private mutating func test(isNegated: Bool) throws(LedgerError) -> QueryTest {
    try countTerm()
    let place = lexer.start
    if case .name(let name) = token, !QueryLexer.keywords.contains(name) {
      try advance()
      if try take(.open) { return try call(name, at: place) }
      return try comparison(of: .field(try path(from: name, at: place)), place, isNegated)
    }
    return try comparison(of: try operand(isFirst: true), place, isNegated)
  }

  /// What follows the first operand of a comparison.
  private mutating func comparison(
    of left: QueryOperand, _ place: Int, _ isNegated: Bool
  ) throws(LedgerError) -> QueryTest {
    let isMembership = token == .name("in")
    guard isMembership || comparison != nil else { return try bare(left, place) }
    guard !isNegated else {
      throw lexer.problem(
        "found a comparison after !, which could mean two things",
        hint: "put the comparison in brackets: !(priority == 2)")
    }
    let kind = comparison
    try advance()
    let right = try operand(isFirst: false)
    guard token != .name("in"), comparison == nil else {
      throw lexer.problem(
        "found a second comparison in a row", hint: "join comparisons with &&")
    }
    guard let kind else { return .containing(right, left) }
    return .comparing(left, kind, right)
  }

  private var comparison: Comparison? {
    guard case .symbol(let symbol) = token else { return nil }
    return Comparison(rawValue: symbol.rawValue)
  }

  private func bare(_ operand: QueryOperand, _ place: Int) throws(LedgerError) -> QueryTest {
    switch operand {
    case .field(let name): return .comparison(name, .equal, .value(.bool(true)))
    case .value(.bool(let flag)): return .constant(flag)
    case .value(let value):
      throw lexer.problem(
        "found \(value.typeName) alone, expected a condition", at: place,
        hint: meant ?? "compare it with a field: priority == 2")
    case .null:
      throw lexer.problem(
        "found null alone, expected a condition", at: place, hint: "ask for it with due == null")
    }
  }

  private static let functions = ["contains", "starts_with", "ends_with", "regex"]

  /// A function, from its first operand on.
  private mutating func call(_ name: String, at place: Int) throws(LedgerError) -> QueryTest {
    guard Self.functions.contains(where: name.hasSameBytes) else {
      throw lexer.problem(
        "there is no function \"\(name.shortened)\"", at: place,
        hint: Suggestion.sentence(
          Suggestion.closest(to: name.shortened, among: Self.functions),
          else: "the functions are \(Self.functions.joined(separator: ", "))"))
    }
    let whole = try operand(isFirst: true)
    guard try take(.comma) else {
      throw unexpected(
        "a comma", hint: "\(name) takes two operands: \(name)(body, \"milk\")")
    }
    let partPlace = lexer.start
    let isLiteral = if case .text = token { true } else { false }
    let part = try operand(isFirst: false)
    guard try take(.close) else { throw unexpected(")") }
    switch name {
    case "contains": return .containing(whole, part)
    case "starts_with": return .starting(whole, with: part)
    case "ends_with": return .ending(whole, with: part)
    default:
      return .matching(whole, try pattern(part, at: partPlace, isLiteral: isLiteral))
    }
  }

  private func pattern(
    _ operand: QueryOperand, at place: Int, isLiteral: Bool
  ) throws(LedgerError) -> TextPattern {
    guard case .value(.text(let text)) = operand else {
      throw lexer.problem(
        "found no text for the pattern of regex", at: place,
        hint: "a pattern is the same for every task: regex(body, \"^milk\")")
    }
    do {
      return try TextPattern.reading(text)
    } catch {
      let number = error.place ?? 0
      let isInText = isLiteral && error.place != nil
      throw lexer.problem(
        "the pattern is wrong\(error.place == nil || isInText ? "" : " at its character \(number + 1)"): \(error.sentence)",
        at: isInText ? lexer.place(ofScalar: number, inTextAt: place) : place, hint: error.hint)
    }
  }
}

// Operands.
extension QueryParser {
  /// - Parameter isFirst: whether a bracket begins the name of a field rather than an array.
  private mutating func operand(isFirst: Bool) throws(LedgerError) -> QueryOperand {
    let place = lexer.start
    switch token {
    case .name(let name):
      try advance()
      switch name {
      case "true": return .value(.bool(true))
      case "false": return .value(.bool(false))
      case "null": return .null
      case "in":
        throw lexer.problem("found in, expected a field or a value", at: place)
      default: return .field(try path(from: name, at: place))
      }
    case .symbol(.dot):
      try advance()
      guard case .name(let name) = token else { return .field(try path(from: nil, at: place)) }
      try advance()
      return .field(try path(from: name, at: place))
    case .symbol(.openBracket) where isFirst:
      return .field(try path(from: nil, at: place))
    case .text, .number, .argument, .symbol(.openBracket):
      return try value(depth: 0).map(QueryOperand.value) ?? .null
    default:
      throw unexpected("a field or a value", hint: meant)
    }
  }

  /// A value from its first token on; nil is null, which only an argument can be.
  private mutating func value(depth: Int) throws(LedgerError) -> Value? {
    let place = lexer.start
    let token = token
    try advance()
    switch token {
    case .text(let text): return .text(text)
    case .number(let number): return number
    case .name("true"): return .bool(true)
    case .name("false"): return .bool(false)
    case .symbol(.openBracket): return try array(depth: depth, at: place)
    case .argument(let name):
      guard let value = arguments[name] else {
        throw lexer.problem(
          "there is no value for $\(name.shortened)", at: place,
          hint: "give one under the name \"\(name.shortened)\"")
      }
      unused.remove(name)
      return value
    default:
      throw lexer.problem("found no value", at: place, hint: "text stands in quotes")
    }
  }

  /// An array, behind its opening bracket.
  private mutating func array(depth: Int, at place: Int) throws(LedgerError) -> Value {
    guard depth < Limits.arrayDepthMax else {
      throw lexer.problem("arrays nest more than \(Limits.arrayDepthMax) deep", at: place)
    }
    var values: [Value] = []
    while token != .symbol(.closeBracket) {
      if !values.isEmpty, try !take(.comma) { throw unexpected("a comma or ]") }
      let place = lexer.start
      try countTerm(at: place)
      guard let value = try value(depth: depth + 1) else {
        throw lexer.problem("an array holds null", at: place, hint: "ask for null with == null")
      }
      values.append(value)
    }
    try advance()
    let array = Value.array(values)
    if depth > 0 { return array }
    do {
      return try array.validated()
    } catch {
      throw lexer.problem(error.sentence, at: place, hint: error.hint)
    }
  }

  /// The name of a field that is all of a text.
  static func path(_ text: String) throws(LedgerError) -> FieldName {
    var parser = try QueryParser(text, [:])
    try parser.advance()
    let name = try parser.path(from: nil, at: 0)
    guard parser.token == .end else { throw parser.unexpected("the end of the name") }
    return name
  }

  /// The name of a field: its first part, where that is a plain name, was read already.
  private mutating func path(
    from first: String?, at place: Int
  ) throws(LedgerError) -> FieldName {
    var segments = first.map { [$0] } ?? []
    while true {
      if try take(.openBracket) {
        guard case .text(let text) = token else {
          throw unexpected(
            "the name of a field in quotes",
            hint: "an array stands on the right of an operator, or behind in")
        }
        segments.append(text)
        try advance()
        guard try take(.closeBracket) else {
          throw unexpected("]", hint: "an array stands on the right of an operator, or behind in")
        }
      } else if !segments.isEmpty, try take(.dot) {
        guard case .name(let name) = token else {
          throw unexpected("a name", hint: "a name with odd characters is written [\"name\"]")
        }
        segments.append(name)
        try advance()
      } else {
        break
      }
    }
    guard !segments.isEmpty else { throw unexpected("a name") }
    do {
      return try FieldName(segments.joined(separator: "."))
    } catch {
      throw lexer.problem(error.sentence, at: place, hint: error.hint)
    }
  }
}

// What stands where something else is expected.
extension QueryParser {
  private func unexpected(_ expected: String, hint: String? = nil) -> LedgerError {
    lexer.problem("found \(found), expected \(expected)", hint: hint)
  }

  private var found: String {
    switch token {
    case .name(let name): "\"\(name.shortened)\""
    case .text: "a text"
    case .number: "a number"
    case .argument(let name): "$\(name.shortened)"
    case .symbol(let symbol): symbol.rawValue
    case .end: "the end"
    }
  }

  /// What words and signs of other languages stand for.
  private var meant: String? {
    switch token {
    case .name("and"), .name("AND"): "and is &&"
    case .name("or"), .name("OR"): "or is ||"
    case .name("is"), .name("IS"): "equal is =="
    case .name("like"), .name("LIKE"): "ask for a part of a text with contains(body, \"milk\")"
    case .symbol(.less), .symbol(.greater): "not equal is !="
    default: nil
    }
  }
}

extension Query {
  /// The longest text of a query, in bytes of UTF-8.
  public static let textBytesMax = 256 << 10
  /// How deep brackets may nest in the text of a query.
  public static let nestingMax = 64
  /// The most conditions of a text, elements of arrays included.
  public static let termsMax = 4096
}
