import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Neither CURRENT nor a manifest is left: the segments say what there is.
@Suite struct `A list of files that is remade from the segments` {
  private typealias Place = RepairBench.Place

  private func withoutList(_ disk: TestDisk) throws -> TestDisk {
    let left = disk.processKilled()
    for file in left.files.keys where file == "CURRENT" || file.hasPrefix("MANIFEST") {
      try left.remove(file)
    }
    return left
  }

  @Test func `goes on as a new replica where it may be that of a backup`() throws {
    let bench = try BackupBench()
    let backup = TestDisk()
    try bench.open().backup(to: backup.faults)
    let replica = try bench.open().statistics().replica
    let events = try bench.events
    let disk = try withoutList(backup)
    let plan = try Ledger.repairPlan(disk.faults, bench.configuration)
    #expect(plan.isNewReplica)
    let repair = try disk.repair(configuration: bench.configuration)
    #expect(repair.isNewReplica && repair.lost.isEmpty)
    let ledger = try bench.open(disk)
    #expect(try ledger.statistics().replica != replica)
    #expect(try LedgerCheck.allEvents(of: ledger) == events)
    // Both go on, and no stamp is given twice.
    try ledger.toggle("milk")
    try bench.open().toggle("milk")
    let stamps = [try LedgerCheck.allEvents(of: ledger).last?.stamp, try bench.events.last?.stamp]
    #expect(stamps[0] != stamps[1] && stamps[0]?.count == 1)
    #expect(try disk.verify().isSound)
  }

  @Test func `goes on as the same replica where a writer left word, or frames`() throws {
    let bench = try RepairBench.made(bodyBytes: 40)
    let replica = try bench.disk.processKilled().open().statistics().replica
    for hasWord in [true, false] {
      let disk = try withoutList(bench.disk)
      if !hasWord { try disk.forgetDurableEnd() }
      #expect(try !disk.repair(configuration: bench.configuration).isNewReplica)
      #expect(try disk.open().statistics().replica == replica)
    }
    // Nothing was appended since the last segment was closed.
    let empty = bench.disk.processKilled()
    try empty.open(configuration: bench.configuration).sealNow()
    let disk = try withoutList(empty)
    #expect(try !disk.repair(configuration: bench.configuration).isNewReplica)
    #expect(try disk.open().statistics().replica == replica)
  }

  @Test func `is not remade where frames that a copy had are missing at the end of a segment`()
    throws
  {
    let bench = try BackupBench()
    let backup = TestDisk()
    try bench.open().backup(to: backup.faults)
    let disk = try withoutList(backup)
    let closed = disk.files.keys.filter { LedgerNames.closedEnd($0) != nil }.max()
    let file = try #require(closed)
    let bytes = try #require(disk.files[file])
    let end = Int(try #require(LedgerNames.closedEnd(file)))
    var zeroed = bytes
    for place in end - 100..<end { zeroed[place] = 0 }
    try disk.overwrite(file, with: zeroed)
    let before = disk.lastingFiles
    let error = #expect(throws: LedgerError.self) {
      try disk.repair(configuration: bench.configuration)
    }
    #expect(error?.code == .damaged)
    #expect(disk.holds(before))
  }

  @Test func `is that of another replica where a copy lost its active segment, too`() throws {
    let bench = try BackupBench()
    let backup = TestDisk()
    try bench.open().backup(to: backup.faults)
    let replica = try bench.open().statistics().replica
    let events = try bench.events
    let disk = try withoutList(backup)
    let active = disk.files.keys.filter {
      $0.hasSuffix(".active") && LedgerNames.closedEnd($0) == nil
    }
    try disk.remove(try #require(active.max()))
    #expect(try disk.repair(configuration: bench.configuration).isNewReplica)
    let ledger = try bench.open(disk)
    #expect(try ledger.statistics().replica != replica)
    #expect(try LedgerCheck.allEvents(of: ledger) == events)
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) - 1, 1 << 62])
  func `passes over a file named as a manifest that no ledger comes to`(_ number: UInt64) throws {
    let bench = try RepairBench.made(bodyBytes: 40)
    let disk = try withoutList(bench.disk)
    try disk.overwrite(LedgerNames.manifest(number), with: [])
    #expect(try disk.repair(configuration: bench.configuration).lost.isEmpty)
    #expect(try LedgerCheck.allEvents(of: disk.open()) == bench.events)
  }

  @Test func `names what was lost before, and what is lost now`() throws {
    let bench = try RepairBench.made(bodyBytes: 40)
    let disk = try bench.disk(.missing, .middleSealed, other: bench)
    try disk.repair(configuration: bench.configuration)
    let left = try withoutList(disk)
    let found = try left.verify()
    #expect(found.lost == SequenceRanges(7...12) && !found.isSound)
    let repair = try left.repair(configuration: bench.configuration)
    #expect(repair.lost == SequenceRanges(7...12))
    let events = bench.events.filter { !(7...12).contains($0.sequence) }
    #expect(try LedgerCheck.allEvents(of: left.open()) == events)
    let after = try left.verify()
    #expect(after.isSound && after.lostBefore == SequenceRanges(7...12))
  }

  @Test(arguments: [RepairBench.Place.firstSealed, .middleSealed, .lastSealed])
  func `keeps the intact blocks of a damaged segment`(_ place: RepairBench.Place) throws {
    let bench = try RepairBench.made()
    let damaged = try bench.disk(.flip, place, other: bench)
    let lost = try damaged.verify().lost
    #expect(!lost.isEmpty && lost.count < 6)
    let disk = try withoutList(damaged)
    #expect(try disk.repair(configuration: bench.configuration).lost == lost)
    let events = bench.events.filter { !lost.contains($0.sequence) }
    #expect(try LedgerCheck.allEvents(of: disk.open()) == events)
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [RepairBench.Damage.flip, .cut, .missing])
  func `tells what the active segment has lost`(_ damage: RepairBench.Damage) throws {
    let bench = try RepairBench.made(bodyBytes: 40)
    let disk = try withoutList(bench.disk(damage, .active, other: bench))
    let repair = try disk.repair(configuration: bench.configuration)
    let lost: [RepairBench.Damage: ClosedRange<UInt64>] = [
      .flip: 25...25, .cut: 26...29, .missing: 25...29,
    ]
    #expect(repair.lost == lost[damage].map { SequenceRanges($0) })
    #expect(repair.uncertainAfter == (damage == .flip ? nil : 29))
    #expect(try disk.verify().isSound)
    let ledger = try disk.open(configuration: bench.configuration)
    try ledger.toggle(RepairBench.task(0))
    #expect(try ledger.lastSequence == 30)
  }

  @Test func `says how many tasks vanish with a baseline, and keeps the snapshot that has them`()
    throws
  {
    let bench = try RepairBench.made(bodyBytes: 40, folds: true)
    let disk = try bench.disk(.missing, .baseline, other: bench)
    let plan = try Ledger.repairPlan(disk.faults, bench.configuration)
    let snapshots = plan.steps.filter { $0.part == .snapshot }
    #expect(!snapshots.isEmpty && snapshots.allSatisfy { $0.tasks == 6 && $0.aside != nil })
    let repair = try disk.repair(configuration: bench.configuration)
    #expect(repair.tasks == plan.tasks)
    #expect(repair.tasks.map { Int($0) } == (try disk.open().replay().tasks))
    for step in snapshots {
      #expect(disk.files[step.aside ?? ""] == bench.files[step.file])
    }
  }
}
