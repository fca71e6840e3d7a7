/// Which tasks are wanted: a condition on their fields.
///
/// A query is read from text, or built in Swift with ``Field``; both give the same value. Values from elsewhere are passed as
/// arguments, never pasted into the text. It prints itself as text that reads as the same query, as long as that is no longer
/// than what a query may be. The article on queries has the grammar, what comparisons mean, and the limits.
///
/// ```swift
/// let urgent = try Query("!isDeleted && priority >= $p", ["p": 2])
/// let same = !Field("isDeleted") && Field("priority") >= 2
/// print(same)   // !isDeleted && priority >= 2
/// for task in try ledger.find(urgent, sortedBy: "due", limit: 20) { print(task.body) }
/// ```
///
/// Invariants:
/// - `nodes` is a formula in which what combines conditions follows them, so that no depth of nesting needs recursion;
/// - there is one form: no conjunction directly in a conjunction, no alternative in an alternative, no negation of a negation,
///   and each combines at least two conditions.
public struct Query: Sendable {
  enum Node: Hashable, Sendable {
    case test(QueryTest)
    case not
    case all(Int)
    case any(Int)
  }

  private(set) var nodes: [Node]

  init(_ test: QueryTest) { nodes = [.test(test)] }

  /// The query that every task meets, deleted ones, too: `true`.
  public static let everything = Query(.constant(true))
  /// The query that no task meets: `false`.
  public static let nothing = Query(.constant(false))

  /// Reads a query.
  ///
  /// - Parameters:
  ///   - text: at most 256 KiB.
  ///   - arguments: the values that `$name` stands for in the text; nil is null.
  /// - Throws: ``LedgerError`` with code `invalid`, and the column where there is one, for a text that is no query or above the
  ///   limits, an argument that is missing, not used, or no legal value.
  public init(_ text: String, _ arguments: [String: Value?] = [:]) throws(LedgerError) {
    var parser = try QueryParser(text, arguments)
    self = try parser.read()
  }

  /// Narrows it to the tasks that meet another, too.
  mutating func and(_ other: Query) {
    combine(other, Node.all) { if case .all(let count) = $0 { count } else { nil } }
  }

  /// Widens it to the tasks that meet another.
  mutating func or(_ other: Query) {
    combine(other, Node.any) { if case .any(let count) = $0 { count } else { nil } }
  }

  /// Turns it into its opposite.
  mutating func negate() {
    if nodes.last == .not { nodes.removeLast() } else { nodes.append(.not) }
  }

  private mutating func combine(_ other: Query, _ node: (Int) -> Node, _ count: (Node) -> Int?) {
    var total = 0
    if let last = nodes.last, let count = count(last) {
      nodes.removeLast()
      total += count
    } else {
      total += 1
    }
    if let last = other.nodes.last, let count = count(last) {
      nodes.append(contentsOf: other.nodes.dropLast())
      total += count
    } else {
      nodes.append(contentsOf: other.nodes)
      total += 1
    }
    nodes.append(node(total))
  }

  /// Whether a task meets it. To ask many tasks, `ledger.find(_:)` is faster.
  public func matches(_ task: TaskItem) -> Bool { QueryMatcher(self).matches(task) }

  /// The fields that it asks for, in the order in which they stand there.
  package var fields: [FieldName] {
    nodes.flatMap { (node) -> [FieldName] in
      if case .test(let test) = node { test.fields } else { [] }
    }
  }

  /// Whether it asks for a field, or for one below or above it.
  public func mentions(_ field: FieldName) -> Bool {
    fields.contains { $0 == field || $0.collides(with: field) }
  }
}

extension Query: Hashable {}

extension Query: CustomStringConvertible {
  /// The text that reads as this query.
  public var description: String { QueryPrinter.text(of: self) }
}

extension QueryTest {
  /// The fields that it asks for.
  var fields: [FieldName] {
    switch self {
    case .constant: []
    case .comparison(let name, _, let other): [name] + (other.field.map { [$0] } ?? [])
    case .contains(let a, let b), .startsWith(let a, let b), .endsWith(let a, let b):
      [a.field, b.field].compactMap(\.self)
    case .pattern(let name, _): [name]
    }
  }
}
