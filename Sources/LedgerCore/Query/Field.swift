/// A field of a task, to build queries with.
///
/// Comparisons, `&&`, `||` and `!` give a ``Query``, the same value as its text would.
///
/// ```swift
/// let query = Field("priority") >= 2 && !Field("isDeleted")
/// let same = try Query("priority >= 2 && !isDeleted")   // query == same
/// ```
/// A field that stands for a condition asks whether it is true. Null, which a field is that is not set, is asked for by ``isNull``:
///
/// ```swift
/// let undated = Field("due").isNull            // due == null
/// let dated = !Field("due").isNull             // !(due == null)
/// ```
public struct Field: Sendable {
  /// The name of the field, or `_id`.
  public let name: FieldName

  /// A field with a name that was checked.
  public init(_ name: FieldName) { self.name = name }

  /// A field with a name from elsewhere.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` for a text that is no ``FieldName``.
  public init(_ text: String) throws(LedgerError) { name = try FieldName(text) }
}

extension Field: ExpressibleByStringLiteral {
  /// A field with a name from a literal.
  ///
  /// - Precondition: the literal is a legal name of a field.
  public init(stringLiteral value: String) {
    guard let name = try? FieldName(value) else {
      preconditionFailure("a field's name is segments without emptiness joined by dots")
    }
    self.name = name
  }
}

/// What can be joined by `&&`, `||` and `!` to a ``Query``.
public protocol QueryCondition {
  /// The condition as a query.
  var query: Query { get }
}

extension Query: QueryCondition {
  public var query: Query { self }
}

extension Field: QueryCondition {
  /// Whether the field is true.
  public var query: Query { Query(.comparison(name, .equal, .value(.bool(true)))) }
}

extension QueryCondition {
  /// The tasks that meet both conditions.
  public static func && (left: Self, right: some QueryCondition) -> Query {
    var query = left.query
    query.and(right.query)
    return query
  }

  /// The tasks that meet at least one of the conditions.
  public static func || (left: Self, right: some QueryCondition) -> Query {
    var query = left.query
    query.or(right.query)
    return query
  }

  /// The tasks that do not meet the condition.
  public static prefix func ! (condition: Self) -> Query {
    var query = condition.query
    query.negate()
    return query
  }
}

extension Field {
  /// The field equals what stands on the right.
  public static func == (left: Field, right: some QueryOperandConvertible) -> Query {
    left.comparing(.equal, right)
  }

  /// The field does not equal what stands on the right; so it is where it is not set, too.
  public static func != (left: Field, right: some QueryOperandConvertible) -> Query {
    left.comparing(.notEqual, right)
  }

  /// The field is less than what stands on the right.
  public static func < (left: Field, right: some QueryOperandConvertible) -> Query {
    left.comparing(.less, right)
  }

  /// The field is less than, or equals, what stands on the right.
  public static func <= (left: Field, right: some QueryOperandConvertible) -> Query {
    left.comparing(.lessOrEqual, right)
  }

  /// The field is greater than what stands on the right.
  public static func > (left: Field, right: some QueryOperandConvertible) -> Query {
    left.comparing(.greater, right)
  }

  /// The field is greater than, or equals, what stands on the right.
  public static func >= (left: Field, right: some QueryOperandConvertible) -> Query {
    left.comparing(.greaterOrEqual, right)
  }

  private func comparing(
    _ comparison: Comparison, _ right: some QueryOperandConvertible
  ) -> Query {
    Query(.comparing(queryOperand, comparison, right.queryOperand))
  }

  /// The field is not set: `due == null`.
  public var isNull: Query { Query(.comparing(queryOperand, .equal, .null)) }

  /// The field is an array that holds the value, or a text that holds the text: `contains(tags, "home")`.
  public func contains(_ part: some QueryOperandConvertible) -> Query {
    Query(.containing(queryOperand, part.queryOperand))
  }

  /// The field is a text that starts with the text: `starts_with(body, "Get")`.
  public func starts(with part: some QueryOperandConvertible) -> Query {
    Query(.starting(queryOperand, with: part.queryOperand))
  }

  /// The field is a text that ends with the text: `ends_with(body, "milk")`.
  public func ends(with part: some QueryOperandConvertible) -> Query {
    Query(.ending(queryOperand, with: part.queryOperand))
  }

  /// The field equals one of the values: `priority in [1,2]`.
  public func isIn(_ values: [Value]) -> Query {
    Query(.containing(Value.array(values).queryOperand, queryOperand))
  }

  /// The field is a text in which the pattern is found: `regex(body, "(?i)milk")`.
  public func matches(_ pattern: TextPattern) -> Query {
    Query(.matching(queryOperand, pattern))
  }
}
