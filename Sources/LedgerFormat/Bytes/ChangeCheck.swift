import LedgerCore

/// What the rules say of the changes of every event, checked wherever events are decoded.
///
/// Commands never make an event that breaks them, and the fold relies on them: from a file that does it would show a
/// document with another id, or with the same key twice.
enum ChangeCheck {
  /// What is wrong with one change, in words; nil when nothing is.
  ///
  /// - Parameters:
  ///   - tag: the type of its value as in `ValueTag`; 0 is an unset.
  ///   - previous: the field of the change before it.
  static func problem(
    _ kind: EventKind, _ name: FieldName, tag: UInt8, after previous: FieldName?
  ) -> String? {
    if kind == .evict { return "an evict changes fields" }
    if let previous, !(previous < name) { return "the fields of an event are not in order" }
    guard name.canBeRecorded else { return "an event changes the field \"\(name)\"" }
    guard tag == ValueTag.unset || fits(tag, name) else {
      return "the field \"\(name)\" has a value of the type \(tag)"
    }
    return nil
  }

  /// Whether the standard fields have their types. What an interned value is, its reader knows.
  private static func fits(_ tag: UInt8, _ name: FieldName) -> Bool {
    switch name.defaultValue {
    case .text: tag == ValueTag.text || tag == ValueTag.date || tag == ValueTag.interned
    case .bool: tag == ValueTag.no || tag == ValueTag.yes
    default: true
    }
  }

  /// What is wrong with the fields that one event sets, in words: no name is a prefix of another.
  static func collision(ofSet names: some Collection<FieldName>) -> String? {
    guard names.contains(where: \.isDotted) else { return nil }
    let set = Set(names)
    for name in names where name.isDotted {
      if let prefix = name.prefixes.first(where: set.contains) {
        return "an event sets both \"\(prefix)\" and \"\(name)\""
      }
    }
    return nil
  }
}

extension FieldName {
  /// Whether an event can set or unset it: not `_id`, nor anything below it or below a standard field.
  fileprivate var canBeRecorded: Bool {
    guard isDotted, let first = prefixes.last else { return !text.hasSameBytes(as: "_id") }
    return first.defaultValue == nil && !first.text.hasSameBytes(as: "_id")
  }
}

extension Value {
  /// The type under which it is encoded, outside of shapes.
  var tag: UInt8 {
    switch self {
    case .bool(let flag): flag ? ValueTag.yes : ValueTag.no
    case .int: ValueTag.int
    case .double: ValueTag.double
    case .text: ValueTag.text
    case .array: ValueTag.array
    }
  }
}
