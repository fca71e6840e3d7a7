import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What an observation shows, and when.
@Suite struct `An observation` {
  @Test func `shows the tasks at once, and again after each commit that changes them`()
    async throws
  {
    let ledger = try TestLedger().open()
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    var values = try ledger.observe("!isDeleted").makeAsyncIterator()
    let first = try await values.value()
    #expect(first.map(\.id) == ["milk"])
    #expect(first.changes.insertions == [0])
    try ledger.upsert(TaskItem(id: "bread"))
    let second = try await values.value()
    #expect(second.map(\.id) == ["bread", "milk"])
    #expect(second.changes == changes { $0.insertions = [0] })
    try ledger.update("milk") { $0.body = "Get oat milk" }
    let third = try await values.value()
    #expect(third.changes == changes { $0.updates = [1] })
    #expect(third[1].body == "Get oat milk")
    try ledger.delete("bread")
    #expect(try await values.value().changes == changes { $0.deletions = [0] })
    #expect(try await values.value(after: { try ledger.evict("milk") }).isEmpty)
    // What was given out stays as it was.
    #expect(second.map(\.body) == ["", "Get milk"])
  }

  @Test func `shows no value for what does not change the result`() async throws {
    let ledger = try TestLedger().open()
    var values = try ledger.observe("priority >= 2", sortedBy: "priority:desc", limit: 2)
      .makeAsyncIterator()
    #expect(try await values.value().isEmpty)
    try ledger.upsert(TaskItem(id: "low"))
    try ledger.update("low") { $0["priority"] = 1 }
    for (id, priority) in [("a", 5), ("b", 4), ("c", 3)] as [(TaskID, Int64)] {
      var task = TaskItem(id: id)
      task["priority"] = .int(priority)
      try ledger.upsert(task)
    }
    #expect(try await values.value().map(\.id) == ["a", "b"])
    // Behind the limit, and there and back again.
    try ledger.update("c") { $0.body = "unseen" }
    try ledger.toggle("a")
    try ledger.toggle("a")
    try ledger.update("a") { $0["isCompleted"] = nil }
    try ledger.evict("b")
    let last = try await values.value()
    #expect(last.map(\.id) == ["a", "c"])
    #expect(last.changes == changes { ($0.deletions, $0.insertions) = ([1], [1]) })
  }

  @Test func `gives the newest value to who takes his time`() async throws {
    let ledger = try TestLedger().open()
    var values = try ledger.observe("true").makeAsyncIterator()
    _ = try await values.value()
    for number in 0..<50 { try ledger.upsert(TaskItem(id: TaskID("task \(number)"))) }
    let value = try await values.value()
    #expect(value.count == 50)
    #expect(value.sequence == 50)
    #expect(value.changes.insertions == Array(0..<50))
  }

  @Test func `never shows what is not committed`() async throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 1000))
    var values = try ledger.observe("true").makeAsyncIterator()
    _ = try await values.value()
    struct Refusal: Error {}
    for body in ["refused", "lost"] {
      if body == "lost" { disk.failNextSync() }
      #expect(throws: (any Error).self) {
        try ledger.transaction { transaction in
          try transaction.upsert(TaskItem(id: "x", body: body))
          if body == "refused" { throw Refusal() }
        }
      }
    }
    // The handle is poisoned; another one writes.
    let next = try disk.open(configuration: .forTests(sealEvents: 1000))
    try next.upsert(TaskItem(id: "y"))
    var seen: [TaskID] = []
    while !seen.contains("y") { seen = try await values.value().map(\.id) }
    #expect(seen == (try next.tasks().map(\.id)))
  }

  @Test func `a transaction shows whole`() async throws {
    let ledger = try TestLedger().open()
    for id in ["a", "b"] as [TaskID] { try ledger.upsert(TaskItem(id: id)) }
    let observed = try ledger.observe("true")
    let watching = Task {
      var sums: Set<Int64> = []
      for try await tasks in observed {
        sums.insert(tasks.reduce(0) { $0 + ($1["n"]?.number ?? 0) })
        if tasks.first?["n"] == 100 { break }
      }
      return sums
    }
    for number in 1...100 as ClosedRange<Int64> {
      try ledger.transaction { transaction in
        try transaction.update("a") { $0["n"] = .int(number) }
        try transaction.update("b") { $0["n"] = .int(-number) }
      }
    }
    #expect(try await watching.value == [0])
  }

  @Test func `follows other handles, late history and what was sealed`() async throws {
    let bench = try TestLedger(sealEvents: 5)
    let (mine, theirs) = (try bench.open(), try bench.open())
    var values = try mine.observe("!isDeleted", sortedBy: "body").makeAsyncIterator()
    _ = try await values.value()
    for number in 0..<40 {
      try theirs.upsert(TaskItem(id: TaskID("task \(number)"), body: "\(number % 7)"))
      if number % 10 == 3 { try theirs.sealNow() }
      if number % 4 == 1 { try mine.upsert(TaskItem(id: TaskID("task \(number)"), body: "mine")) }
    }
    _ = try theirs.apply(
      try Lines.split([
        #"{"kind":"upsert","task":"late","set":{"body":"late"},"time":"2020-01-01T00:00:00Z"}"#
      ]))
    var shown: [TaskItem] = []
    let expected = try theirs.find("!isDeleted", sortedBy: "body")
    while shown != expected { shown = Array(try await values.value()) }
    #expect(shown.count == 41)
  }

  @Test func `catches up with more than it was told of`() async throws {
    let bench = try TestLedger(sealEvents: 1_000_000)
    let (mine, theirs) = (try bench.open(), try bench.open())
    var values = try mine.observe("n == 1").makeAsyncIterator()
    _ = try await values.value()
    func write(_ count: Int, _ ledger: Ledger) throws {
      try ledger.transaction { transaction in
        for _ in 0..<count {
          var task = TaskItem()
          task["n"] = 1
          try transaction.upsert(task)
        }
      }
    }
    // More than another process's changes are read one by one.
    try write(700, theirs)
    #expect(try await values.value().count == 700)
    // More than what this process's commits touched is kept.
    for _ in 0..<5 { try write(CommitFeed.itemsMax * 9 / 20, mine) }
    let value = try await values.value()
    #expect(value.count == 700 + 5 * CommitFeed.itemsMax * 9 / 20)
    #expect(value.changes.insertions.count == 5 * CommitFeed.itemsMax * 9 / 20)
  }

  @Test func `ends with its task and with its iterator, and leaves nothing behind`() async throws {
    let ledger = try TestLedger().open()
    for round in 0..<20 {
      let observed = try ledger.observe("true")
      let task = Task {
        var count = 0
        for try await _ in observed { count += 1 }
        return count
      }
      if round % 2 == 0 { while ledger.observers.count == 0 { await Task.yield() } }
      task.cancel()
      #expect(try await task.value <= 1)
      #expect(ledger.observers.count == 0)
      var values = observed.makeAsyncIterator()
      _ = try await values.value()
      #expect(ledger.observers.count == 1)
    }
    for try await _ in try ledger.observe("true") { break }
    #expect(ledger.observers.count == 0)
    #expect(ledger.shared.withLock { $0.feed == nil && $0.feedUsers == 0 })
    while ledger.observers.isWatching { await Task.yield() }
  }

  @Test func `keeps nothing of the many that came and went`() async throws {
    let ledger = try TestLedger().open()
    try ledger.upsert(TaskItem(id: "milk"))
    let observed = try ledger.observe("true")
    var last = observed.makeAsyncIterator()
    _ = try await last.value()
    for _ in 0..<TestSettings.steps(5000) {
      var values = observed.makeAsyncIterator()
      _ = try await values.next()
    }
    #expect(ledger.observers.count == 1)
    #expect(ledger.shared.withLock { $0.feedUsers } == 1)
  }

  @Test func `lets its ledger go`() async throws {
    weak var gone: Ledger?
    func follow() async throws {
      let ledger = try TestLedger().open()
      gone = ledger
      try ledger.upsert(TaskItem(id: "milk"))
      for try await _ in try ledger.observe("true") { break }
      for try await _ in ledger.events(after: 0) { break }
    }
    try await follow()
    while gone != nil { await Task.yield() }
  }

  @Test func `ends with an error when the ledger cannot be read any more`() async throws {
    let disk = TestDisk()
    let ledger = try disk.create()
    try ledger.upsert(TaskItem(id: "milk"))
    var values = try ledger.observe("true").makeAsyncIterator()
    _ = try await values.value()
    try disk.remove("CURRENT")
    let error = await #expect(throws: LedgerError.self) { _ = try await values.next() }
    #expect(error?.code == .damaged)
    #expect(try await values.next() == nil)
    #expect(ledger.observers.count == 0)
  }

  @Test func `a limit of nothing shows nothing`() async throws {
    let ledger = try TestLedger().open()
    try ledger.upsert(TaskItem())
    for limit in [0, -3] {
      var values = try ledger.observe("true", limit: limit).makeAsyncIterator()
      #expect(try await values.value().isEmpty)
    }
  }

  private func changes(_ fill: (inout TaskListChanges) -> Void) -> TaskListChanges {
    var changes = TaskListChanges()
    fill(&changes)
    return changes
  }
}

extension TaskObservation.Iterator {
  /// The next value, which must come.
  mutating func value(after change: () throws -> Void = {}) async throws -> ObservedTasks {
    try change()
    return try #require(try await next())
  }
}

extension Value {
  var number: Int64? { if case .int(let number) = self { number } else { nil } }
}
