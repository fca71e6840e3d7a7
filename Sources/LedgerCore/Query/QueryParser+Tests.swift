/// Reading conditions on one place: comparisons and functions.
extension QueryParser {
  mutating func test(isNegated: Bool) throws(LedgerError) -> QueryTest {
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
    let rightPlace = lexer.start
    guard kind != nil || token != .symbol(.open) else {
      throw unexpected("an array", hint: "values stand in square brackets: priority in [1, 2]")
    }
    let right = try operand(isFirst: false)
    guard token != .name("in"), comparison == nil else {
      throw lexer.problem(
        "found a second comparison in a row", hint: "join comparisons with &&")
    }
    guard let kind else {
      if case .value(.array(let values)) = right {
        for case .text(let text) in values { note(left, .equal, text, rightPlace) }
      }
      return .containing(right, left)
    }
    if case .value(.text(let text)) = right { note(left, kind, text, rightPlace) }
    if case .value(.text(let text)) = left { note(right, kind.mirrored, text, place) }
    return .comparing(left, kind, right)
  }

  private mutating func note(
    _ operand: QueryOperand, _ comparison: Comparison, _ text: String, _ place: Int
  ) {
    guard let field = operand.field, !field.isID else { return }
    textComparisons.append((field, comparison, text, place))
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

  static let functions = ["contains", "starts_with", "ends_with", "regex"]

  /// A function, from its first operand on.
  private mutating func call(_ name: String, at place: Int) throws(LedgerError) -> QueryTest {
    guard Self.functions.contains(where: name.hasSameBytes) else {
      throw lexer.problem(
        "there is no function \"\(name.shortened)\"", at: place,
        hint: name.hasSameBytes(as: "not") || name.hasSameBytes(as: "NOT")
          ? "not is !"
          : Suggestion.sentence(
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
