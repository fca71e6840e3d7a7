import Testing

@testable import TaskLedger

struct `Opening a ledger` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(_ body: () throws -> Void) -> LedgerError.Code? {
    #expect(throws: LedgerError.self) { try body() }?.code
  }

  @Test func `makes one where there is none, and finds it again`() throws {
    let path = folder.path("tasks.ledger")
    let milk = try Ledger.open(at: path, author: "ann").upsert(TaskItem(body: "Get milk"))
    let again = try Ledger.open(at: path, author: "bob")
    #expect(try again.task(milk)?.body == "Get milk")
    #expect(again.path == path)
    #expect(again.author == "bob")
    #expect(try again.audit(milk).map(\.author) == ["ann"])
  }

  @Test func `makes nothing when it is told not to`() {
    let path = folder.path("tasks.ledger")
    #expect(code { _ = try Ledger.open(at: path, createIfMissing: false) } == .notFound)
    #expect(code { _ = try Ledger.open(at: path, createIfMissing: false) } == .notFound)
  }

  @Test func `never makes a second one in its place`() throws {
    let path = folder.path("tasks.ledger")
    try Ledger.create(at: path).upsert(TaskItem(id: "a"))
    #expect(code { _ = try Ledger.create(at: path) } == .alreadyExists)
    #expect(try Ledger.open(at: path).tasks().map(\.id) == ["a"])
  }

  @Test func `uses an empty folder and refuses one that holds anything else`() throws {
    #expect(try Ledger.create(at: folder.path).lastSequence == 0)
    let other = try TemporaryFolder()
    try other.write("text", to: "notes.txt")
    #expect(code { _ = try Ledger.create(at: other.path) } == .alreadyExists)
    #expect(throws: LedgerError.self) { try Ledger.open(at: other.path) }
    #expect(throws: LedgerError.self) { try Ledger.open(at: other.path("notes.txt")) }
  }

  @Test(arguments: ["", "line\nbreak", "\u{7f}", "\u{85}", String(repeating: "a", count: 257)])
  func `refuses such an author`(author: String) throws {
    let path = folder.path("tasks.ledger")
    #expect(code { _ = try Ledger.create(at: path, author: author) } == .invalid)
    #expect(code { _ = try Ledger.inMemory(author: author) } == .invalid)
    #expect(code { _ = try Ledger.open(at: path, createIfMissing: false) } == .notFound)
    let ledger = try Ledger.inMemory()
    #expect(
      code { _ = try ledger.transaction(author: author) { try $0.upsert(TaskItem()) } } == .invalid)
    #expect(try ledger.lastSequence == 0)
  }

  @Test func `in memory starts with the tasks given, as one transaction`() throws {
    let tasks = [TaskItem(id: "b", body: "two"), TaskItem(id: "a", body: "one", isCompleted: true)]
    let ledger = try Ledger.inMemory(tasks: tasks, author: "preview")
    #expect(try ledger.tasks() == tasks.reversed())
    #expect(try ledger.audit("a").map(\.event.transaction) == [1])
    #expect(try ledger.audit("a").map(\.author) == ["preview"])
    #expect(try Ledger.inMemory().tasks().isEmpty)
  }

  @Test func `gives ids and times from the configuration`() throws {
    var configuration = LedgerConfiguration()
    configuration.clock = { LedgerTime(unchecked: noon) }
    configuration.makeID = { "made" }
    let ledger = try Ledger.inMemory(author: "ann", configuration: configuration)
    try ledger.apply(try Lines.split([#"{"kind":"upsert","set":{"body":"x"}}"#]))
    #expect(try ledger.task("made")?.body == "x")
    #expect(try ledger.audit("made").map(\.time.milliseconds) == [noon])
  }

  @Test func `says what it consists of`() throws {
    var configuration = LedgerConfiguration()
    configuration.clock = { LedgerTime(unchecked: noon) }
    configuration.sealEvents = 4
    configuration.quickSegmentFactor = 1
    configuration.extensionBytes = 4096
    let ledger = try Ledger.create(at: folder.path, configuration: configuration)
    var statistics = try ledger.statistics()
    #expect(statistics.events == 0 && statistics.newest == nil)
    #expect(statistics.segments.map(\.kind) == ["active"])
    for number in 1...10 { try ledger.upsert(TaskItem(id: try TaskID("task \(number)"))) }
    try ledger.sealNow()
    try ledger.toggle("task 1")
    statistics = try ledger.statistics()
    #expect(statistics.events == 11)
    #expect(statistics.newest?.milliseconds == noon)
    #expect(statistics.segments.map(\.kind) == ["sealed", "sealed", "sealed", "active"])
    #expect(statistics.segments.map(\.events) == [4, 4, 2, 1])
    #expect(statistics.segments.map(\.firstSequence) == [1, 5, 9, 11])
    #expect(statistics.segments.allSatisfy { $0.bytes > 0 })
    #expect(statistics.maintenance.first?.kind == "created")
    #expect(statistics.maintenance.first?.time.milliseconds == noon)
    #expect(try Ledger.open(at: folder.path).statistics().replica == statistics.replica)
  }
}
