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

}

@Suite struct `Two thousand small segments` {
  @Test func `merge by themselves into few that hold the same events`() throws {
    let disk = TestDisk()
    _ = try SegmentedLedger(segments: 2000, tasks: 600, in: disk.memory)
    let ledger = try disk.open(configuration: .forTests(sealEvents: 2))
    let before = disk.faults.trace.calls.count
    try ledger.transaction {
      try $0.upsert(TaskItem(id: "one", body: "New"))
      try $0.upsert(TaskItem(id: "two", body: "New"))
    }
    try ledger.sealNow()
    #expect(try ledger.statistics().segments.count < 100)
    #expect(try ledger.lastSequence == 2002)
    #expect(try ledger.tasks().count == 602)
    #expect(try Ledger.verify(disk.memory).isSound)
    let sealedReads = disk.faults.trace.after(before).calls(.read).filter {
      $0.name.hasSuffix(".sealed")
    }
    // An event is written anew a few times at most: the reads are so many for each segment, however many there are.
    #expect(sealedReads.count < 2000 * 40)
  }
}
