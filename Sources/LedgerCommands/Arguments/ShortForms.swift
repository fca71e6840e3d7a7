import LedgerCore

/// Fields that are set by single words: `due:tomorrow`, `pri:1`, `+home`.
///
/// Invariants:
/// - a short form is a whole word of the command line, before `--`; nothing inside of a word with a blank is one;
/// - a word that begins like one and has no such value behind its colon is refused, never taken for text;
/// - every other word is left as it is: `http://x`, `10:30`, `+1`, `c++`.
enum ShortForms {
  /// The verbs that take them.
  static let verbs: Set<String> = ["add", "update", "upsert"]

  /// What a shell can offer.
  static let candidates: [Candidates.Candidate] =
    NamedDay.words.map { .init(text: "due:\($0)", about: "sets the field due") }

  static let details = [
    "Single words set fields: due:DAY sets due to a date, pri:N sets priority to a whole number, +TAG sets tags.TAG to "
      + "true. DAY is \(NamedDay.expected). Words mean days of your own time zone. "
      + "priority:N is pri:N. A TAG begins with a letter or _, and has letters, digits, _ and - alone.",
    "A word is one of these only as a whole, as the shell hands it over: one with a blank in it is none. Nor is http://x, "
      + "10:30, C:\\x, +1, +1.5, c++, or a tag with a comma behind it. What stands behind due:, pri: or priority: and is no such "
      + "value is refused. Behind -- every word is meant as it stands.",
  ]

  /// What stands for a field that is to be unset, where tasks that are there are changed.
  static let unsetting = "due: and pri: with nothing behind them unset the field."
  /// What the same words are where a task is made.
  static let emptyAsText = "due: and pri: with nothing behind them are text like any other."

  /// What the words of a command line say.
  struct Reading {
    /// The words that are no short forms.
    var words: [String] = []
    var changes: [FieldChange] = []
  }

  /// - Parameters:
  ///   - today: the number of the day that it is; asked for only where a word names a day.
  ///   - unsets: whether `due:` and `pri:` with nothing behind them unset the field; else they are text.
  static func read(
    _ arguments: Arguments, today: @autoclosure () -> Int64, unsets: Bool
  ) throws(LedgerError) -> Reading {
    var reading = Reading()
    let end = arguments.literalStart ?? arguments.operands.count
    for word in arguments.operands.prefix(end) {
      if let change = try change(word, today: today, unsets: unsets) {
        reading.changes.append(change)
      } else {
        reading.words.append(word)
      }
    }
    reading.words += arguments.operands.dropFirst(end)
    return reading
  }

  static func change(
    _ word: String, today: () -> Int64, unsets: Bool
  ) throws(LedgerError) -> FieldChange? {
    guard !word.unicodeScalars.contains(where: \.properties.isWhitespace) else { return nil }
    if let tag = tag(word) { return FieldChange(try FieldName("tags." + tag), .bool(true)) }
    guard let (key, text) = word.cut(at: ":") else { return nil }
    let field: FieldName
    let value: Value?
    switch key {
    case "due": (field, value) = (dueField, NamedDay.read(text, today: today()).map(Value.text))
    case "pri", "priority": (field, value) = (priorityField, wholeNumber(text))
    default: return nil
    }
    guard !text.isEmpty else { return unsets ? FieldChange(field, nil) : nil }
    guard let value else { throw refused(word, field, text) }
    return FieldChange(field, value)
  }

  static let dueField = FieldName(unchecked: "due")
  static let priorityField = FieldName(unchecked: "priority")
  /// What lies below it are the tags.
  static let tagsField = FieldName(unchecked: "tags")

  /// Whether it is one of the fields that they set, or holds them.
  static func sets(_ name: FieldName) -> Bool {
    name == dueField || name == priorityField || name == tagsField || tagsField.isPrefix(of: name)
  }

  /// What stands behind the plus sign, where it can be the name of a tag.
  static func tag(_ word: String) -> String? {
    guard word.utf8.first == 0x2b, let first = word.unicodeScalars.dropFirst().first,
      first == "_" || first.properties.isAlphabetic
    else { return nil }
    let name = word.unicodeScalars.dropFirst()
    guard name.allSatisfy({ $0.isInWords || $0 == "-" }) else { return nil }
    return String(String.UnicodeScalarView(name))
  }

  static func wholeNumber(_ text: String) -> Value? {
    let digits = text.utf8.first == 0x2d ? text.utf8.dropFirst() : text.utf8[...]
    // Swift's own reading takes a plus sign, too.
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text).map(Value.int)
  }

  private static func refused(_ word: String, _ field: FieldName, _ value: String) -> LedgerError {
    if field == dueField, isWrittenDay(value) {
      return LedgerError(
        .usage, "\"\(word.shortened)\" sets \(field): there is no such day",
        hint: "--set \(field)=VALUE takes any value; a word that is text stands behind --")
    }
    if field == dueField, value.utf8.contains(0x3a) {
      return LedgerError(
        .usage,
        "\"\(word.shortened)\" sets \(field): found \"\(value.shortened)\", which is no day, and no time in full",
        hint:
          "a time of day is written in full, with date, seconds and zone, such as due:2026-12-24T18:00:00+01:00 or, in UTC, due:2026-12-24T17:00:00Z"
      )
    }
    if field == dueField, let meant = MeantDay.word(value) {
      return LedgerError(
        .usage, "\"\(word.shortened)\" sets \(field): \"\(value.shortened)\" is no day",
        hint: Suggestion.sentence(["\(field):\(meant)"], else: ""))
    }
    if field == dueField, noDay.contains(where: value.lowercased().hasSameBytes) {
      return LedgerError(
        .usage, "\"\(word.shortened)\" sets \(field): \"\(value.shortened)\" is no day",
        hint:
          "leave it out of a new task; --unset \(field) takes it from one that is there")
    }
    let expected = field == dueField ? NamedDay.expected : "a whole number"
    return LedgerError(
      .usage,
      "\"\(word.shortened)\" sets \(field): found \"\(value.shortened)\", expected \(expected)",
      hint: "--set \(field)=VALUE takes any value; a word that is text stands behind --")
  }

  /// Words for no day at all.
  private static let noDay = ["never", "none", "no", "null", "nil", "off"]

  /// Whether a text has the form of a date: 2026-02-30.
  private static func isWrittenDay(_ text: String) -> Bool {
    let form = "0000-00-00"
    return text.utf8.count == form.utf8.count
      && zip(text.utf8, form.utf8).allSatisfy { byte, form in
        form == 0x2d ? byte == 0x2d : (0x30...0x39).contains(byte)
      }
  }
}
