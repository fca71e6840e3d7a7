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
    try left.loseList()
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

  @Test func `keeps what was appended to a restored ledger beside the frames that were copied`()
    throws
  {
    let bench = try BackupBench()
    let restored = TestDisk()
    let backup = TestDisk()
    try bench.open().backup(to: backup.faults)
    try Ledger.restore(
      from: backup.faults, to: restored.faults, configuration: bench.configuration)
    let copied = restored.files.filter { LedgerNames.closedEnd($0.key) != nil }
    #expect(!copied.isEmpty)
    let ledger = try bench.open(restored)
    try ledger.toggle("milk")
    try ledger.toggle("milk")
    let replica = try ledger.statistics().replica
    let events = try LedgerCheck.allEvents(of: ledger)
    let disk = try withoutList(restored)
    // Whoever has the ledger open keeps them there.
    for (file, bytes) in copied { try disk.overwrite(file, with: bytes) }
    let repair = try disk.repair(configuration: bench.configuration)
    #expect(!repair.isNewReplica && repair.lost.isEmpty)
    let repaired = try bench.open(disk)
    #expect(try LedgerCheck.allEvents(of: repaired) == events)
    #expect(try repaired.statistics().replica == replica)
    #expect(try disk.verify().isSound)
  }

  /// What happens to the frames of a closed segment in a copy.
  enum Loss: CaseIterable, Sendable { case zeroedEnd, cut, cutShort, flip, emptied }

  /// A copy without its list, in which something happened to the last closed segment of frames.
  private func copy(_ loss: Loss, _ bench: BackupBench) throws -> (disk: TestDisk, file: String) {
    let backup = TestDisk()
    try bench.open().backup(to: backup.faults)
    let closed = backup.files.keys.filter { LedgerNames.closedEnd($0) != nil }.max()
    let file = try #require(closed)
    var bytes = try #require(backup.files[file])
    let end = Int(try #require(LedgerNames.closedEnd(file)))
    switch loss {
    case .zeroedEnd: for place in end - 40..<end { bytes[place] = 0 }
    case .cut: bytes.removeLast(bytes.count - end + 40)
    case .cutShort: bytes.removeLast(bytes.count - 120)
    case .flip: bytes[112 + 88 + 4] ^= 0x10
    case .emptied: bytes = []
    }
    try backup.overwrite(file, with: bytes)
    return (backup, file)
  }

  @Test(arguments: Loss.allCases)
  func `names the frames that a copy lost as its list would, and keeps all others`(
    _ loss: Loss
  ) throws {
    let bench = try BackupBench(sealEvents: 6)
    let (listed, file) = try copy(loss, bench)
    let events = try bench.events
    let expected = try listed.verify()
    #expect(
      !expected.lost.isEmpty && expected.files.contains { $0.name == file && $0.fault != nil })
    let disk = try withoutList(listed)
    let found = try disk.verify()
    #expect(found.lost == expected.lost && found.uncertainAfter == nil)
    // Of what is in a file without a header nothing is known but from those beside it.
    if loss != .emptied {
      #expect(found.files.first { $0.name == file }?.status.word == "damaged")
      #expect(found.intact == expected.intact)
    }
    let before = disk.files[file]
    let repair = try disk.repair(configuration: bench.configuration)
    #expect(repair.lost == expected.lost && repair.isNewReplica)
    #expect(disk.files.contains { $0.key.hasPrefix("aside/") && $0.value == before })
    let ledger = try bench.open(disk)
    let left = events.filter { !expected.lost.contains($0.sequence) }
    #expect(try LedgerCheck.allEvents(of: ledger) == left)
    #expect(try disk.verify().isSound)
    try ledger.upsert(TaskItem(id: "next", body: "Next"))
    #expect(try ledger.lastSequence == UInt64(events.count + 1))
  }

  @Test(arguments: [Loss.zeroedEnd, .cut, .flip])
  func `says that more may be lost where nothing follows the frames of a copy`(
    _ loss: Loss
  ) throws {
    let bench = try BackupBench(sealEvents: 6)
    let (listed, file) = try copy(loss, bench)
    let events = try bench.events
    let intact = try listed.verify().intact
    let disk = try withoutList(listed)
    let active = disk.files.keys.filter {
      $0.hasSuffix(".active") && LedgerNames.closedEnd($0) == nil
    }
    try disk.remove(try #require(active.max()))
    let found = try disk.verify()
    #expect(found.files.first { $0.name == file }?.status.word == "damaged")
    #expect(found.intact == intact && found.uncertainAfter != nil)
    let before = disk.files[file]
    let repair = try disk.repair(configuration: bench.configuration)
    #expect(repair.isNewReplica && repair.uncertainAfter != nil)
    #expect(disk.files.contains { $0.key.hasPrefix("aside/") && $0.value == before })
    let ledger = try bench.open(disk)
    #expect(
      try LedgerCheck.allEvents(of: ledger) == events.filter { intact.contains($0.sequence) })
    #expect(try disk.verify().isSound)
    try ledger.upsert(TaskItem(id: "next", body: "Next"))
  }

  @Test func `names each damaged segment where no list can be made`() throws {
    let bench = try BackupBench(sealEvents: 6)
    let (listed, file) = try copy(.cut, bench)
    let disk = try withoutList(listed)
    // Of two ledgers in one folder nobody knows which one it is.
    let other = try BackupBench(sealEvents: 6).disk
    for (name, bytes) in other.files where name.hasSuffix(".sealed") {
      try disk.overwrite(name, with: bytes)
    }
    let found = try disk.verify()
    #expect(!found.isSound)
    #expect(found.files.first { $0.name == file }?.status.word == "damaged")
    let sealed = found.files.filter { $0.name.hasSuffix(".sealed") }
    #expect(!sealed.isEmpty && sealed.allSatisfy { $0.status.word == "sound" })
    let before = disk.lastingFiles
    let error = #expect(throws: LedgerError.self) {
      try disk.repair(configuration: bench.configuration)
    }
    #expect(error?.code == .damaged && error?.hint?.contains("another ledger") == true)
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
