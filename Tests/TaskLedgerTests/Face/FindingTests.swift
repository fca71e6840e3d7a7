import Testing

@testable import TaskLedger

struct `Finding tasks` {
  private let ledger: Ledger

  init() throws { ledger = try TestLedger(sealEvents: 40).open() }

  private func fill(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try ledger.transaction { transaction in
      for number in 0..<150 {
        var item = TaskItem(id: try TaskID("task-\(number)"), body: "number \(number)")
        if Bool.random(using: &random) {
          item["priority"] = .int(.random(in: 0..<5, using: &random))
        }
        if Bool.random(using: &random) { item["due"] = .text("2026-12-\(10 + number % 20)") }
        item.isDeleted = Int.random(in: 0..<5, using: &random) == 0
        try transaction.upsert(item)
      }
    }
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `is the same for a ledger, a moment and a transaction`(seed: UInt64) throws {
    try fill(seed: seed)
    let all = try ledger.find(.everything)
    #expect(all.count == 150)
    for text in [
      "!isDeleted", "priority >= 2", "due < '2026-12-15' || priority == null",
      "_id in ['task-7', 'task-3', 'x']",
    ] {
      let query = try Query(text)
      for order: TaskSort in ["due,priority:desc", "body", .byID] {
        for (limit, offset): (Int?, Int) in [
          (nil, 0), (10, 5), (0, 3), (1000, 2), (3, 1000),
        ] {
          let expected = all.filter(query.matches)
            .map { TaskPlace($0, in: order) }.sorted().map(\.id).dropFirst(offset).prefix(
              limit ?? .max)
          let found = try ledger.find(query, sortedBy: order, limit: limit, offset: offset)
          #expect(found.map(\.id) == Array(expected), "\(text) by \(order)")
          let moment = try ledger.at(.sequence(ledger.lastSequence))
          #expect(try moment.find(text, sortedBy: order, limit: limit, offset: offset) == found)
          try ledger.transaction { transaction in
            let inside = try transaction.find(query, sortedBy: order, limit: limit, offset: offset)
            #expect(inside == found)
          }
        }
      }
    }
  }

  @Test func `sees what the transaction has done, and nothing else does`() throws {
    try ledger.upsert(TaskItem(id: "a", body: "One"))
    try ledger.transaction { transaction in
      try transaction.update("a") { $0["n"] = 1 }
      #expect(try transaction.find("n == 1").count == 1)
      #expect(try transaction.find("_id == 'a' && n == 1").count == 1)
      #expect(try ledger.find("n == 1").isEmpty)
      #expect(try ledger.find("_id == $id && n == 1", ["id": "a"]).isEmpty)
    }
    #expect(try ledger.find("n == $n", ["n": 1]).map(\.id) == ["a"])
    #expect(try ledger.at(.sequence(1)).find("_id == 'a' && n == 1").isEmpty)
  }

  @Test func `shows deleted ones where they meet the query, lists do not`() throws {
    try ledger.upsert(TaskItem(id: "a"))
    try ledger.upsert(TaskItem(id: "b"))
    try ledger.delete("b")
    #expect(try ledger.find("true").map(\.id) == ["a", "b"])
    #expect(try ledger.find("isDeleted").map(\.id) == ["b"])
    #expect(try ledger.tasks().map(\.id) == ["a"])
    #expect(TaskListOptions().query == (try Query("!isDeleted")))
  }

  @Test func `goes by what the document shows of hidden fields`() throws {
    // The later of two that exclude each other is shown, whichever arrived first.
    let lines = [
      #"{"kind":"upsert","task":"x","set":{"a.b":1},"time":"2001-01-02T00:00:00Z"}"#,
      #"{"kind":"upsert","task":"x","set":{"a":2},"time":"2001-01-01T00:00:00Z"}"#,
    ]
    #expect(try ledger.apply(Lines.split(lines)).errors.isEmpty)
    #expect(try ledger.find("a == 2").isEmpty)
    #expect(try ledger.find("a != null && a.b == 1").map(\.id) == ["x"])
  }

  @Test func `a text that is no query is refused, with the column`() throws {
    do {
      _ = try ledger.find("priority = 2")
      Issue.record("it was taken")
    } catch {
      #expect(error.code == .invalid && error.column == 10)
    }
  }
}
