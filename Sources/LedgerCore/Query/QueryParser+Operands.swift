/// Reading operands: fields, values, arguments.
extension QueryParser {
  /// - Parameter isFirst: whether a bracket begins the name of a field rather than an array.
  mutating func operand(isFirst: Bool) throws(LedgerError) -> QueryOperand {
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
    case .argument(let name, let distance):
      guard let value = arguments[name] ?? predefined(name).map(Optional.some) else {
        throw lexer.problem(
          "there is no value for $\(name.shortened)", at: place,
          hint:
            "pass one: [\"\(name.shortened)\": …] in Swift, --arg \(name.shortened)=VALUE on the command line"
        )
      }
      unused.remove(name)
      guard let distance else { return value }
      return .text(try date(distance, from: value, of: name, at: place))
    case .name("null"):
      throw lexer.problem("found null in an array, which holds values alone", at: place)
    default:
      throw lexer.problem("found no value", at: place, hint: "text stands in quotes")
    }
  }

  /// The date that lies so far from the one that an argument stands for.
  private func date(
    _ distance: DayDistance, from value: Value?, of name: String, at place: Int
  ) throws(LedgerError) -> String {
    guard case .text(let text)? = value, text.utf8.count == CivilDay.textBytes,
      let start = try? LedgerTime(text)
    else {
      throw lexer.problem(
        "days are added to $\(name.shortened), which is no date", at: place,
        hint: "a date is a text such as \"2026-12-24\", without a time of day")
    }
    let day = CivilDay(number: start.milliseconds.flooredQuotient(by: 86_400_000))
    guard let end = distance.day(from: day) else {
      throw lexer.problem(
        "$\(name.shortened)\(distance) is no day of the years 0000 to 9999", at: place)
    }
    var date: [UInt8] = []
    end.append(to: &date)
    return String(decoding: date, as: UTF8.self)
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

  /// Whether a part of a name stands in brackets and quotes.
  static func isBracketed(_ text: String) -> Bool {
    zip(text.utf8, text.utf8.dropFirst()).contains { $0 == 0x5b && ($1 == 0x22 || $1 == 0x27) }
  }

  /// The name of a field that is all of a text.
  static func path(_ text: String) throws(LedgerError) -> FieldName {
    var parser = try QueryParser(text, [:])
    do throws(LedgerError) {
      try parser.advance()
      var first: String?
      if case .name(let text) = parser.token {
        first = text
        try parser.advance()
      }
      let name = try parser.path(from: first, at: 0)
      if parser.token == .end { return name }
    } catch {
      throw LedgerError(
        .invalid, "\"\(text.shortened)\" is not the name of a field", column: error.column,
        hint: "a name in brackets and quotes is written [\"a,b\"]")
    }
    throw LedgerError(.invalid, "\"\(text.shortened)\" is more than the name of a field")
  }

  /// The name of a field: its first part, where that is a plain name, was read already.
  mutating func path(
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
      let name = try FieldName(segments.joined(separator: "."))
      fieldsOfTest.append((name, place))
      return name
    } catch {
      throw lexer.problem(error.sentence, at: place, hint: error.hint)
    }
  }
}

extension FieldName {
  /// The field that a person names: as it is called, or with parts in brackets and quotes as in a query, such as `tags["odd key"]`.
  package static func typed(_ text: String) throws(LedgerError) -> FieldName {
    QueryParser.isBracketed(text) ? try QueryParser.path(text) : try FieldName(text)
  }
}
