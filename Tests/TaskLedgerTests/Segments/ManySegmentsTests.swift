import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

@Suite struct `Ten thousand segments` {
  @Test func `are read, written, audited and verified like one`() throws {
    let directory = MemoryDirectory()
    let made = try SegmentedLedger(segments: 10_000, tasks: 3000, in: directory)
    let ledger = try Ledger(
      directory, author: "ann", configuration: .forTests(sealEvents: 1000))
    #expect(try ledger.lastSequence == 10_000)
    #expect(try ledger.audit("task-7").map(\.sequence) == [8, 3008, 6008, 9008])
    try ledger.toggle("task-7")
    try ledger.upsert(TaskItem(id: "new", body: "One more"))
    #expect(try ledger.audit("task-7").last?.sequence == 10_001)
    let events = try LedgerCheck.allEvents(of: ledger)
    #expect(events.count == 10_002)
    #expect(events.prefix(10_000) == made.events[...])
    #expect(try ledger.tasks(TaskListOptions(includesDeleted: true)) == StateModel.tasks(events))
    let digest = StateModel.digest(events)
    #expect(try ledger.replay().digest == digest)
    let report = try Ledger.verify(directory)
    #expect(report.isSound)
    #expect(report.events == 10_002)
    #expect(report.digest == digest)
  }

  @Test func `are closed and sealed one at a time without touching the others`() throws {
    let disk = TestDisk()
    _ = try SegmentedLedger(segments: 10_000, tasks: 3000, in: disk.memory)
    let ledger = try disk.open(configuration: .forTests(sealEvents: 2))
    let before = disk.faults.trace.calls.count
    try ledger.transaction {
      try $0.upsert(TaskItem(id: "one", body: "New"))
      try $0.upsert(TaskItem(id: "two", body: "New"))
    }
    try ledger.sealNow()
    #expect(try ledger.statistics().segments.count == 10_002)
    let sealedReads = disk.faults.trace.after(before).calls(.read).filter {
      $0.name.hasSuffix(".sealed")
    }
    // Two tasks are looked for in each segment; nothing is read a third time to close one and to seal it.
    #expect(sealedReads.count < 10_000 * 8)
  }
}
