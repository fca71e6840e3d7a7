/// A query as somebody typed it, with what only its text tells.
package struct TypedQuery: Sendable {
  /// A field that is compared with a text, or asked to be one of several, each of which counts as `==`.
  package struct TextComparison: Sendable {
    package let field: FieldName
    package let comparison: Comparison
    package let text: String
    /// The byte of the query at which the text, or the argument that stands for it, begins.
    fileprivate let place: Int
  }

  /// A place where a field is named, and what is asked of it there.
  package struct FieldUse: Sendable {
    package let field: FieldName
    package let test: QueryTest
    /// Whether the tasks are wanted that do not meet the test.
    package let isNegated: Bool
    /// The byte of the query at which the name begins.
    fileprivate let place: Int

    /// The test as a query has it, with another value in the place of one.
    package func text(with new: Value, insteadOf old: Value) -> String {
      switch test {
      case .comparison(let field, let comparison, .value):
        return "\(Query(.comparison(field, comparison, .value(new))))"
      case .contains(.value(.array(let values)), let part):
        let others = values.map { $0 == old ? new : $0 }
        return "\(Query(.contains(.value(.array(others)), part)))"
      default: return "\(Query(test))"
      }
    }
  }

  package let query: Query
  /// In the order in which they stand there. Fields alone: an id is compared as the text that it is.
  package let textComparisons: [TextComparison]
  /// In the order in which they stand there.
  package let fieldUses: [FieldUse]
  private let lexer: QueryLexer

  /// Reads a query.
  ///
  /// - Parameters:
  ///   - text: at most 256 KiB.
  ///   - arguments: the values that `$name` stands for in the text; nil is null.
  ///   - predefined: what a name stands for that is none of these, and need not be used; nil where it stands for nothing.
  /// - Throws: as ``Query/init(_:_:)``.
  package init(
    _ text: String, _ arguments: [String: Value?] = [:],
    predefined: @escaping (String) -> Value? = { _ in nil }
  ) throws(LedgerError) {
    var parser = try QueryParser(text, arguments, predefined: predefined)
    query = try parser.read()
    textComparisons = parser.textComparisons.map {
      TextComparison(field: $0.field, comparison: $0.comparison, text: $0.text, place: $0.place)
    }
    fieldUses = parser.fieldUses.map {
      FieldUse(field: $0.field, test: $0.test, isNegated: $0.isNegated, place: $0.place)
    }
    lexer = parser.lexer
  }

  /// Where a comparison has its text, or the array that holds it, in characters from 1.
  package func column(of comparison: TextComparison) -> Int { lexer.column(at: comparison.place) }

  /// Where a field is named, in characters from 1.
  package func column(of use: FieldUse) -> Int { lexer.column(at: use.place) }
}
