import LedgerTestSupport
import Testing

@testable import TaskLedger

/// A list of typed documents that stays right.
@Suite struct `A typed observation` {
  private struct Errand: Codable, Sendable, Equatable {
    var _id: TaskID
    var body: String
    var priority: Int?
  }

  private let ledger: Ledger

  init() throws { ledger = try Ledger.inMemory(author: "ann") }

  @Test func `shows the documents now and after each commit that changes them`() async throws {
    var milk = Errand(_id: "milk", body: "Get milk", priority: 2)
    try ledger.upsert(milk)
    var values = try ledger.observe(
      as: Errand.self, "!isDeleted && priority >= $least", ["least": 1], sortedBy: "priority"
    ).makeAsyncIterator()
    #expect(try await values.next().map(Array.init) == [milk])
    let eggs = Errand(_id: "eggs", body: "Get eggs", priority: 1)
    try ledger.upsert(eggs)
    let second = try #require(try await values.next())
    #expect(Array(second) == [eggs, milk])
    #expect(second.changes.insertions == [0] && second.sequence == 2)
    milk.body = "Get oat milk"
    try ledger.upsert(milk)
    #expect(try await values.next().map(Array.init) == [eggs, milk])
    try ledger.delete("eggs")
    #expect(try await values.next().map(Array.init) == [milk])
    #expect(second.map(\.body) == ["Get eggs", "Get milk"], "an old value stays as it is")
  }

  @Test(arguments: TestSettings.seeds(4))
  func `is always what a search finds`(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    var values = try ledger.observe(
      as: Errand.self, "!isDeleted", sortedBy: "priority:desc,body", limit: 6
    ).makeAsyncIterator()
    var last: [Errand] = []
    for _ in 0..<60 {
      for _ in 0..<(1 + random.below(3)) {
        let id = TaskID(unchecked: "errand \(random.below(12))")
        let errand = Errand(
          _id: id, body: "\(random.below(4))", priority: random.chance(20) ? nil : random.below(4))
        try ledger.upsert(errand, unsettingNil: true)
        if random.chance(25) { try ledger.delete(id) } else { try ledger.restore(id) }
      }
      let found = try ledger.find(
        as: Errand.self, "!isDeleted", sortedBy: "priority:desc,body", limit: 6)
      // Where nothing changed there is no value to wait for.
      if found != last {
        let value = try await values.next().map(Array.init)
        #expect(value == found, "seed \(seed)")
        last = found
      }
    }
  }

  @Test func `ends with an error that names the task that does not fit`() async throws {
    try ledger.upsert(TaskItem(id: "good", body: "Good"))
    var values = ledger.observe(as: Errand.self, !Field("isDeleted")).makeAsyncIterator()
    #expect(try await values.next()?.count == 1)
    var bad = TaskItem(id: "bad", body: "Bad")
    bad["priority"] = "high"
    try ledger.upsert(bad)
    do {
      _ = try await values.next()
      Issue.record("it was shown")
    } catch let error as LedgerError {
      #expect(error.code == .invalid && error.sentence.contains(#"the task "bad""#))
      #expect(error.sentence.contains(#"the field "priority""#))
    }
    #expect(try await values.next() == nil)
  }

  @Test func `is refused for a text that is no query`() {
    #expect(throws: LedgerError.self) { try ledger.observe(as: Errand.self, "priority >") }
  }
}

/// Drafts from and to typed documents.
@Suite struct `A typed draft` {
  private struct Errand: Codable, Equatable {
    var _id: TaskID
    var body: String
    var priority: Int?
  }

  private let ledger: Ledger

  init() throws { ledger = try Ledger.inMemory(author: "ann") }

  @Test func `begins with a value, and makes its task when it is saved`() throws {
    let milk = Errand(_id: "milk", body: "Get milk", priority: 1)
    let draft = try ledger.draft(encoding: milk)
    #expect(draft.isNew && draft.hasChanges && draft.id == "milk")
    #expect(try ledger.task("milk") == nil)
    #expect(try draft.value(as: Errand.self) == milk)
    try draft.save()
    #expect(try ledger.task("milk", as: Errand.self) == milk)
  }

  @Test func `records what a changed value differs in, and keeps what the type does not know`()
    throws
  {
    var item = TaskItem(id: "milk", body: "Get milk")
    item["priority"] = 1
    item["color"] = "white"
    try ledger.upsert(item)
    let draft = try ledger.edit("milk")
    var edited = try draft.value(as: Errand.self)
    edited.body = "Get oat milk"
    edited.priority = nil
    try draft.change(as: Errand.self) { $0 = edited }
    #expect(draft.body == "Get oat milk" && draft["priority"] == nil)
    try draft.save()
    #expect(try ledger.audit("milk").last?.changes.map(\.name.text) == ["body", "priority"])
    #expect(try ledger.task("milk")?["color"] == "white")
  }

  @Test func `stays as it was when a value is refused`() throws {
    try ledger.upsert(Errand(_id: "milk", body: "Get milk", priority: 1))
    let draft = try ledger.edit("milk")
    #expect(throws: LedgerError.self) {
      try draft.change(as: Errand.self) { $0 = Errand(_id: "eggs", body: "Get eggs") }
    }
    draft["priority"] = "high"
    let refusal = #expect(throws: LedgerError.self) {
      try draft.change(as: Errand.self) { $0.body = "Get oat milk" }
    }
    #expect(refusal?.code == .invalid)
    #expect(draft.body == "Get milk")
  }

  @Test func `settles a conflict field by field`() throws {
    try ledger.upsert(Errand(_id: "milk", body: "Get milk", priority: 1))
    let draft = try ledger.edit("milk")
    try draft.change(as: Errand.self) {
      $0.body = "Get oat milk"
      $0.priority = 3
    }
    try ledger.update("milk", as: Errand.self) {
      $0.body = "Get soy milk"
      $0.priority = 2
    }
    let error = try #require(#expect(throws: LedgerError.self) { try draft.save() })
    for conflict in error.conflicts {
      draft.resolve([conflict], keeping: conflict.field == .body ? .theirs : .ours)
    }
    try draft.save()
    #expect(
      try ledger.task("milk", as: Errand.self)
        == Errand(_id: "milk", body: "Get soy milk", priority: 3))
  }
}
