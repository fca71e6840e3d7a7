import LedgerTestSupport
import Testing

@testable import TaskLedger

struct `Resolving a beginning` {
  private let bench: TestLedger
  private let ledger: Ledger

  init() throws {
    bench = try TestLedger(sealEvents: 3)
    ledger = try bench.open()
    for id in ["task", "task-1", "task-12", "task-2", "other-one", "ab", "abc", "caf\u{e9}-1"] {
      try ledger.upsert(TaskItem(id: try TaskID(id)))
    }
    try ledger.toggle("task-1")
    try ledger.evict("other-one")
  }

  private func code(_ text: String) -> LedgerError.Code? {
    #expect(throws: LedgerError.self) { try ledger.resolve(text) }?.code
  }

  @Test func `an id that ever existed wins, however many go on from it`() throws {
    #expect(try ledger.resolve("task") == "task")
    #expect(try ledger.resolve("task-1") == "task-1")
    #expect(try ledger.resolve("ab") == "ab")
    #expect(try ledger.resolve("other-one") == "other-one")
  }

  @Test func `the beginning of one id alone will do, from four bytes on`() throws {
    #expect(try ledger.resolve("task-12") == "task-12")
    #expect(try ledger.resolve("othe") == "other-one")
    #expect(try ledger.resolve("caf\u{e9}") == "caf\u{e9}-1")
    #expect(code("oth") == .noSuchTask)
    #expect(code("abcd") == .noSuchTask)
    #expect(code("a") == .noSuchTask)
    #expect(code("") == .noSuchTask)
    #expect(code("cafe\u{301}") == .noSuchTask)
  }

  @Test func `the beginning of several ids is ambiguous and names them`() throws {
    let error = #expect(throws: LedgerError.self) { try ledger.resolve("task-") }
    #expect(error?.code == .ambiguous)
    for id in ["task-1", "task-12", "task-2"] {
      #expect(error?.sentence.contains(id) == true)
    }
  }

  @Test func `what nobody has seen is not there, whether sealed or not`() throws {
    #expect(code("task-3") == .noSuchTask)
    try bench.open().upsert(TaskItem(id: "task-3x"))
    #expect(try ledger.resolve("task-3") == "task-3x")
    try ledger.sealNow()
    #expect(try ledger.resolve("task-3") == "task-3x")
    #expect(try bench.open().resolve("task-3") == "task-3x")
  }

  @Test func `the whole id of a lost task is not taken for the beginning of another one`() throws {
    let configuration = LedgerConfiguration.forTests(sealEvents: 1)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    let uuid = TaskID.random()
    for id in ["task1", "task10", uuid] { try ledger.upsert(TaskItem(id: id)) }
    let first = try #require(try ledger.statistics().segments.first).file
    try disk.remove(first)
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(1...1))
    let left = try disk.open(configuration: configuration)
    let error = #expect(throws: LedgerError.self) { try left.resolve("task1") }
    #expect(error?.code == .ambiguous && error?.sentence.contains("task10") == true)
    #expect(try left.resolve("task10") == "task10")
    #expect(try left.resolve(String(uuid.text.prefix(8))) == uuid)
  }
}
