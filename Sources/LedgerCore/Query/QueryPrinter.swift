/// Prints queries, with brackets only where they are needed.
enum QueryPrinter {
  static func text(of query: Query) -> String {
    let tree = QueryTree(query)
    let nodes = query.nodes
    // What stands before the first test of each part, the outermost part first.
    var before = Array(repeating: "", count: nodes.count)
    for index in nodes.indices.reversed() {
      if nodes[index] == .not { before[tree.first[index]] += "!" }
      if needsBrackets(index, nodes, tree) { before[tree.first[index]] += "(" }
    }
    var text = ""
    for index in nodes.indices {
      if case .test(let test) = nodes[index] { text += before[index] + self.text(of: test) }
      if needsBrackets(index, nodes, tree) { text += ")" }
      if tree.isFollowed[index], let parent = tree.parent[index] {
        if case .any = nodes[parent] { text += " || " } else { text += " && " }
      }
    }
    return text
  }

  private static func needsBrackets(_ index: Int, _ nodes: [Query.Node], _ tree: QueryTree) -> Bool
  {
    guard let parent = tree.parent[index].map({ nodes[$0] }) else { return false }
    return switch nodes[index] {
    case .test(let test): parent == .not && !isOneWord(test)
    case .not: false
    case .all: parent == .not
    case .any: true
    }
  }

  /// Whether ! can stand directly before it.
  private static func isOneWord(_ test: QueryTest) -> Bool {
    switch test {
    case .constant, .startsWith, .endsWith, .pattern: true
    case .comparison(_, let comparison, let right): isBare(comparison, right)
    case .contains(let whole, _): !whole.isArray
    }
  }

  private static func isBare(_ comparison: Comparison, _ right: QueryOperand) -> Bool {
    comparison == .equal && right == .value(.bool(true))
  }

  private static func text(of test: QueryTest) -> String {
    switch test {
    case .constant(let flag): "\(flag)"
    case .comparison(let name, let comparison, let right):
      isBare(comparison, right)
        ? path(name) : "\(path(name)) \(comparison.rawValue) \(second(right))"
    case .contains(let whole, let part):
      whole.isArray
        ? "\(first(part)) in \(second(whole))" : "contains(\(first(whole)), \(second(part)))"
    case .startsWith(let whole, let part): "starts_with(\(first(whole)), \(second(part)))"
    case .endsWith(let whole, let part): "ends_with(\(first(whole)), \(second(part)))"
    case .pattern(let name, let pattern):
      "regex(\(path(name)), \(Value.text(pattern.text).description))"
    }
  }

  /// An operand where brackets would begin a path.
  private static func first(_ operand: QueryOperand) -> String {
    if case .field(let name) = operand { path(name) } else { second(operand) }
  }

  /// An operand where brackets would begin an array.
  private static func second(_ operand: QueryOperand) -> String {
    switch operand {
    case .field(let name):
      let path = path(name)
      return path.utf8.first == 0x5b ? ".\(path)" : path
    case .value(let value): return value.description
    case .null: return "null"
    }
  }

  private static func path(_ name: FieldName) -> String {
    var text = ""
    for segment in name.text.utf8.split(separator: 0x2e) {
      let segment = String(Substring(segment))
      let isFirst = text.isEmpty
      if QueryLexer.isName(segment), !isFirst || !QueryLexer.keywords.contains(segment) {
        text += isFirst ? segment : ".\(segment)"
      } else {
        text += "[\(Value.text(segment).description)]"
      }
    }
    return text
  }
}
