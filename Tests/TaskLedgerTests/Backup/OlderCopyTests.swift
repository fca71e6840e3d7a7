import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// `cp -r old-backup/. backup/`: CURRENT names an older list, and the newer one lies beside it.
@Suite struct `A backup under an older copy of it` {
  private let bench: BackupBench
  /// The older copy over the newer backup.
  private let mixed: TestDisk
  private let older: TestDisk
  private let newerList: String

  init() throws {
    bench = try BackupBench()
    let backup = TestDisk()
    try bench.open().backup(to: backup.faults)
    older = backup.processKilled()
    // One run later is the closest that an older copy comes.
    try bench.append(3)
    try bench.open().backup(to: backup.faults)
    newerList = try #require(backup.files.keys.filter { $0.hasPrefix("MANIFEST") }.max())
    for (file, bytes) in older.files { try backup.overwrite(file, with: bytes) }
    mixed = backup
  }

  private func restore(_ disk: TestDisk) throws(LedgerError) -> LedgerRestoration {
    try Ledger.restore(
      from: disk.faults, to: TestDisk().faults, configuration: bench.configuration)
  }

  @Test func `is not restored as if it were all there is, and verify names the newer list`() throws
  {
    let error = #expect(throws: LedgerError.self) { try restore(mixed) }
    #expect(error?.code == .damaged && error?.message.contains(newerList) == true)
    #expect(error?.hint?.contains("`ledger backup`") == true)
    let copied = #expect(throws: LedgerError.self) {
      try bench.open(mixed).backup(to: TestDisk().faults)
    }
    #expect(copied?.code == .damaged)
    let found = try mixed.verify()
    #expect(!found.isSound)
    #expect(found.files.filter { $0.fault != nil }.map(\.name) == ["CURRENT"])
    #expect(found.files.first { $0.fault != nil }?.fault?.message.contains(newerList) == true)
    #expect(found.intact == SequenceRanges(1...(try bench.open().lastSequence)))
    #expect(try restore(older).sequence < bench.open().lastSequence)
  }

  @Test func `is brought up to date by the next run`() throws {
    try bench.append(1)
    let events = try bench.events
    try bench.open().backup(to: mixed.faults)
    try bench.expectPrefix(mixed, events, [events.count])
    #expect(try restore(mixed).sequence == UInt64(events.count))
    #expect(mixed.files[newerList] == nil)
  }

  @Test func `keeps its events from a ledger that went back, too`() throws {
    let ledger = TestDisk()
    _ = try Ledger.restore(
      from: older.faults, to: ledger.faults, configuration: bench.configuration)
    let before = mixed.lastingFiles
    let error = #expect(throws: LedgerError.self) {
      try bench.open(ledger).backup(to: mixed.faults)
    }
    #expect(error?.code == .alreadyExists && error?.cause?.contains(newerList) == true)
    #expect(mixed.holds(before))
  }

  @Test func `is repaired where the ledger is gone, with all that the newer list has`() throws {
    let events = try bench.events
    let before = mixed.files
    let plan = try Ledger.repairPlan(mixed.faults, bench.configuration)
    #expect(mixed.files == before)
    #expect(plan.steps.first?.part == .manifest(from: newerList))
    let repair = try mixed.repair(configuration: bench.configuration)
    #expect(repair.lost.isEmpty && !repair.isNewReplica)
    #expect(try mixed.verify().isSound)
    try bench.expectPrefix(mixed, events, [events.count])
    let restored = TestDisk()
    _ = try Ledger.restore(
      from: mixed.faults, to: restored.faults, configuration: bench.configuration)
    #expect(try LedgerCheck.allEvents(of: bench.open(restored)) == events)
    // It stays a backup, and goes on with the ledger, should that be there after all.
    #expect(throws: LedgerError.self) { try bench.open(mixed).upsert(TaskItem(body: "new")) }
    try bench.append(1)
    try bench.open().backup(to: mixed.faults)
    try bench.expectPrefix(mixed, bench.events, [events.count + 1])
  }

  @Test func `is repaired as far as the files of the newer list go`() throws {
    let events = try bench.events
    let listed = try Manifest(try #require(mixed.files[newerList]))
    var losses = 0
    let end = try bench.open(older).lastSequence
    for entry in listed.segments.dropLast() where entry.hasFile {
      let disk = mixed.processKilled()
      try disk.remove(LedgerNames.inSegments(entry.file))
      let context: Comment = "\(entry.file)"
      let found = try disk.verify()
      let repair = try disk.repair(configuration: bench.configuration)
      #expect(repair.lost == found.lost, context)
      losses += found.lost.isEmpty ? 0 : 1
      // What is in files of the older copy, too, is not lost.
      if entry.lastSequence <= end {
        #expect(
          found.lost.isEmpty == !older.files.keys.contains(LedgerNames.inSegments(entry.file)),
          context)
      }
      #expect(try disk.verify().isSound, context)
      let restored = TestDisk()
      _ = try Ledger.restore(
        from: disk.faults, to: restored.faults, configuration: bench.configuration)
      #expect(
        try LedgerCheck.allEvents(of: bench.open(restored))
          == events.filter { !found.lost.contains($0.sequence) }, context)
      try bench.open().backup(to: disk.faults)
      #expect(try disk.verify().lostBefore.isEmpty, context)
    }
    #expect(losses > 1)
  }

  @Test func `is not repaired where the older one is of another history`() throws {
    let other = TestDisk()
    _ = try Ledger.restore(
      from: older.faults, to: other.faults, configuration: bench.configuration)
    let ledger = try bench.open(other)
    try ledger.upsert(TaskItem(id: "other", body: "Another history"))
    let copy = TestDisk()
    try ledger.backup(to: copy.faults)
    let disk = mixed.processKilled()
    for (file, bytes) in copy.files { try disk.overwrite(file, with: bytes) }
    let before = disk.lastingFiles
    let error = #expect(throws: LedgerError.self) {
      try disk.repair(configuration: bench.configuration)
    }
    #expect(error?.code == .damaged && error?.sentence.contains("another history") == true)
    #expect(disk.holds(before))
  }

  @Test(arguments: [true, false])
  func `is noticed, too, where the run before did not come to its end and the next had nothing new`(
    isKilled: Bool
  ) throws {
    let backup = older.processKilled()
    let steps = Guarded(0)
    let left = Guarded<TestDisk?>(nil)
    backup.faults.onCall { call in
      guard call.kind == .rename, call.name == "CURRENT.draft" else { return }
      let step = steps.withLock { count in
        count += 1
        return count
      }
      guard step == 2 else { return }
      left.withLock { $0 = backup.processKilled() }
      throw LedgerError(.io, "no room for a step")
    }
    let error = #expect(throws: LedgerError.self) { try bench.open().backup(to: backup.faults) }
    #expect(error?.sentence.hasPrefix("the backup is made, but for the step") == true)
    backup.faults.onCall(nil)
    let interrupted = isKilled ? try #require(left.withLock { $0 }) : backup
    #expect(try restore(interrupted).sequence == bench.open().lastSequence)
    try bench.open().backup(to: interrupted.faults)
    for (file, bytes) in older.files { try interrupted.overwrite(file, with: bytes) }
    #expect(throws: LedgerError.self) { try restore(interrupted) }
    #expect(try !interrupted.verify().isSound)
  }

  @Test func `gives what the older one had once the newer list is moved elsewhere`() throws {
    try mixed.remove(newerList)
    #expect(try mixed.verify().isSound)
    #expect(try restore(mixed).logDigest == restore(older).logDigest)
  }
}
