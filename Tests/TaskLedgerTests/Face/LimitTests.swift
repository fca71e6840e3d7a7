import Testing

@testable import TaskLedger

/// What is just within the limits is taken, what is one byte beyond is refused and leaves nothing behind.
struct `The limits of sizes` {
  private let bench: TestLedger
  private let ledger: Ledger

  private static let valueMax = 1 << 20
  private static let eventMax = 4 << 20
  private static let transactionMax = 64 << 20

  init() throws {
    bench = try TestLedger()
    ledger = try bench.open(author: "a")
  }

  /// A text whose canonical JSON has so many bytes.
  private func text(_ size: Int) -> Value {
    .text(String(repeating: "x", count: size - 2))
  }

  /// A task whose upsert makes an event of so many bytes: author, names and values.
  private func task(_ id: TaskID, eventSize: Int) -> TaskItem {
    var item = TaskItem(id: id)
    // Five fields like `"f1":…`, in braces, with commas, and the author "a" in quotes.
    var rest = eventSize - (5 * 5 + 4 + 2) - 3
    for number in 1...5 {
      let size = number < 5 ? eventSize / 5 : rest
      item["f\(number)"] = text(size)
      rest -= size
    }
    return item
  }

  private func code(_ body: () throws -> Void) -> LedgerError.Code? {
    #expect(throws: LedgerError.self) { try body() }?.code
  }

  @Test func `a value has at most 1 MiB of canonical JSON`() throws {
    var item = TaskItem(id: "t")
    item["n"] = text(Self.valueMax)
    try ledger.upsert(item)
    #expect(try ledger.task("t")?["n"] == text(Self.valueMax))
    #expect(code { try ledger.update("t") { $0["n"] = text(Self.valueMax + 1) } } == .invalid)
    // Escapes count, for they are part of the JSON.
    let escapes = String(repeating: "\n", count: (Self.valueMax - 2) / 2)
    #expect(try ledger.update("t") { $0.body = escapes })
    #expect(code { try ledger.update("t") { $0.body = escapes + "x" } } == .invalid)
    #expect(try ledger.lastSequence == 2)
  }

  @Test func `an event has at most 4 MiB`() throws {
    try ledger.upsert(task("t", eventSize: Self.eventMax))
    #expect(code { try ledger.upsert(task("u", eventSize: Self.eventMax + 1)) } == .invalid)
    // Author and message count.
    #expect(
      code {
        try ledger.transaction(author: "aa") {
          _ = try $0.upsert(task("u", eventSize: Self.eventMax))
        }
      } == .invalid)
    #expect(try ledger.tasks().map(\.id) == ["t"])
    #expect(try bench.open().task("t") == task("t", eventSize: Self.eventMax))
  }

  @Test func `a transaction has at most 64 MiB, and goes on without what is beyond`() throws {
    let count = Self.transactionMax / Self.eventMax
    try ledger.transaction { transaction in
      for number in 0..<count {
        try transaction.upsert(task(try TaskID("task \(number)"), eventSize: Self.eventMax))
      }
      #expect(throws: LedgerError.self) { try transaction.upsert(TaskItem(id: "one more")) }
      #expect(try transaction.task("one more") == nil)
    }
    #expect(try ledger.lastSequence == UInt64(count))
    // A transaction of its own has all the room again.
    try ledger.upsert(TaskItem(id: "one more"))
    let again = try bench.open()
    #expect(try again.tasks().count == count + 1)
    #expect(try again.task("task 3") == task("task 3", eventSize: Self.eventMax))
  }

  @Test func `ids and names reach their bounds`() throws {
    let id = try TaskID(String(repeating: "\u{e9}", count: 128))
    var item = TaskItem(id: id)
    let long = String(repeating: "n", count: 256)
    let deep = Array(repeating: "s", count: 32).joined(separator: ".")
    var nested: Value = 1
    for _ in 0..<32 { nested = [nested] }
    item[long] = 1
    item[deep] = nested
    try ledger.upsert(item)
    #expect(try bench.open().task(id) == item)
    #expect(throws: LedgerError.self) { try TaskID(String(repeating: "\u{e9}", count: 128) + "x") }
    #expect(code { try ledger.update(id) { $0[long + "n"] = 1 } } == .invalid)
    #expect(code { try ledger.update(id) { $0[deep + ".s"] = 1 } } == .invalid)
    #expect(code { try ledger.update(id) { $0[deep] = [nested] } } == .invalid)
    #expect(try ledger.lastSequence == 1)
  }
}
