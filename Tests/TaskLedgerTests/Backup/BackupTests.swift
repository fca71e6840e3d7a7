import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A backup of a ledger.
@Suite struct `A backup` {
  private let bench: BackupBench
  private let target = TestDisk()

  init() throws { bench = try BackupBench() }

  @Test func `holds every event, is sound, and reads like the ledger`() throws {
    let ledger = try bench.open()
    let backup = try ledger.backup(to: target.faults)
    let events = try bench.events
    try bench.expectPrefix(target, events, [events.count])
    #expect(backup.sequence == UInt64(events.count))
    #expect(try target.verify().logDigest == backup.logDigest)
    #expect(try bench.disk.verify().logDigest == backup.logDigest)
    #expect(backup.copiedFiles == backup.files && backup.copiedBytes == backup.bytes)
    let copy = try bench.open(target)
    #expect(try copy.tasks() == ledger.tasks())
    #expect(try copy.audit("milk").map(\.event) == ledger.audit("milk").map(\.event))
    #expect(try copy.statistics().maintenance.map(\.kind).contains("tail-moved-aside"))
    #expect(try bench.leftOver(target) == [])
  }

  @Test func `that is made again copies only what is new`() throws {
    let ledger = try bench.open()
    let first = try ledger.backup(to: target.faults)
    let before = target.lastingFiles
    let again = try ledger.backup(to: target.faults)
    #expect(again.copiedFiles == 0 && again.copiedBytes == 0)
    #expect(again.files == first.files && again.sequence == first.sequence)
    #expect(target.holds(before))
    let sealed = before.keys.filter { $0.hasSuffix(".sealed") }.map { $0 + ".draft" }
    try bench.append(1)
    let trace = target.faults.trace.calls.count
    let more = try ledger.backup(to: target.faults)
    #expect(more.copiedFiles == 1 && more.sequence == first.sequence + 1)
    // What is sealed is not written again.
    let written = Set(target.faults.trace.calls[trace...].filter { $0.kind == .write }.map(\.name))
    #expect(!sealed.isEmpty && written.isDisjoint(with: sealed))
    let events = try bench.events
    try bench.expectPrefix(target, events, [events.count])
    #expect(try bench.leftOver(target) == [])
  }

  @Test func `follows sealing, merging and folding`() throws {
    let ledger = try bench.open()
    try ledger.backup(to: target.faults)
    try bench.append(3)
    try ledger.compact()
    try ledger.backup(to: target.faults)
    let events = try bench.events
    try bench.expectPrefix(target, events, [events.count])
    #expect(try bench.leftOver(target) == [])
    try ledger.compact(.fold(before: .sequence(6)))
    let before = target.files
    let error = #expect(throws: LedgerError.self) { try ledger.backup(to: target.faults) }
    #expect(error?.code == .alreadyExists)
    #expect(error?.hint?.contains("--follow-fold") == true)
    #expect(target.files == before)
    try ledger.backup(to: target.faults, followsFold: true)
    // Nothing more was folded since.
    try ledger.backup(to: target.faults)
    let copy = try bench.open(target)
    #expect(try copy.statistics().segments[0].kind == "baseline")
    #expect(try copy.replay().digest == ledger.replay().digest)
    #expect(try target.verify().isSound)
    #expect(try bench.leftOver(target) == [])
  }

  @Test func `ends inside a segment that the ledger has merged since, and goes on`() throws {
    let ledger = try bench.open()
    try ledger.backup(to: target.faults)
    let end = try ledger.lastSequence
    try bench.append(7)
    try ledger.sealNow()
    try ledger.compact()
    let segment = try ledger.statistics().segments[0]
    #expect(segment.firstSequence <= end && segment.firstSequence + segment.events > end + 1)
    try ledger.backup(to: target.faults)
    let events = try bench.events
    try bench.expectPrefix(target, events, [events.count])
  }

  @Test func `of a ledger without events is one`() throws {
    let empty = TestDisk()
    let ledger = try empty.create(configuration: bench.configuration)
    let backup = try ledger.backup(to: target.faults)
    #expect(backup.sequence == 0 && backup.files == 0)
    #expect(try bench.open(target).lastSequence == 0)
    try ledger.upsert(TaskItem(id: "a", body: "First"))
    #expect(try ledger.backup(to: target.faults).sequence == 1)
    #expect(try bench.open(target).task("a")?.body == "First")
  }

  @Test func `is not written to`() throws {
    try bench.open().backup(to: target.faults)
    let before = target.lastingFiles
    let copy = try bench.open(target)
    let attempts: [() throws -> Void] = [
      { try copy.upsert(TaskItem(body: "one more")) },
      { try copy.toggle("milk") },
      { _ = try copy.snapshot() },
      { try copy.compact() },
      { try copy.compact(.fold(before: .sequence(6))) },
      { _ = try copy.maintain() },
      { try copy.sealNow() },
    ]
    for attempt in attempts {
      let error = #expect(throws: LedgerError.self) { try attempt() }
      #expect(error?.code == .invalid)
      #expect(error?.hint?.contains("ledger --ledger NEW restore --from BACKUP") == true)
    }
    try copy.finishLoad(isLong: false)
    #expect(target.holds(before))
  }

  @Test func `can be backed up again, as the same`() throws {
    try bench.open().backup(to: target.faults)
    let other = TestDisk()
    let copy = try bench.open(target).backup(to: other.faults)
    let events = try bench.events
    #expect(copy.sequence == UInt64(events.count))
    try bench.expectPrefix(other, events, [events.count])
  }

  @Test func `is made by somebody who may only read, of what is durable`() throws {
    let ledger = try bench.open()
    let events = try bench.events
    bench.disk.faults.onCall { call in
      guard call.name == LedgerNames.lock || call.kind == .write else { return }
      throw LedgerError(.io, "cannot open it", systemError: EACCES)
    }
    let trace = bench.disk.faults.trace.calls.count
    try ledger.backup(to: target.faults)
    let calls = bench.disk.faults.trace.calls[trace...]
    #expect(calls.contains { $0.kind == .sync && $0.name.hasSuffix(".active") })
    bench.disk.faults.onCall(nil)
    try bench.expectPrefix(target, events, [events.count])
  }

  @Test func `heals a file that was damaged or lost in it`() throws {
    let ledger = try bench.open()
    try ledger.backup(to: target.faults)
    let files = target.files.keys.filter { $0.hasSuffix(".sealed") }.sorted()
    try target.remove(files[0])
    try target.overwrite(files[1], with: Array((target.files[files[1]] ?? []).dropLast(3)))
    let backup = try ledger.backup(to: target.faults)
    #expect(backup.copiedFiles == 2)
    let events = try bench.events
    try bench.expectPrefix(target, events, [events.count])
  }
}

/// What is no place for a backup, and a ledger that is not the one of before.
@Suite struct `A backup is refused` {
  private let bench: BackupBench
  private let target = TestDisk()

  init() throws { bench = try BackupBench() }

  private func expectRefused(
    _ ledger: Ledger, followsFold: Bool = false, _ words: String,
    hint isRight: (String) -> Bool = { _ in true }
  ) throws {
    let before = target.lastingFiles
    let error = #expect(throws: LedgerError.self) {
      try ledger.backup(to: target.faults, followsFold: followsFold)
    }
    #expect(error?.code == .alreadyExists)
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(isRight(error?.hint ?? ""))
    #expect(target.holds(before))
  }

  @Test func `where there is something else`() throws {
    try target.overwrite("notes.txt", with: [1])
    try expectRefused(try bench.open(), "there already is something else")
  }

  @Test func `where there is a ledger`() throws {
    _ = try target.create(configuration: bench.configuration)
    try expectRefused(try bench.open(), "a ledger that is no backup")
    #expect(throws: LedgerError.self) { try bench.open().backup(to: bench.disk.faults) }
  }

  @Test func `where there is a backup of another ledger`() throws {
    let other = try TestDisk().create(configuration: bench.configuration)
    try other.backup(to: target.faults)
    try expectRefused(try bench.open(), "a backup of another ledger")
  }

  @Test func `of a ledger that went back`() throws {
    let old = bench.disk.processKilled()
    try bench.append(2)
    try bench.open().backup(to: target.faults)
    let ledger = try bench.open(old)
    try expectRefused(ledger, "events that the ledger does not have")
    // As many events, but others.
    for number in 1...9 { try ledger.upsert(TaskItem(id: "other", body: "\(number)")) }
    try expectRefused(ledger, "events that the ledger does not have")
    try ledger.compact()
    try expectRefused(ledger, "events that the ledger does not have")
    #expect(try LedgerCheck.allEvents(of: bench.open(target)) == bench.events)
  }

  @Test func `where history was folded beyond its end`() throws {
    let ledger = try bench.open()
    try ledger.backup(to: target.faults)
    let count = Int(try ledger.lastSequence)
    let events = try bench.events
    try bench.append(8)
    try ledger.compact(.fold(before: .sequence(UInt64(count) + 3)))
    try expectRefused(ledger, "is still there") {
      // That would be refused, too.
      !$0.contains("--follow-fold")
    }
    try expectRefused(ledger, followsFold: true, "a history that was folded")
    try bench.expectPrefix(target, events, [count])
  }

  @Test func `inside a transaction`() throws {
    let ledger = try bench.open()
    try ledger.transaction { _ in
      let error = #expect(throws: LedgerError.self) { try ledger.backup(to: target.faults) }
      #expect(error?.code == .invalid)
    }
    #expect(target.files.isEmpty)
  }

  @Test func `of a damaged ledger, and says what is damaged; the backup stays`() throws {
    try bench.open().backup(to: target.faults)
    let events = try bench.events
    try bench.append(20)
    let ledger = try bench.open()
    try ledger.sealNow()
    let file = bench.disk.files.keys.filter { $0.hasSuffix(".sealed") }.max() ?? ""
    var bytes = bench.disk.files[file] ?? []
    bytes[60] ^= 1
    try bench.disk.overwrite(file, with: bytes)
    let error = #expect(throws: LedgerError.self) { try ledger.backup(to: target.faults) }
    #expect(error?.code == .damaged)
    #expect(error?.path?.hasSuffix(file) == true && error?.path?.contains(".draft") == false)
    try bench.expectPrefix(target, events, [events.count])
  }
}
