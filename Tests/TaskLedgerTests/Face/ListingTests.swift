import Testing

@testable import TaskLedger

struct `Listing tasks` {
  private let ledger: Ledger

  init() throws { ledger = try TestLedger().open() }

  private func add(_ id: TaskID, _ fields: [String: Value] = [:]) throws {
    var item = TaskItem(id: id)
    for (name, value) in fields { item[name] = value }
    try ledger.upsert(item)
  }

  private func ids(
    _ keys: [TaskSort.Key] = [], deleted: Bool = false, limit: Int? = nil
  ) throws -> [String] {
    let options = TaskListOptions(includesDeleted: deleted, sortedBy: TaskSort(keys), limit: limit)
    let ids = try ledger.tasks(options).map(\.id.text)
    // What is listed does not depend on whether the tasks are those of now or of a moment.
    let moment = try ledger.at(.sequence(ledger.lastSequence)).tasks(options)
    #expect(moment.map(\.id.text) == ids)
    return ids
  }

  @Test func `is by the bytes of the ids, and leaves deleted ones out`() throws {
    for id in ["b", "\u{e9}", "e\u{301}", "B", "a", "ab", "a-", "\u{1F600}", "\u{FB01}"] {
      try add(try TaskID(id))
    }
    try ledger.delete("ab")
    let all = ["B", "a", "a-", "ab", "b", "e\u{301}", "\u{e9}", "\u{FB01}", "\u{1F600}"]
    #expect(try ids().map { Array($0.utf8) } == all.filter { $0 != "ab" }.map { Array($0.utf8) })
    #expect(try ids(deleted: true).map { Array($0.utf8) } == all.map { Array($0.utf8) })
    try ledger.restore("ab")
    try ledger.evict("b")
    #expect(try ids().count == 8)
  }

  @Test func `sorts missing values first, then by type, then by value`() throws {
    let values: [(String, Value?)] = [
      ("missing", nil), ("no", false), ("yes", true), ("min", .int(.min)), ("minus", .double(-1.5)),
      ("zero", .double(-0.0)), ("half", .double(0.5)), ("one", .double(1)), ("two", 2),
      ("max", .int(.max)), ("huge", .double(1e300)), ("empty", ""), ("digits", "10"), ("nine", "9"),
      ("upper", "Z"), ("lower", "a"), ("accent", "\u{e9}"), ("none", []), ("list1", [1]),
      ("list12", [1, 2]), ("list2", [.double(2)]), ("lists", ["a"]),
    ]
    for (index, (name, value)) in values.enumerated().reversed() {
      // Ids in another order than the values.
      try add(try TaskID("\((index * 7) % 22) \(name)"), value.map { ["n": $0] } ?? [:])
    }
    let names = { (ids: [String]) in ids.map { $0.split(separator: " ").last.map(String.init) } }
    #expect(try names(ids([.init("n")])) == values.map(\.0))
    #expect(try names(ids([.init("n", descending: true)])) == values.map(\.0).reversed())
  }

  @Test func `breaks ties by id, in the same direction either way`() throws {
    for id in ["c", "a", "d", "b"] as [TaskID] { try add(id, ["n": 1]) }
    try add("e", ["n": 2])
    #expect(try ids([.init("n")]) == ["a", "b", "c", "d", "e"])
    #expect(try ids([.init("n", descending: true)]) == ["e", "a", "b", "c", "d"])
    #expect(try ids([.init("nothing")]) == ["a", "b", "c", "d", "e"])
    #expect(try ids([.init("_id", descending: true)]) == ["e", "d", "c", "b", "a"])
    #expect(
      try ids([.init("n", descending: true), .init("_id", descending: true)])
        == ["e", "d", "c", "b", "a"])
  }

  @Test func `sorts by several fields, paths and standard fields among them`() throws {
    try add("a", ["tags.home": 2, "body": "x"])
    try add("b", ["tags.home": 1])
    try add("c", ["tags.home": 2, "body": "y", "isCompleted": true])
    try add("d", ["tags": 3, "isCompleted": false])
    #expect(
      try ids([.init("tags.home"), .init("body", descending: true)]) == ["d", "b", "c", "a"])
    // An absent standard field reads as its default, so it ties with one that was set to it.
    #expect(try ids([.init("isCompleted"), .init("body")]) == ["b", "d", "a", "c"])
    #expect(try ids([.init("tags")]) == ["a", "b", "c", "d"])
  }

  @Test func `stops at the limit, after sorting`() throws {
    for (index, id) in (["a", "b", "c", "d"] as [TaskID]).enumerated() {
      try add(id, ["n": .int(Int64(-index))])
    }
    try ledger.delete("a")
    #expect(try ids(limit: 2) == ["b", "c"])
    #expect(try ids(limit: 0) == [])
    #expect(try ids(limit: -1) == [])
    #expect(try ids(limit: 100) == ["b", "c", "d"])
    #expect(try ids(deleted: true, limit: 2) == ["a", "b"])
    #expect(try ids([.init("n")], limit: 2) == ["d", "c"])
    #expect(try ids([.init("n")], limit: -5) == [])
    #expect(try ids([.init("n")], limit: 0) == [])
  }
}
