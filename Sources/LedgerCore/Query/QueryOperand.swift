/// What stands on one side of a comparison in a ``Query``.
public enum QueryOperand: Hashable, Sendable {
  /// What a task holds under a name.
  case field(FieldName)
  /// The same value for every task.
  case value(Value)
  /// Nothing: what a field that is not set reads as.
  case null

  /// What it is for every task; nil for a field.
  var constant: ComparedValue? {
    switch self {
    case .field: nil
    case .value(let value): ComparedValue(value)
    case .null: .missing
    }
  }

  var isArray: Bool { if case .value(.array) = self { true } else { false } }

  var field: FieldName? { if case .field(let name) = self { name } else { nil } }
}

/// What can be compared with a ``Field``: another field, and the values that tasks hold.
public protocol QueryOperandConvertible {
  /// The operand that it stands for.
  var queryOperand: QueryOperand { get }
}

extension Field: QueryOperandConvertible {
  public var queryOperand: QueryOperand { .field(name) }
}

extension Value: QueryOperandConvertible {
  /// The value itself; of numbers that are not finite an infinity stands for the largest double, NaN for null.
  ///
  /// - Precondition: arrays nest at most 32 deep.
  public var queryOperand: QueryOperand {
    finite(depth: 0).map(QueryOperand.value) ?? .null
  }

  private func finite(depth: Int) -> Value? {
    switch self {
    case .bool, .int, .text: return self
    case .double(let number):
      guard !number.isNaN else { return nil }
      let largest = Double.greatestFiniteMagnitude
      return Self.integral(number).map(Value.int) ?? .double(min(max(number, -largest), largest))
    case .array(let values):
      precondition(depth < Limits.arrayDepthMax, "arrays nest more than 32 deep")
      return .array(values.compactMap { $0.finite(depth: depth + 1) })
    }
  }
}

extension Bool: QueryOperandConvertible {
  public var queryOperand: QueryOperand { .value(.bool(self)) }
}

extension Int: QueryOperandConvertible {
  public var queryOperand: QueryOperand { .value(.int(Int64(self))) }
}

extension Int64: QueryOperandConvertible {
  public var queryOperand: QueryOperand { .value(.int(self)) }
}

extension Double: QueryOperandConvertible {
  public var queryOperand: QueryOperand { Value.double(self).queryOperand }
}

extension String: QueryOperandConvertible {
  public var queryOperand: QueryOperand { Value.text(self).queryOperand }
}

extension TaskID: QueryOperandConvertible {
  public var queryOperand: QueryOperand { .value(.text(text)) }
}

extension LedgerTime: QueryOperandConvertible {
  public var queryOperand: QueryOperand { .value(.text(description)) }
}
