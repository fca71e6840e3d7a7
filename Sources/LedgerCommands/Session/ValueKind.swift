import LedgerCore
import TaskLedger

/// What a field holds, as far as comparisons tell it apart: only what is of one kind can be equal, or less.
enum ValueKind: CaseIterable {
  case boolean, number, text, array
  /// Further fields below its name.
  case object

  init(_ value: Value) {
    self =
      switch value {
      case .bool: .boolean
      case .int, .double: .number
      case .text: .text
      case .array: .array
      }
  }

  /// What a task holds; nil where it has nothing there.
  init?(_ value: ComparedValue) {
    switch value {
    case .missing: return nil
    case .object: self = .object
    case .bool: self = .boolean
    case .int, .double: self = .number
    case .instant, .text: self = .text
    case .array: self = .array
    }
  }

  /// The kind that the rules give a field; nil where a field can hold anything.
  static func fixed(_ name: FieldName) -> ValueKind? {
    if name.isID { return .text }
    return name.defaultValue.map { ValueKind($0) }
  }

  /// The tasks that have a field of this kind: a value compares with nothing of another one.
  func query(_ name: FieldName) -> Query {
    let field = Field(name)
    return switch self {
    case .boolean: field >= false
    case .number: field >= -Double.greatestFiniteMagnitude
    case .text: field >= ""
    case .array: field >= Value.array([])
    case .object:
      Self.allCases.filter { $0 != .object }
        .reduce(!field.isNull) { $0 && !$1.query(name) }
    }
  }

  /// What a field holds, in words.
  var plural: String {
    switch self {
    case .boolean: "booleans"
    case .number: "numbers"
    case .text: "texts"
    case .array: "arrays"
    case .object: "further fields"
    }
  }

  /// What one value is, in words.
  var singular: String {
    switch self {
    case .boolean: "a boolean"
    case .number: "a number"
    case .text: "a text"
    case .array: "an array"
    case .object: "a field"
    }
  }
}
