import LedgerCore

// Short forms where a query is expected, and what reads like one where a task is made.
extension ShortForms {
  /// The query that asks for what short forms would set, such as `tags.home && due == $today`; nil where a word is no short form.
  static func query(_ words: String) -> String? {
    let parts = words.split(separator: " ").map { condition(String($0)) }
    let known = parts.compactMap(\.self)
    guard !known.isEmpty, known.count == parts.count else { return nil }
    return known.joined(separator: " && ")
  }

  private static func condition(_ word: String) -> String? {
    if let tag = tag(word) { return asked(tag) }
    guard let (key, text) = word.cut(at: ":") else { return nil }
    switch key {
    case "tag", "tags": return tag("+" + text).flatMap(asked)
    case "due":
      return onNamedDay(text) ?? onWrittenDay(text)
    case "pri", "priority":
      return wholeNumber(text).map { (Field(priorityField) == $0).description }
    default: return nil
    }
  }

  /// What is due at any time of a day that is named: `due >= $fri && due < $fri+1`. Where the day after cannot be said, as behind a
  /// number of months, what is due on that day without a time.
  private static func onNamedDay(_ word: String) -> String? {
    guard NamedDay.date(word, today: 0) != nil else { return nil }
    let name = word.prefix { $0 != "+" && $0 != "-" }
    let start = "$\(name.isEmpty ? "today" : "")\(word)"
    let end: String
    if name.utf8.count < word.utf8.count {
      guard let next = NamedDay.distance(in: word)?.days.map({ $0 + 1 }) else {
        return "\(dueField) == \(start)"
      }
      let distance = next == 0 ? "" : next < 0 ? "\(next)" : "+\(next)"
      end = "$\(name.isEmpty ? "today" : name)\(distance)"
    } else {
      switch word.lowercased() {
      case "today": end = "$tomorrow"
      case "yesterday": end = "$today"
      default: end = "\(start)+1"
      }
    }
    return "\(dueField) >= \(start) && \(dueField) < \(end)"
  }

  /// The same of a date; of a time, what is due right then.
  private static func onWrittenDay(_ text: String) -> String? {
    guard let start = try? LedgerTime(text) else { return nil }
    let due = Field(dueField)
    let dateBytes = 10
    guard text.utf8.count == dateBytes,
      let end = try? LedgerTime(milliseconds: start.milliseconds + 86_400_000)
    else { return (due == text).description }
    return (due >= text && due < String(end.description.prefix(dateBytes))).description
  }

  private static func asked(_ tag: String) -> String? {
    (try? FieldName("tags." + tag)).map { Field($0).query.description }
  }

  /// The first word that is a short form but for its large letters, an equals sign or a blank, such as `Due:friday`, `due=friday` or
  /// `due: friday`, and what sets the field.
  static func misspelt(in arguments: Arguments) -> (word: String, meant: String)? {
    let end = arguments.literalStart ?? arguments.operands.count
    let words = arguments.operands.prefix(end)
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      guard let (key, text) = word.cut(at: ":") ?? word.cut(at: "=") else { continue }
      let name = key.lowercased()
      guard !text.isEmpty else {
        if word.utf8.last == 0x3a, let value = values[name] {
          let meant = "\(name):\(next)"
          return isSetting(meant) ? ("\(word) \(next)", meant) : (word, "\(name):\(value)")
        }
        continue
      }
      let meant = "\(name):\(text)"
      guard !meant.hasSameBytes(as: word), isSetting(meant) else { continue }
      return (word, meant)
    }
    return nil
  }

  /// What stands behind the colon.
  private static let values = ["due": "DAY", "pri": "N", "priority": "N"]

  private static func isSetting(_ word: String) -> Bool {
    let change = try? change(word, today: { 0 }, unsets: false)
    return change?.value != nil
  }
}
