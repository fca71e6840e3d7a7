/// A query made ready for many tasks.
///
/// Invariants:
/// - steps run in order but for jumps, which lead forwards: no more steps are taken than there are;
/// - what is the same for every task is worked out once.
package struct QueryMatcher: Sendable {
  private enum Step: Sendable {
    case test(Test)
    case invert
    /// Leads on to a later step when the result so far is this one: the rest could not change it.
    case jump(ifResultIs: Bool, to: Int)
  }

  private enum Side: Sendable {
    case field(FieldName)
    case constant(ComparedValue)
  }

  private enum Test: Sendable {
    case constant(Bool)
    case comparison(Side, Comparison, Side, readsDates: Bool)
    case contains(Side, Side, readsDates: Bool)
    case member(Side, Set<ComparedValue>, readsDates: Bool)
    case startsWith(Side, Side)
    case endsWith(Side, Side)
    case pattern(FieldName, TextPattern)
  }

  private var steps: [Step] = []

  package init(_ query: Query) {
    let tree = QueryTree(query)
    var jumps: [(step: Int, node: Int)] = []
    var ends = Array(repeating: 0, count: query.nodes.count)
    for (index, node) in query.nodes.enumerated() {
      switch node {
      case .test(let test): steps.append(.test(Self.prepared(test)))
      case .not: steps.append(.invert)
      case .all, .any: break
      }
      ends[index] = steps.count
      guard tree.isFollowed[index], let parent = tree.parent[index] else { continue }
      jumps.append((steps.count, parent))
      if case .any = query.nodes[parent] {
        steps.append(.jump(ifResultIs: true, to: 0))
      } else {
        steps.append(.jump(ifResultIs: false, to: 0))
      }
    }
    for (step, node) in jumps {
      guard case .jump(let result, _) = steps[step] else { continue }
      steps[step] = .jump(ifResultIs: result, to: ends[node])
    }
  }

  /// Whether a task meets the query.
  package func matches(_ task: TaskItem) -> Bool {
    var result = true
    var next = 0
    while next < steps.count {
      switch steps[next] {
      case .test(let test):
        result = Self.holds(test, task)
        next += 1
      case .invert:
        result.toggle()
        next += 1
      case .jump(let wanted, let target): next = result == wanted ? target : next + 1
      }
    }
    return result
  }

  /// Longer lists than this are searched by hash.
  private static let shortListMax = 8

  private static func prepared(_ test: QueryTest) -> Test {
    // An id is text and nothing else.
    let readsDates = !test.fields.contains { $0.isID }
    func side(_ operand: QueryOperand) -> Side {
      switch operand {
      case .field(let name): .field(name)
      case .value(let value): .constant(ComparedValue(value, readsDates: readsDates))
      case .null: .constant(.missing)
      }
    }
    switch test {
    case .constant(let flag): return .constant(flag)
    case .comparison(let name, let comparison, let right):
      return .comparison(.field(name), comparison, side(right), readsDates: readsDates)
    case .contains(let whole, let part):
      let (whole, part) = (side(whole), side(part))
      if case .constant(.array(let values)) = whole, values.count > shortListMax {
        return .member(part, Set(values), readsDates: readsDates)
      }
      return .contains(whole, part, readsDates: readsDates)
    case .startsWith(let whole, let part): return .startsWith(side(whole), side(part))
    case .endsWith(let whole, let part): return .endsWith(side(whole), side(part))
    case .pattern(let name, let pattern): return .pattern(name, pattern)
    }
  }

  private static func value(_ side: Side, of task: TaskItem, _ readsDates: Bool) -> ComparedValue {
    switch side {
    case .field(let name): task.compared(name, readsDates: readsDates)
    case .constant(let value): value
    }
  }

  private static func holds(_ test: Test, _ task: TaskItem) -> Bool {
    switch test {
    case .constant(let flag): return flag
    case .comparison(let left, let comparison, let right, let readsDates):
      return comparison.holds(value(left, of: task, readsDates), value(right, of: task, readsDates))
    case .contains(let whole, let part, let readsDates):
      return QueryTest.contains(
        value(whole, of: task, readsDates), value(part, of: task, readsDates))
    case .member(let part, let values, let readsDates):
      return values.contains(value(part, of: task, readsDates))
    case .startsWith(let whole, let part):
      return QueryTest.starts(value(whole, of: task, false), with: value(part, of: task, false))
    case .endsWith(let whole, let part):
      return QueryTest.ends(value(whole, of: task, false), with: value(part, of: task, false))
    case .pattern(let name, let pattern):
      return task.compared(name, readsDates: false).text.map(pattern.matches) ?? false
    }
  }
}
