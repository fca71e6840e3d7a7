import LedgerTestSupport
import TaskLedger
import Testing

/// What comes after a repair, and where there is nothing to do.
@Suite struct `A repair, and what comes after it,` {
  @Test func `finds nothing to do in a sound ledger, nor in one with a torn tail`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    #expect(try bench.disk.repair(configuration: bench.configuration).steps.isEmpty)
    #expect(bench.disk.files == bench.files)
    let torn = bench.disk.processKilled()
    try torn.tearLastTransaction()
    let before = torn.files
    #expect(try torn.repair(configuration: bench.configuration).steps.isEmpty)
    #expect(torn.files == before)
    #expect(throws: LedgerError.self) { try TestDisk().repair() }
  }

  @Test func `folds and merges over what is lost, and still tells of it`() throws {
    let bench = try RepairBench.made()
    let disk = try bench.disk(.flip, .middleSealed, other: bench)
    let (_, left) = try bench.expectRepaired(disk, "")
    let ledger = try disk.open(configuration: bench.configuration)
    let lost = try ledger.lostEvents
    let digest = try ledger.replay().digest
    try ledger.compact(.fold(before: .sequence(18)))
    #expect(try ledger.replay().digest == digest)
    #expect(try ledger.lostEvents == lost)
    let found = try disk.verify()
    #expect(found.isSound && found.lostBefore == lost)
    #expect(try LedgerCheck.allEvents(of: ledger) == left.filter { $0.sequence > 18 })
  }

  @Test func `says of a transaction that is to be undone that it is lost`() throws {
    let bench = try RepairBench.made()
    let disk = try bench.disk(.flip, .middleSealed, other: bench)
    let lost = try #require(try disk.repair(configuration: bench.configuration).lost.ranges.first)
    let error = #expect(throws: LedgerError.self) {
      try disk.open(configuration: bench.configuration).undo(.transaction(lost.lowerBound))
    }
    #expect(error?.code == .nothingToUndo)
    #expect(error?.sentence.contains("event \(lost.lowerBound) was lost") == true)
  }

  @Test func `goes on as a new replica where nobody knows how many events are lost`() throws {
    let (bench, other) = (
      try RepairBench.made(bodyBytes: 50), try RepairBench.made(bodyBytes: 50, isOther: true)
    )
    let replica = try bench.disk.open().statistics().replica
    // LOCK still tells of the last event that was acknowledged.
    for hasWord in [true, false] {
      let disk = try bench.disk(.missing, .active, other: other)
      if !hasWord { try disk.forgetDurableEnd() }
      try bench.expectRepaired(disk, "")
      let ledger = try disk.open(configuration: bench.configuration)
      #expect(try ledger.statistics().replica != replica)
      try ledger.toggle(RepairBench.task(0))
      let event = try #require(try LedgerCheck.allEvents(of: ledger).last)
      #expect(event.sequence == (hasWord ? 30 : 25) && event.stamp.count == 1)
    }
  }

  @Test func `is seen by those who have the ledger open`() throws {
    let (bench, other) = (
      try RepairBench.made(bodyBytes: 50), try RepairBench.made(bodyBytes: 50, isOther: true)
    )
    let disk = bench.disk.processKilled()
    let ledger = try disk.open(configuration: bench.configuration)
    _ = try ledger.tasks()
    let before = try ledger.tasks(TaskListOptions(includesDeleted: true))
    #expect(before == StateModel.tasks(bench.events))
    let file = bench.file(.firstSealed)
    try disk.overwrite(file, with: other.files[other.file(.firstSealed)] ?? [])
    let repair = try TestDisk(disk.memory).repair(configuration: bench.configuration)
    let left = bench.events.filter { !repair.lost.contains($0.sequence) }
    #expect(left.count == bench.events.count - 6)
    #expect(try ledger.tasks(TaskListOptions(includesDeleted: true)) == StateModel.tasks(left))
    try ledger.upsert(TaskItem(id: RepairBench.task(0), body: "Again"))
    #expect(try ledger.task(RepairBench.task(0))?.body == "Again")
    #expect(try ledger.lastSequence == 30)
  }

  @Test func `notices that what was moved aside is gone, once`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    let disk = try bench.disk(.flip, .active, other: bench)
    let repair = try disk.repair(configuration: bench.configuration)
    let aside = try #require(repair.steps[0].aside)
    try disk.remove(aside)
    #expect(try disk.status(of: aside)?.word == "missing")
    #expect(try disk.repair(configuration: bench.configuration).steps.map(\.part) == [.aside])
    #expect(try disk.verify().isSound)
  }
}
