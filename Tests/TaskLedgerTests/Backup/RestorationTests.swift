import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A ledger that is restored from a backup.
@Suite struct `A restored ledger` {
  private let bench: BackupBench
  private let backup = TestDisk()
  private let events: [Event]

  init() throws {
    bench = try BackupBench()
    try bench.open().backup(to: backup.faults)
    events = try bench.events
  }

  @discardableResult
  private func restore(to target: TestDisk) throws(LedgerError) -> LedgerRestoration {
    try Ledger.restore(
      from: backup.faults, to: target.faults, configuration: bench.configuration)
  }

  @Test func `has every event, and is a new replica that goes on from there`() throws {
    let target = TestDisk()
    let restored = try restore(to: target)
    let ledger = try bench.open(target)
    #expect(LedgerCheck.problems(ledger, bench.book.entries) == [])
    let (old, new) = (try bench.open().statistics(), try ledger.statistics())
    #expect(old.ledger == new.ledger && old.replica != new.replica)
    #expect(restored.source == old.replica && restored.replica == new.replica)
    #expect(restored.sequence == UInt64(events.count))
    #expect(try target.verify().logDigest == restored.logDigest)
    // Both go on: the same place in the log, other events.
    try ledger.toggle("milk")
    try bench.open().toggle("milk")
    let (here, there) = (
      try LedgerCheck.allEvents(of: ledger).last, try LedgerCheck.allEvents(of: bench.open()).last
    )
    #expect(here?.sequence == there?.sequence && here?.stamp != there?.stamp)
    #expect(here?.stamp.replica.description == new.replica && here?.stamp.count == 1)
    try expectSound(target)
  }

  @Test func `says where it is from, and is no backup`() throws {
    let target = TestDisk()
    try restore(to: target)
    let records = try bench.open(target).statistics().maintenance
    #expect(records.map(\.kind).filter { ["backup", "restored"].contains($0) } == ["restored"])
    #expect(records.last?.follows == UInt64(events.count))
    let details = Dictionary(
      uniqueKeysWithValues: (records.last?.details ?? []).map { ($0.name, $0.value) })
    #expect(details["from"] == (try bench.open().statistics().replica))
    #expect(details["sequence"] == "\(events.count)")
  }

  @Test(arguments: [true, false])
  func `is sound, and told of, where what was moved aside is altered in the backup`(
    _ isThere: Bool
  ) throws {
    let disk = bench.disk.processKilled()
    let active = try #require(disk.files.keys.filter { $0.hasSuffix(".active") }.max())
    var bytes = try #require(disk.files[active])
    let end = try #require(bytes.lastIndex { $0 != 0 })
    bytes[end] ^= 1
    try disk.overwrite(active, with: bytes)
    try disk.remove("LOCK")
    try bench.open(disk).toggle("milk")
    let kept = try #require(disk.files.keys.first { $0.hasPrefix("aside/") })
    isThere ? try disk.overwrite(kept, with: [1, 2, 3]) : try disk.remove(kept)
    let target = TestDisk()
    let restored = try Ledger.restore(
      from: disk.faults, to: target.faults, configuration: bench.configuration)
    #expect(restored.altered.map(\.file) == [kept])
    try expectSound(target)
  }

  @Test func `seals, merges, folds and is backed up like any other`() throws {
    let target = TestDisk()
    try restore(to: target)
    let ledger = try bench.open(target)
    for number in 1...12 { try ledger.upsert(TaskItem(id: "own", body: "\(number)")) }
    try ledger.sealNow()
    try ledger.compact()
    let digest = try ledger.replay().digest
    #expect(try target.verify().isSound)
    let all = try LedgerCheck.allEvents(of: ledger)
    #expect(Array(all.prefix(events.count)) == events)
    #expect(all.map(\.stamp.count).suffix(12) == Array(1...12)[...])
    // The backup that it was restored from goes on with it.
    #expect(try ledger.backup(to: backup.faults).sequence == UInt64(all.count))
    try bench.expectPrefix(backup, all, [all.count])
    // The original cannot go on with it any more.
    try bench.append(20)
    #expect(throws: LedgerError.self) { try bench.open().backup(to: backup.faults) }
    try ledger.compact(.fold(before: .sequence(10)))
    #expect(try ledger.replay().digest == digest)
    let second = TestDisk()
    try restore(to: second)
    #expect(try bench.open(second).replay().digest == digest)
  }

  @Test func `is restored a second time as another replica again`() throws {
    let (first, second) = (TestDisk(), TestDisk())
    let a = try restore(to: first)
    let b = try restore(to: second)
    #expect(a.replica != b.replica && a.logDigest == b.logDigest)
  }

  @Test func `can be made of a ledger, too`() throws {
    let target = TestDisk()
    try Ledger.restore(
      from: bench.disk.faults, to: target.faults, configuration: bench.configuration)
    #expect(LedgerCheck.problems(try bench.open(target), bench.book.entries) == [])
  }

  @Test func `never overwrites anything`() throws {
    let ledger = TestDisk()
    _ = try ledger.create(configuration: bench.configuration)
    let foreign = TestDisk()
    try foreign.overwrite("notes.txt", with: [1])
    let lost = bench.disk.processKilled()
    try lost.remove(LedgerNames.current)
    for target in [ledger, foreign, lost, backup] {
      let before = target.lastingFiles
      let error = #expect(throws: LedgerError.self) { try restore(to: target) }
      #expect([.alreadyExists, .damaged].contains(error?.code))
      #expect(target.holds(before))
    }
  }

  @Test func `that lost its CURRENT is not taken for a restoration that was interrupted`() throws {
    let target = TestDisk()
    try restore(to: target)
    try bench.open(target).upsert(TaskItem(id: "own", body: "mine"))
    try target.remove(LedgerNames.current)
    let before = target.lastingFiles
    let error = #expect(throws: LedgerError.self) { try restore(to: target) }
    #expect(error?.code == .damaged)
    #expect(target.holds(before))
  }

  @Test func `that lost its CURRENT before it was written to is repaired, not restored over`()
    throws
  {
    let target = TestDisk()
    try restore(to: target)
    let digest = try bench.open(target).replay().digest
    try target.remove(LedgerNames.current)
    let other = TestDisk()
    let stranger = TestDisk()
    try other.create(configuration: bench.configuration).backup(to: stranger.faults)
    for source in [backup, stranger] {
      let error = #expect(throws: LedgerError.self) {
        try Ledger.restore(
          from: source.faults, to: target.faults, configuration: bench.configuration)
      }
      #expect(error?.code == .damaged)
    }
    #expect(try target.repair(configuration: bench.configuration).lost.isEmpty)
    #expect(try bench.open(target).replay().digest == digest)
    #expect(try target.verify().isSound)
  }
}

/// A restoration that is interrupted: there is no ledger, or all of it.
@Suite struct `A restoration that is interrupted` {
  private let bench: BackupBench
  private let backup = TestDisk()
  private let events: [Event]

  init() throws {
    bench = try BackupBench()
    try bench.open().backup(to: backup.faults)
    events = try bench.events
  }

  private func restore(to target: TestDisk) throws(LedgerError) {
    _ = try Ledger.restore(
      from: backup.faults, to: target.faults, configuration: bench.configuration)
  }

  /// There is no ledger, and the next run makes it; or there is all of it.
  private func check(_ target: TestDisk, isDone: Bool = false, _ context: Comment) throws {
    do {
      _ = try bench.open(target)
    } catch let error as LedgerError where error.code == .damaged {
      // A power cut in the last step took both names of CURRENT.
      #expect(!isDone && target.files[LedgerNames.currentDraft] == nil, "\(context): \(error)")
      #expect(try target.repair(configuration: bench.configuration).lost.isEmpty, context)
    } catch let error as LedgerError {
      #expect(error.code == .notFound && !isDone, "\(context): \(error)")
      // Nothing else is made where a restoration was under way.
      if error.message.contains("restoration") {
        let refusal = #expect(throws: LedgerError.self) {
          _ = try target.processKilled().create(configuration: bench.configuration)
        }
        #expect(refusal?.code == .alreadyExists, context)
      }
      let files = target.files.keys.sorted()
      #expect(throws: Never.self, "\(context): \(files)") { try restore(to: target) }
    }
    try bench.expectPrefix(target, events, [events.count], context)
    #expect(try bench.leftOver(target) == [], context)
    // A power cut may take one half of a rename; the next step removes what is left of the other.
    let drafts = target.files.keys.filter { $0.contains("draft") }
    #expect(drafts.allSatisfy { $0 == LedgerNames.currentDraft }, context)
    let refusal = #expect(throws: LedgerError.self, context) { try restore(to: target) }
    #expect(refusal?.code == .alreadyExists, context)
  }

  @Test(arguments: FaultKind.allCases)
  func `by a call that fails leaves no ledger or all of it`(_ kind: FaultKind) throws {
    var n = 1
    var isMet = true
    while isMet {
      let target = TestDisk()
      target.faults.arm(kind.plan(n))
      let isDone = (try? restore(to: target)) != nil
      target.faults.disarm()
      isMet = target.faults.faultsMet > 0
      #expect(isDone || isMet)
      for left in kind.lefts(of: target, n) {
        try check(left, isDone: isDone, "\(kind), call \(n)")
      }
      n += 1
    }
    print("a restoration: \(kind) at each of \(n - 2) calls")
    #expect(n > 3)
  }

  @Test func `by a power cut at any call leaves no ledger or all of it`() throws {
    let target = TestDisk()
    let all = try target.disks(beforeCallsOf: { try restore(to: target) }, tearings: 1)
    #expect(all.count > 60)
    for (call, left) in all { try check(left, "before \(call)") }
  }

  @Test func `and whose cleaning is interrupted, too, is still known as that`() throws {
    let target = TestDisk()
    // A disk that dies when the last segment was copied.
    let copies = try bench.open(backup).statistics().segments.count { $0.events > 0 }
    target.faults.arm(FaultPlan(fail: copies, of: [.rename], named: "segments/", lasting: .forever))
    target.faults.onCall { call in
      // It cannot even tidy up.
      if call.kind == .unlink, call.name.hasSuffix(".sealed") { throw LedgerError(.io, "gone") }
    }
    #expect(throws: LedgerError.self) { try restore(to: target) }
    target.faults.disarm()
    target.faults.onCall(nil)
    #expect(target.files.keys.contains { $0.hasSuffix(".sealed") })
    let left = target.powerCut()
    let all = try left.disks(beforeCallsOf: { try restore(to: left) }, tearings: 2)
    for (call, disk) in all { try check(disk, "before \(call)") }
  }
}
