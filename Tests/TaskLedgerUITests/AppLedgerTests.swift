import LedgerTestSupport
import TaskLedger
import TaskLedgerUI
import Testing

/// How an app's models share their ledger.
@Suite struct `The ledger of an app` {
  @Test func `is opened once for all, when it is first needed`() async throws {
    let disk = TestDisk()
    _ = try disk.create()
    let before = disk.faults.trace.calls.count
    let ledger = AppLedger { try disk.open() }
    #expect(disk.faults.trace.calls.count == before)
    let handles = try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { ObjectIdentifier(try await ledger.ledger()) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(handles.count == 1)
  }

  @Test func `is opened again after its handle has failed, and only then`() async throws {
    let disk = TestDisk()
    try disk.create().upsert(TaskItem(id: "milk"))
    let ledger = AppLedger { try disk.open() }
    let first = try await ledger.ledger()
    await #expect(throws: LedgerError.self) { try await ledger.perform { try $0.toggle("eggs") } }
    #expect(try await ledger.ledger() === first)
    disk.failNextSync()
    await #expect(throws: LedgerError.self) { try await ledger.perform { try $0.toggle("milk") } }
    try await ledger.perform { try $0.upsert(TaskItem(id: "eggs")) }
    let second = try await ledger.ledger()
    #expect(second !== first)
    await ledger.close(first)
    #expect(try await ledger.ledger() === second)
  }

  @Test func `keeps nobody else waiting while it waits for its disk`() async throws {
    var waiting: [(barrier: Barrier, work: Task<TaskID, any Error>)] = []
    // More than Swift has threads of its own.
    for _ in 0..<64 {
      let disk = TestDisk()
      let ledger = AppLedger(try disk.create())
      let barrier = Barrier(disk, at: .write)
      waiting.append((barrier, Task { try await ledger.perform { try $0.upsert(TaskItem()) } }))
    }
    for (barrier, _) in waiting { await barrier.arrival() }
    for (barrier, _) in waiting { barrier.open() }
    for (_, work) in waiting { _ = try await work.value }
  }

  @Test func `does what it is asked for in order`() async throws {
    let ledger = AppLedger.preview([TaskItem(id: "n")])
    for number in 0..<50 {
      try await ledger.perform { try $0.update("n") { $0["n"] = .int(Int64(number)) } }
    }
    let entries = try await ledger.perform { try $0.audit("n") }
    #expect(entries.compactMap { $0.event.changes.first?.value?.int } == (0..<50).map { $0 })
  }

  @Test func `that was handed over open stays failed`() async throws {
    let disk = TestDisk()
    let ledger = AppLedger(try disk.create())
    disk.failNextSync()
    await #expect(throws: LedgerError.self) {
      try await ledger.perform { try $0.upsert(TaskItem()) }
    }
    let error = await #expect(throws: LedgerError.self) {
      try await ledger.perform { try $0.upsert(TaskItem()) }
    }
    #expect(error?.code == .poisoned)
  }

  @Test @MainActor func `for previews has something to look at`() async throws {
    let list = TaskListModel(.preview())
    list.open()
    await until { list.tasks.count == AppLedger.sampleTasks.count }
    #expect(list.tasks.contains { $0.isCompleted } && list.tasks.contains { !$0.isCompleted })
    let empty = TaskListModel(.preview([]))
    empty.open()
    await until { empty.status == .live }
    #expect(empty.tasks.isEmpty)
  }
}
