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
