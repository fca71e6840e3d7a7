import LedgerTestSupport
import Testing

@testable import TaskLedger

struct `Writing` {
  private let bench: TestLedger
  private let ledger: Ledger
  private struct Oops: Error {}

  init() throws {
    bench = try TestLedger()
    ledger = try bench.open(author: "ann")
  }

  private func code(_ body: () throws -> Void) -> LedgerError.Code? {
    #expect(throws: LedgerError.self) { try body() }?.code
  }

  @Test func `an upsert creates, then sets what is given and leaves the rest alone`() throws {
    let milk = try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    #expect(milk == "milk")
    var more = TaskItem(id: milk)
    more["priority"] = 2
    #expect(try ledger.upsert(more) == milk)
    #expect(try ledger.task(milk)?.body == "Get milk")
    #expect(try ledger.task(milk)?["priority"] == 2)
    try ledger.upsert(more)
    #expect(try ledger.lastSequence == 2)
  }

  @Test func `an upsert of what nobody can set is refused`() throws {
    var item = TaskItem(id: "t")
    item["_id"] = "u"
    #expect(code { try ledger.upsert(item) } == .invalid)
    item = TaskItem(id: "t")
    item["isCompleted"] = 1
    #expect(code { try ledger.upsert(item) } == .invalid)
    item = TaskItem(id: "t")
    item["a..b"] = 1
    #expect(code { try ledger.upsert(item) } == .invalid)
    item = TaskItem(id: "t")
    item["n"] = .double(.nan)
    #expect(code { try ledger.upsert(item) } == .invalid)
    #expect(try ledger.lastSequence == 0)
  }

  @Test func `an update records the fields that differ, and only those`() throws {
    try GivenLedger(.upsert("milk", ["body": "Get milk"]))
      .when { ledger in
        let changed = try ledger.update("milk") {
          $0.body = "Get oat milk"
          $0.isCompleted = false
          $0["priority"] = 2
          $0["tags"] = ["x"]
          $0["tags"] = nil
        }
        #expect(changed)
      }
      .then(.update("milk", ["body": "Get oat milk", "priority": 2]))
  }

  @Test func `an update that changes nothing appends nothing`() throws {
    try GivenLedger(.upsert("milk", ["body": "Get milk"]))
      .when { ledger in
        #expect(try !ledger.update("milk") { _ in })
        #expect(try !ledger.update("milk") { $0.body = "Get milk" })
        #expect(try !ledger.update("milk") { $0.isDeleted = false })
        let assigned = try ledger.update("milk") {
          $0.body = "something else"
          $0.body = "Get milk"
        }
        #expect(!assigned)
      }
      .then()
  }

  @Test func `an update unsets what the closure takes away`() throws {
    let given = try GivenLedger(.upsert("t", ["body": "x", "a.b": 1, "a.c": 2, "d": 3]))
    try given.when { try $0.update("t") { $0["a"] = nil } }
      .then(.update("t", ["a.b": nil, "a.c": nil]))
    try given.when { try $0.update("t") { $0["d.e"] = 4 } }
      .then(.update("t", ["d": nil, "d.e": 4]))
    var task = TaskItem(id: "t", body: "x")
    task["d"] = 5
    try given.when { try $0.update("t") { $0["d"] = 5 } }
      .then(.update("t", ["d": 5, "d.e": nil])).then(tasks: [task])
  }

  @Test func `an update of what is not there throws and is not called`() throws {
    #expect(code { try ledger.update("none") { _ in Issue.record("was called") } } == .noSuchTask)
    try ledger.upsert(TaskItem(id: "t"))
    try ledger.evict("t")
    #expect(code { try ledger.update("t") { _ in Issue.record("was called") } } == .noSuchTask)
  }

  @Test func `an update whose closure throws changes nothing`() throws {
    try ledger.upsert(TaskItem(id: "t", body: "x"))
    #expect(throws: Oops.self) {
      try ledger.update("t") {
        $0.body = "y"
        throw Oops()
      }
    }
    #expect(try ledger.task("t")?.body == "x")
    #expect(try ledger.lastSequence == 1)
    #expect(try ledger.update("t") { $0.body = "z" })
    #expect(try ledger.audit("t").map(\.sequence) == [1, 2])
  }

  @Test func `an update cannot give the task another shape than the rules allow`() throws {
    let given = try GivenLedger(.upsert("t"))
    try given.when { try $0.update("t") { $0["body"] = 1 } }.then(refused: .invalid, "body")
    try given.when { try $0.update("t") { $0["body.x"] = 1 } }.then(refused: .invalid, "body")
    try given.when { try $0.update("t") { $0["_id"] = "u" } }.then(refused: .invalid, "_id")
  }

  @Test func `toggle, delete and restore say whether they changed anything`() throws {
    try ledger.upsert(TaskItem(id: "t"))
    try ledger.toggle("t")
    #expect(try ledger.task("t")?.isCompleted == true)
    try ledger.toggle("t")
    #expect(try ledger.task("t")?.isCompleted == false)
    #expect(try !ledger.restore("t"))
    #expect(try ledger.delete("t"))
    #expect(try !ledger.delete("t"))
    #expect(try ledger.tasks().isEmpty)
    #expect(try ledger.task("t")?.isDeleted == true)
    #expect(try ledger.restore("t"))
    #expect(try ledger.tasks().count == 1)
    #expect(
      try ledger.audit("t").map { "\($0.event.kind)" } == [
        "upsert", "toggle", "toggle", "delete", "update",
      ])
  }

  @Test func `an evict takes the task away and leaves its history`() throws {
    try ledger.upsert(TaskItem(id: "t", body: "x"))
    try ledger.evict("t")
    #expect(try ledger.task("t") == nil)
    #expect(try ledger.tasks(TaskListOptions(includesDeleted: true)).isEmpty)
    #expect(try ledger.audit("t").count == 2)
    #expect(code { try ledger.evict("t") } == .noSuchTask)
    #expect(code { try ledger.toggle("t") } == .noSuchTask)
    #expect(code { try ledger.delete("t") } == .noSuchTask)
    #expect(code { try ledger.restore("t") } == .noSuchTask)
  }

  /// What a closure makes of a task is what the task then is.
  @Test(arguments: TestSettings.seeds(6))
  func `an update leaves the task as its closure left it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let names = [
      "a", "a.b", "a.b.c", "a.bc", "d", "body", "tags.x", "tags", "caf\u{e9}", "cafe\u{301}.y",
    ]
    try ledger.upsert(TaskItem(id: "t"))
    for round in 0..<80 {
      let before = try #require(try ledger.task("t"))
      var item = before
      for _ in 0..<(1 + random.below(4)) {
        let name = random.pick(names)
        let value: Value =
          name == "body"
          ? .text(random.pick(["", "x"])) : random.pick([1, 2, .double(1), "x", []])
        item[name] = random.chance(25) ? nil : value
      }
      let changed = try ledger.update("t") { $0 = item }
      #expect(changed == (item != before), "seed \(seed), round \(round)")
      #expect(try ledger.task("t") == item, "seed \(seed), round \(round)")
    }
  }
}
