import LedgerCore

/// Random queries and tasks over few fields and values, so that they meet each other.
struct RandomQueries {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  static let paths: [[String]] = [
    ["a"], ["a", "b"], ["odd key"], ["in"], ["_id"], ["body"], ["isCompleted"], ["isDeleted"],
    ["none"],
  ]

  static let values: [Value] =
    [
      true, false, 0, 1, 2, -1, .double(0.5), .double(1e300), .int(.max), "", "a", "ab", "b\"'\\\n",
      "\u{e9}", "e\u{301}", "2026-12", "2026-12-01x", [], [1], [1, "a"], ["2026-12-01", true],
      [[1], 0],
    ] + PlainQuery.dates.keys.sorted().map(Value.text)

  private static let documents = values.map { value in
    (value, (try? JSONDocument(value.description)) ?? .null)
  }

  mutating func query(depth: Int) -> PlainQuery {
    switch depth > 0 ? Int.random(in: 0..<7, using: &random) : 4 {
    case 0: .all(queries(depth: depth - 1))
    case 1: .any(queries(depth: depth - 1))
    case 2: .not(query(depth: depth - 1))
    default: test()
    }
  }

  private mutating func queries(depth: Int) -> [PlainQuery] {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in query(depth: depth) }
  }

  private mutating func test() -> PlainQuery {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .bare(pick(Self.paths))
    case 1: .constant(.random(using: &random))
    case 2: .member(operand(isFirst: true), operand())
    case 3, 4:
      .call(pick(["contains", "starts_with", "ends_with"]), operand(isFirst: true), operand())
    default:
      .comparison(
        operand(isFirst: true), pick(["==", "!=", "<", "<=", ">", ">="]), operand())
    }
  }

  private mutating func operand(isFirst: Bool = false) -> PlainQuery.Operand {
    if Int.random(in: 0..<(isFirst ? 5 : 3), using: &random) > 0,
      isFirst || Bool.random(using: &random)
    {
      return .path(pick(Self.paths))
    }
    let (value, document) = pick(Self.documents)
    // On the left an array would begin a path.
    if isFirst, case .array = value { return .value("null", .null) }
    if Int.random(in: 0..<10, using: &random) == 0 { return .value("null", .null) }
    return .value(value.description, document)
  }

  mutating func task() -> TaskItem {
    var task = TaskItem(id: pick(["a", "2026-12-01", "e\u{301}"]))
    for path in Self.paths where Int.random(in: 0..<3, using: &random) > 0 {
      let name = path.joined(separator: ".")
      switch name {
      case "_id", "none": break
      case "body": task["body"] = pick(Self.values.filter { $0.text != nil })
      case "isCompleted", "isDeleted": task[name] = .bool(.random(using: &random))
      default: task[name] = pick(Self.values)
      }
    }
    return task
  }

  mutating func pick<Element>(_ all: [Element]) -> Element {
    all[Int.random(in: 0..<all.count, using: &random)]
  }
}
