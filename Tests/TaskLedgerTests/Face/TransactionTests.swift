import Testing

@testable import TaskLedger

struct `A transaction` {
  private let bench: TestLedger
  private let ledger: Ledger
  private struct Oops: Error {}

  init() throws {
    bench = try TestLedger()
    ledger = try bench.open(author: "ann")
  }

  private var events: [Event] {
    get throws {
      var events: [Event] = []
      try ledger.forEachEvent { event in
        events.append(event)
        return true
      }
      return events
    }
  }

  @Test func `carries author, message and the number of its first event`() throws {
    try ledger.upsert(TaskItem(id: "a"))
    let result = try ledger.transaction(author: "importer", message: "from CSV") { transaction in
      try transaction.upsert(TaskItem(id: "b"))
      try transaction.upsert(TaskItem(id: "b"))
      try transaction.toggle("a")
      return "done"
    }
    #expect(result == "done")
    let events = try events
    #expect(events.map(\.author) == ["ann", "importer", "importer"])
    #expect(events.map(\.message) == [nil, "from CSV", "from CSV"])
    #expect(events.map(\.transaction) == [1, 2, 2])
    #expect(events.map(\.endsTransaction) == [true, false, true])
  }

  @Test func `without changes appends nothing, and an empty message is none`() throws {
    try ledger.transaction(message: "nothing") { _ in }
    #expect(try ledger.lastSequence == 0)
    try ledger.transaction(message: "") { try $0.upsert(TaskItem(id: "a")) }
    #expect(try events.map(\.message) == [nil])
  }

  @Test func `reads its own writes while readers see the state before it`() throws {
    try ledger.upsert(TaskItem(id: "a", body: "before"))
    _ = try ledger.tasks()
    try ledger.transaction { transaction in
      try transaction.update("a") { $0.body = "after" }
      try transaction.upsert(TaskItem(id: "b"))
      #expect(try transaction.task("a")?.body == "after")
      #expect(try transaction.task("b") != nil)
      #expect(try transaction.task("c") == nil)
      #expect(try ledger.task("a")?.body == "before")
      #expect(try ledger.tasks().map(\.id) == ["a"])
      try transaction.evict("b")
      #expect(try transaction.task("b") == nil)
    }
    #expect(try ledger.task("a")?.body == "after")
    #expect(try ledger.lastSequence == 4)
  }

  @Test func `that throws leaves no trace`() throws {
    try ledger.upsert(TaskItem(id: "a", body: "before"))
    #expect(throws: Oops.self) {
      try ledger.transaction { transaction in
        bench.setClock(noon + 60_000)
        try transaction.update("a") { $0.body = "after" }
        try transaction.upsert(TaskItem(id: "b"))
        try transaction.delete("a")
        throw Oops()
      }
    }
    #expect(try ledger.task("a")?.body == "before")
    #expect(try ledger.tasks().map(\.id) == ["a"])
    #expect(try ledger.revision(of: "b") == nil)
    // Neither numbers nor stamps nor what later commands compare with.
    bench.setClock(noon + 1)
    #expect(throws: LedgerError.self) { try ledger.toggle("b") }
    #expect(try ledger.update("a") { $0.body = "after" })
    #expect(try ledger.delete("a"))
    let events = try events
    #expect(events.map(\.sequence) == [1, 2, 3])
    #expect(events.map(\.stamp.count) == [1, 2, 3])
    #expect(events.map(\.time.milliseconds) == [noon, noon + 1, noon + 1])
    #expect(try ledger.audit("a")[1].changes.first?.old == "before")
  }

  @Test func `that throws takes its late events back, too`() throws {
    let command = { (kind: EventKind, at: Int64) in
      Command(kind, "a", time: LedgerTime(unchecked: noon + at), author: "ann")
    }
    try ledger.transaction { try $0.perform(command(.upsert, 10)) }
    try ledger.transaction { try $0.perform(command(.toggle, 30)) }
    #expect(throws: Oops.self) {
      try ledger.transaction { transaction in
        try transaction.perform(command(.toggle, 20))
        try transaction.perform(command(.evict, 25))
        try transaction.perform(command(.upsert, 40))
        throw Oops()
      }
    }
    #expect(try ledger.task("a")?.isCompleted == true)
    try ledger.transaction { try $0.perform(command(.toggle, 25)) }
    #expect(try ledger.audit("a").map { $0.changes.map(\.old) } == [[], [true], [false]])
  }

  @Test func `goes on without a command that was refused`() throws {
    try ledger.transaction { transaction in
      try transaction.upsert(TaskItem(id: "a"))
      #expect(throws: LedgerError.self) { try transaction.toggle("b") }
      var wrong = TaskItem(id: "c")
      wrong["body"] = 1
      #expect(throws: LedgerError.self) { try transaction.upsert(wrong) }
      #expect(throws: Oops.self) {
        try transaction.update("a") {
          $0.body = "x"
          throw Oops()
        }
      }
      try transaction.toggle("a")
    }
    #expect(try events.map(\.kind) == [.upsert, .toggle])
    #expect(try ledger.task("a")?.body == "")
  }

  @Test func `sees what another handle wrote before it`() throws {
    let other = try bench.open(author: "bob")
    try ledger.upsert(TaskItem(id: "a"))
    try other.toggle("a")
    try ledger.toggle("a")
    try other.upsert(TaskItem(id: "b"))
    #expect(throws: Oops.self) {
      try ledger.transaction { transaction in
        try transaction.toggle("b")
        throw Oops()
      }
    }
    try other.toggle("b")
    #expect(try ledger.tasks().map(\.isCompleted) == [false, true])
    #expect(try events.map(\.author) == ["ann", "bob", "ann", "bob", "bob"])
    #expect(try events.map(\.stamp.count) == [1, 2, 3, 4, 5])
  }

  @Test func `of many threads are appended one after the other`() async throws {
    try ledger.upsert(TaskItem(id: "n"))
    let ledger = ledger
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            do {
              try ledger.update("n") { item in
                guard case .int(let number) = item["n"] ?? 0 else { return }
                item["n"] = .int(number + 1)
              }
            } catch {
              Issue.record(error)
            }
          }
        }
      }
    }
    #expect(try ledger.task("n")?["n"] == 200)
    #expect(try ledger.tasks().first?["n"] == 200)
    #expect(try ledger.lastSequence == 201)
  }
}
