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
      if NamedDay.date(text, today: 0) != nil {
        return "due == $" + (text.utf8.first == 0x2b ? "today" : "") + text
      }
      guard (try? LedgerTime(text)) != nil else { return nil }
      return (Field(dueField) == text).description
    case "pri", "priority":
      return wholeNumber(text).map { (Field(priorityField) == $0).description }
    default: return nil
    }
  }

  private static func asked(_ tag: String) -> String? {
    (try? FieldName("tags." + tag)).map { Field($0).query.description }
  }

  /// The first word that is a short form but for its large letters, such as `Due:friday`, and the one that is.
  static func misspelt(in arguments: Arguments) -> (word: String, meant: String)? {
    let end = arguments.literalStart ?? arguments.operands.count
    for word in arguments.operands.prefix(end) {
      guard let (key, text) = word.cut(at: ":"), !text.isEmpty else { continue }
      let meant = "\(key.lowercased()):\(text)"
      guard !meant.hasSameBytes(as: word),
        let change = try? change(meant, today: { 0 }, unsets: false), change.value != nil
      else { continue }
      return (word, meant)
    }
    return nil
  }
}
