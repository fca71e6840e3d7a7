import LedgerCore

/// Reads a command line: `ledger [global options] VERB [options and operands]`.
///
/// Options are `--name value`, `--name=value` or, without a value, `--name`; `--` ends them; `-` is an operand.
package enum ArgumentReader {
  /// The options that precede the verb.
  package static let globalOptions: [VerbDescription.Option] = [
    .init("ledger", "PATH", "the ledger's folder"),
    .init("author", "NAME", "who makes the changes"),
    .flag("json", "print JSON, one object a line; errors, too, on standard error"),
    .flag("help", "print help; after a verb, that verb's"),
    .flag("version", "print the version"),
  ]

  /// Passes the global options.
  ///
  /// - Parameter globals: gets what was read, also when an error follows it: it tells how to print the error.
  /// - Returns: the verb, if there is one, and what follows it.
  package static func readGlobals(
    _ arguments: [String], into globals: inout Arguments
  ) throws(LedgerError) -> ArraySlice<String> {
    var rest = arguments[...]
    while let argument = rest.first, isOption(argument) {
      rest.removeFirst()
      if argument == "--" { break }
      try readOption(argument, &rest, globalOptions, into: &globals) { (name) throws(LedgerError) in
        throw unknownGlobal(name)
      }
    }
    return rest
  }

  /// Reads what follows a verb. `--help` among it leaves the rest unread.
  package static func read(
    _ arguments: ArraySlice<String>, for verb: VerbDescription
  ) throws(LedgerError) -> Arguments {
    var result = Arguments()
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        result.literalStart = result.operands.count
        result.operands.append(contentsOf: rest)
        break
      }
      guard isOption(argument) else {
        result.operands.append(argument)
        continue
      }
      if argument == "--help" || argument == "-h" {
        result.add("help", "")
        return result
      }
      try readOption(argument, &rest, verb.options, into: &result) { (name) throws(LedgerError) in
        throw unknownOption(name, of: verb)
      }
    }
    try check(result.operands, verb)
    return result
  }

  /// Whether an argument is an option, or `--`.
  static func isOption(_ argument: String) -> Bool {
    argument.utf8.first == 0x2d && argument.utf8.count > 1
  }

  private static func readOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ options: [VerbDescription.Option],
    into result: inout Arguments, otherwise unknown: (String) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    let parts = argument.cut(at: "=")
    let name = parts?.before ?? argument
    let spelled = name == "-h" ? "--help" : name
    guard let option = options.first(where: { "--\($0.name)" == spelled }) else {
      return try unknown(spelled)
    }
    guard option.repeats || !result.has(option.name) else {
      throw LedgerError(.usage, "--\(option.name) is given twice")
    }
    guard let value = option.value else {
      guard parts == nil else {
        throw LedgerError(.usage, "--\(option.name) takes no value")
      }
      return result.add(option.name, "")
    }
    if let parts { return result.add(option.name, parts.after) }
    guard let next = rest.popFirst() else {
      throw LedgerError(
        .usage, "--\(option.name) needs a value: found nothing behind it, expected \(value)")
    }
    // A forgotten value would take the next option for one.
    guard next == "--" || !options.contains(where: { "--\($0.name)" == next }) else {
      throw LedgerError(
        .usage, "--\(option.name) needs a value: found the option \(next), expected \(value)",
        hint: "if it is the value, write --\(option.name)=\(next)")
    }
    result.add(option.name, next)
  }

  private static func check(_ found: [String], _ verb: VerbDescription) throws(LedgerError) {
    let operands = verb.operands
    let count = found.count
    guard !operands.count.contains(count) else { return }
    let sentence =
      if count < operands.count.lowerBound {
        "\(verb.name) needs \(operands.name)"
      } else if operands.count.upperBound == 0 {
        "\(verb.name) takes options only"
      } else {
        "\(verb.name) takes one \(operands.name), found \(count)"
      }
    throw LedgerError(
      .usage, sentence,
      hint: hint(found, verb) ?? usageHint(verb))
  }

  /// What too many operands were meant for.
  private static func hint(_ found: [String], _ verb: VerbDescription) -> String? {
    if verb.operands.name == "QUERY" {
      let meant = ShortForms.query(found.joined(separator: " "))
      return Suggestion.sentence(meant.map { [$0] } ?? [], else: "put the query in single quotes")
    }
    guard verb.operands.count.upperBound == 0, found.count == 1 else { return nil }
    switch verb.name {
    case "log": return "`ledger audit ID` shows the events of one task"
    case "verify", "repair", "stats", "snapshot", "compact", "maintain", "replay":
      return "another ledger is named before the verb: ledger --ledger PATH \(verb.name)"
    default: return nil
    }
  }

  /// Where to read on.
  static func usageHint(_ verb: VerbDescription) -> String {
    "`ledger \(verb.name) --help` shows what it takes"
  }
}

// What nobody knows.
extension ArgumentReader {
  private static func unknownGlobal(_ name: String) -> LedgerError {
    let known = globalOptions.map { "--\($0.name)" }
    if name == "-V" || name == "-v" {
      return LedgerError(
        .usage, "there is no option \(name) before the verb", hint: "did you mean `--version`?")
    }
    let isOfVerb = Verbs.all.contains { $0.description.options.contains { "--\($0.name)" == name } }
    return LedgerError(
      .usage, "there is no option \(name.shortened) before the verb",
      hint: isOfVerb
        ? "options of a verb follow it"
        : Suggestion.sentence(
          Suggestion.closest(to: name, among: known), else: "`ledger --help` lists the options"))
  }

  private static func unknownOption(_ name: String, of verb: VerbDescription) -> LedgerError {
    if let option = globalOptions.first(where: { "--\($0.name)" == name }) {
      return LedgerError(
        .usage, "\(name) stands behind the verb",
        hint: "global options precede the verb: ledger \(option.spelled) \(verb.name) …")
    }
    if verb.name == "log", name == "--task" || name == "--id" {
      return LedgerError(
        .usage, "log has no option \(name)", hint: "`ledger audit ID` shows the events of one task")
    }
    if verb.name == "update", let tag = ShortForms.tag("+" + name.dropFirst()) {
      return LedgerError(
        .usage, "update has no option \(name.shortened)",
        hint: "a tag is taken away by --unset tags.\(tag.shortened)")
    }
    if let hint = FamiliarOptions.hint(name, of: verb) {
      return LedgerError(.usage, "\(verb.name) has no option \(name.shortened)", hint: hint)
    }
    let known = verb.options.map { "--\($0.name)" }
    let meant = Suggestion.closest(to: name, among: known)
    let isShort = !name.utf8.starts(with: "--".utf8)
    return LedgerError(
      .usage, "\(verb.name) has no option \(name.shortened)",
      hint: Suggestion.sentence(
        meant,
        else: isShort && verb.operands.count.upperBound > 0
          ? "what begins with a dash and is no option goes behind --" : usageHint(verb)))
  }
}

extension String {
  /// The text before and after the first place of a character of ASCII; nil where there is none. By bytes: a
  /// combining mark behind the character makes no other one of it.
  func cut(at separator: Unicode.Scalar) -> (before: String, after: String)? {
    guard let place = utf8.firstIndex(of: UInt8(ascii: separator)) else { return nil }
    return (String(self[..<place]), String(self[utf8.index(after: place)...]))
  }
}
