/// Reads queries.
///
/// Invariants:
/// - brackets nest at most `Query.nestingMax` deep, so recursion is bounded;
/// - the text, its terms and the elements of its arrays are bounded before anything is built of them.
struct QueryParser {
  var lexer: QueryLexer
  let arguments: [String: Value?]
  let predefined: (String) -> Value?
  var unused: Set<String>
  /// The comparisons of fields with texts, and the bytes at which the texts begin.
  var textComparisons: [(field: FieldName, comparison: Comparison, text: String, place: Int)] = []
  /// The fields that were named so far, what is asked of each, and whether that is to hold or not, in the order of the text.
  private(set) var fieldUses: [(field: FieldName, test: QueryTest, isNegated: Bool, place: Int)] =
    []
  /// The fields of the test that is being read, and the bytes at which they begin.
  var fieldsOfTest: [(field: FieldName, place: Int)] = []
  /// The first field of the last test that was read.
  private var firstOfLastTest: FieldName?
  private var isNegating = false
  var token = QueryLexer.Token.end
  private var depth = 0
  private var terms = 0

  init(
    _ text: String, _ arguments: [String: Value?],
    predefined: @escaping (String) -> Value? = { _ in nil }
  ) throws(LedgerError) {
    self.predefined = predefined
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

  mutating func advance() throws(LedgerError) { token = try lexer.next() }

  mutating func take(_ symbol: QueryLexer.Symbol) throws(LedgerError) -> Bool {
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
    if isNegated { isNegating.toggle() }
    defer { if isNegated { isNegating.toggle() } }
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
      let test = try test(isNegated: hasNot)
      firstOfLastTest = fieldsOfTest.first?.field
      for use in fieldsOfTest { fieldUses.append((use.field, test, isNegating, use.place)) }
      fieldsOfTest = []
      query = Query(test)
    }
    if isNegated { query.negate() }
    return query
  }

  mutating func countTerm(at place: Int? = nil) throws(LedgerError) {
    terms += 1
    guard terms <= Query.termsMax else {
      throw lexer.problem(
        "it has more than \(Query.termsMax) conditions and elements of arrays", at: place,
        hint: "pass a long array as an argument")
    }
  }
}

// What stands where something else is expected.
extension QueryParser {
  func unexpected(_ expected: String, hint: String? = nil) -> LedgerError {
    lexer.problem("found \(found), expected \(expected)", hint: hint)
  }

  private var found: String {
    switch token {
    case .name(let name): "\"\(name.shortened)\""
    case .text: "a text"
    case .number: "a number"
    case .argument(let name, _): "$\(name.shortened)"
    case .symbol(let symbol): "\"\(symbol.rawValue)\""
    case .end: "the end"
    }
  }

  /// What words and signs of other languages stand for.
  var meant: String? {
    switch token {
    case .name("and"), .name("AND"): "and is &&"
    case .name("or"), .name("OR"): "or is ||"
    case .name("is"), .name("IS"): "equal is ==, such as due == null"
    case .name(let name) where Self.functions.contains(where: name.hasSameBytes):
      "\(name) stands before its operands: \(name)(body, \"milk\")"
    case .name("like"), .name("LIKE"): "ask for a part of a text with contains(body, \"milk\")"
    case .symbol(.less), .symbol(.greater): "not equal is !="
    case .name where firstOfLastTest == .not: "not is !"
    default: nil
    }
  }
}

extension FieldName {
  /// What other languages have for `!`.
  fileprivate static let not = FieldName(unchecked: "not")
}

extension Query {
  /// The longest text of a query, in bytes of UTF-8.
  public static let textBytesMax = 256 << 10
  /// How deep brackets may nest in the text of a query.
  public static let nestingMax = 64
  /// The most conditions of a text, elements of arrays included.
  public static let termsMax = 4096
}
