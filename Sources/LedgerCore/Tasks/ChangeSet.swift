/// The fields that a command sets and unsets, checked.
///
/// Invariants:
/// - names are unique, sorted, and none is a proper prefix of another;
/// - `_id` and what lies below it are not among them;
/// - `body` is text, `isCompleted` and `isDeleted` are booleans, and none of them has an extension;
/// - every value is within the limits, integral doubles are integers.
package struct ChangeSet: Hashable, Sendable {
  package let changes: [FieldChange]

  package static let empty = ChangeSet(unchecked: [])

  private init(unchecked changes: [FieldChange]) { self.changes = changes }

  /// Checks changes in any order.
  ///
  /// - Throws: `LedgerError` with code `invalid` that names the field.
  package init(_ given: [FieldChange]) throws(LedgerError) {
    var checked = given
    var isSorted = true
    for index in given.indices {
      if let value = try Self.check(given[index]) { checked[index].value = value }
      if isSorted, index > 0 { isSorted = given[index - 1].name < given[index].name }
    }
    if !isSorted { checked.sort { $0.name < $1.name } }
    // Names sort by bytes, so a name between a prefix and its extension is possible ("a", "a-b", "a.c"):
    // each dotted name asks for its prefixes instead of looking at its neighbour.
    let names = checked.contains { $0.name.isDotted } ? Set(checked.map(\.name)) : []
    for index in checked.indices {
      let name = checked[index].name
      if index > 0, checked[index - 1].name == name {
        throw Self.refusal(of: name, "the field \"\(name)\" is named twice")
      }
      if name.isDotted, let prefix = name.prefixes.first(where: names.contains) {
        throw Self.refusal(
          of: name, "the fields \"\(prefix)\" and \"\(name)\" exclude each other",
          hint: "name a field or a field below it, not both")
      }
    }
    changes = checked
  }

  /// - Returns: the value to take instead; nil where it stays.
  private static func check(_ change: FieldChange) throws(LedgerError) -> Value? {
    let name = change.name
    let isDotted = name.isDotted
    let first = isDotted ? (name.prefixes.last ?? name) : name
    if first.text.utf8.count == 3, first.text.hasSameBytes(as: "_id") {
      throw refusal(
        of: name, "the field \"\(name)\" cannot be set: a task keeps its id",
        hint: "make a new task with the other id")
    }
    let standard = first.defaultValue
    if isDotted, standard != nil {
      throw refusal(
        of: name, "the field \"\(name)\" cannot be set: \"\(first)\" has nothing below it")
    }
    guard let value = change.value else { return nil }
    if let standard, !hasSameType(standard, value) {
      let expected = if case .text = standard { "text" } else { "true or false" }
      throw refusal(
        of: name, "the field \"\(name)\" is \(value.typeName), expected \(expected)")
    }
    do {
      let valid = try value.validated()
      return switch value {
      case .double, .array: valid
      default: nil
      }
    } catch {
      var error = error
      error.sentence = "the field \"\(name)\" is refused: \(error.sentence)"
      error.field = name
      throw error
    }
  }

  private static func refusal(
    of name: FieldName, _ sentence: String, hint: String? = nil
  ) -> LedgerError {
    var error = LedgerError(.invalid, sentence, hint: hint)
    error.field = name
    return error
  }

  private static func hasSameType(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.text, .text), (.bool, .bool): true
    default: false
    }
  }
}

extension Value {
  /// The name of its type, as messages have it.
  package var typeName: String {
    switch self {
    case .bool: "a boolean"
    case .int: "an integer"
    case .double: "a number"
    case .text: "text"
    case .array: "an array"
    }
  }
}
