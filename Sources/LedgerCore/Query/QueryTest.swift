/// What a query asks of one task, at one place.
///
/// There is one form for each meaning, so that equal questions are equal values: of a comparison the left side is a field, and
/// what holds of every task or of none is a constant. A bare field is the comparison of it with true.
package enum QueryTest: Hashable, Sendable {
  case constant(Bool)
  case comparison(FieldName, Comparison, QueryOperand)
  /// Whether the first contains the second: an array an element, or a text a part of it.
  case contains(QueryOperand, QueryOperand)
  case startsWith(QueryOperand, QueryOperand)
  case endsWith(QueryOperand, QueryOperand)
  case pattern(FieldName, TextPattern)
}

/// How two values are compared.
package enum Comparison: String, Hashable, Sendable, CaseIterable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The same with the sides exchanged.
  var mirrored: Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether it is so of two values. What cannot be compared is neither less nor greater.
  package func holds(_ left: ComparedValue, _ right: ComparedValue) -> Bool {
    switch self {
    case .equal: return Self.areEqual(left, right)
    case .notEqual: return !Self.areEqual(left, right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    guard let order = ComparedValue.order(left, right) else { return false }
    return switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    default: order >= 0
    }
  }

  private static func areEqual(_ left: ComparedValue, _ right: ComparedValue) -> Bool {
    // What lies below a name is not told apart: an object equals nothing.
    if case .object = left { return false }
    return left == right
  }
}

// Tests in their one form.
extension QueryTest {
  static func comparing(
    _ left: QueryOperand, _ comparison: Comparison, _ right: QueryOperand
  ) -> QueryTest {
    if case .field(let name) = left { return .comparison(name, comparison, right) }
    if case .field(let name) = right { return .comparison(name, comparison.mirrored, left) }
    guard let left = left.constant, let right = right.constant else { return .constant(false) }
    return .constant(comparison.holds(left, right))
  }

  static func containing(_ whole: QueryOperand, _ part: QueryOperand) -> QueryTest {
    guard let whole = whole.constant, let part = part.constant else {
      return .contains(whole, part)
    }
    return .constant(Self.contains(whole, part))
  }

  static func starting(_ whole: QueryOperand, with part: QueryOperand) -> QueryTest {
    if whole.isArray { return .constant(false) }
    guard let whole = whole.constant, let part = part.constant else {
      return .startsWith(whole, part)
    }
    return .constant(Self.starts(whole, with: part))
  }

  static func ending(_ whole: QueryOperand, with part: QueryOperand) -> QueryTest {
    if whole.isArray { return .constant(false) }
    guard let whole = whole.constant, let part = part.constant else {
      return .endsWith(whole, part)
    }
    return .constant(Self.ends(whole, with: part))
  }

  static func matching(_ whole: QueryOperand, _ pattern: TextPattern) -> QueryTest {
    switch whole {
    case .field(let name): .pattern(name, pattern)
    case .value(.text(let text)): .constant(pattern.matches(text))
    case .value, .null: .constant(false)
    }
  }
}

// What the functions give; false for values of other types than they are for.
extension QueryTest {
  static func contains(_ whole: ComparedValue, _ part: ComparedValue) -> Bool {
    if case .array(let values) = whole { return values.contains { $0 == part } }
    guard let whole = whole.text, let part = part.text else { return false }
    return whole.withBytes { whole in part.withBytes { ByteSearch.contains(whole, $0) } }
  }

  static func starts(_ whole: ComparedValue, with part: ComparedValue) -> Bool {
    guard let whole = whole.text, let part = part.text else { return false }
    return whole.withBytes { whole in part.withBytes { whole.starts(with: $0) } }
  }

  static func ends(_ whole: ComparedValue, with part: ComparedValue) -> Bool {
    guard let whole = whole.text, let part = part.text else { return false }
    return whole.withBytes { whole in
      part.withBytes { $0.count <= whole.count && whole.suffix($0.count).elementsEqual($0) }
    }
  }
}

extension ComparedValue {
  /// The text as it stands, a date's too.
  var text: String? {
    switch self {
    case .text(let text), .instant(_, let text): text
    default: nil
    }
  }
}
