import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A newer manifest beside CURRENT: an older copy was put back, a step was interrupted, or somebody takes one just now.
@Suite struct `Who opens a ledger to read` {
  private static var configuration: LedgerConfiguration {
    var configuration = LedgerConfiguration.forTests(sealEvents: 3)
    configuration.lockTimeoutMilliseconds = 0
    return configuration
  }

  private static func open(_ directory: any LedgerDirectory) throws -> Ledger {
    try Ledger(directory, author: "reader", configuration: configuration)
  }

  private static func append(_ count: Int, to ledger: Ledger) throws {
    for _ in 0..<count { try ledger.upsert(TaskItem(body: "More")) }
  }

  /// A ledger of eleven events under a copy of it that has `count`.
  private static func putBack(_ count: Int) throws -> TestDisk {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(count, to: ledger)
    let copy = disk.files
    try append(11 - count, to: ledger)
    for (file, bytes) in copy { try disk.overwrite(file, with: bytes) }
    return disk
  }

  /// What an interrupted step leaves: a manifest that CURRENT does not name.
  private static func interrupted() throws -> TestDisk {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(2, to: ledger)
    let all = try disk.disks(beforeCallsOf: { try append(3, to: ledger) }, tearings: 0)
    let left = all.last { $0.call.kind == .rename && $0.call.newName == LedgerNames.current }?.disk
    return try #require(left)
  }

  @Test func `lists the folder once more than it takes to open it, and on no read after that`()
    throws
  {
    let disk = TestDisk()
    try Self.append(7, to: disk.create(configuration: Self.configuration))
    let begin = disk.faults.trace.calls.count
    _ = try LogOpening.open(disk.faults, pool: ZstdPool())
    let plain = disk.faults.trace.after(begin).calls
    let start = disk.faults.trace.calls.count
    let ledger = try disk.open()
    let calls = disk.faults.trace.after(start).calls
    #expect(calls.dropLast().map(\.kind) == plain.map(\.kind))
    #expect(calls.last?.kind == .list && calls.last?.name.isEmpty == true)
    let opened = disk.faults.trace.calls.count
    #expect(try ledger.tasks().count == 7)
    #expect(disk.faults.trace.after(opened).count(.list) == 0)
  }

  @Test func `is told of a list that is out of date as who writes is, whoever holds the lock`()
    throws
  {
    for count in 0...5 {
      let disk = try Self.putBack(count)
      let lock = try disk.faults.open(LedgerNames.lock, .readWrite)
      for isLocked in [false, true] {
        if isLocked { #expect(try lock.tryLock(.exclusive)) }
        let error = #expect(throws: LedgerError.self, "\(count) events") { try disk.open() }
        #expect(error?.code == .damaged, "\(count) events")
        #expect(error?.message.hasPrefix("CURRENT is out of date") == true, "\(count) events")
        #expect(error?.hint == LedgerError.repairHint, "\(count) events")
      }
      lock.close()
      try disk.repair(configuration: Self.configuration)
      #expect(try disk.open().lastSequence == 11, "\(count) events")
    }
  }

  @Test func `reads where the folder cannot be listed`() throws {
    let disk = TestDisk()
    try Self.append(7, to: disk.create(configuration: Self.configuration))
    disk.faults.arm(FaultPlan(fail: 1, of: [.list]))
    #expect(try disk.open().tasks().count == 7)
    #expect(disk.faults.faultsMet == 1)
  }

  @Test func `reads in the middle of any step of a writer`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: Self.configuration)
    let met = Guarded(0)
    disk.faults.onCall { [memory = disk.memory] call in
      do {
        let reader = try Self.open(memory)
        #expect(try reader.tasks().count == Int(reader.lastSequence), "before \(call)")
        if try memory.hasNewerManifest { met.withLock { $0 += 1 } }
      } catch {
        Issue.record(error, "before \(call)")
      }
    }
    try Self.append(20, to: ledger)
    _ = try ledger.snapshot()
    _ = try ledger.compact()
    try Self.append(4, to: ledger)
    _ = try ledger.compact(.fold(before: .sequence(12)))
    disk.faults.onCall(nil)
    #expect(met.withLock { $0 } > 20)
  }

  @Test(arguments: [1, 4, 9])
  func `reads while others go on between any two of its calls`(_ events: Int) throws {
    let start = try Self.interrupted()
    #expect(try start.memory.hasNewerManifest)
    var overtaken = 0
    for number in 1...200 {
      let disk = start.processKilled()
      let writer = try disk.open(configuration: Self.configuration)
      let calls = Guarded(0)
      let watched = FaultDirectory(disk.memory)
      watched.onCall { _ in
        let isDue = calls.withLock { calls in
          calls += 1
          return calls == number
        }
        guard isDue else { return }
        do {
          try Self.append(events, to: writer)
          _ = try writer.compact()
        } catch let error as LedgerError where error.code == .busy {
          // The reader holds the lock, shared.
        }
      }
      let reader = try Self.open(watched)
      watched.onCall(nil)
      guard calls.withLock({ $0 }) >= number else { break }
      overtaken += 1
      #expect(try reader.tasks().count == Int(reader.lastSequence), "before call \(number)")
      let expected = try writer.lastSequence
      #expect(try reader.lastSequence == expected, "before call \(number)")
    }
    #expect(overtaken > 20)
  }

  @Test func `is never refused beside writers that rotate, seal, merge and fold all the time`()
    throws
  {
    try withTemporaryFolder { path in
      let folder = "\(path)/tasks.ledger"
      var configuration = LedgerConfiguration.forTests(sealEvents: 2)
      // However slow the machine, nobody gives up.
      configuration.lockTimeoutMilliseconds = 600_000
      _ = try Ledger.create(at: folder, configuration: configuration)
      let running = Guarded(2)
      let opened = Guarded(0)
      inParallel(5) { [configuration] number in
        do {
          if number < 2 {
            defer { running.withLock { $0 -= 1 } }
            let ledger = try Ledger.open(at: folder, configuration: configuration)
            for step in 1...40 {
              try Self.append(1, to: ledger)
              if number == 0, step % 8 == 0 { _ = try ledger.compact() }
              guard number == 0, step % 20 == 0 else { continue }
              _ = try ledger.compact(.fold(before: .sequence(UInt64(step / 2))))
            }
          } else {
            repeat {
              let ledger = try Ledger.open(
                at: folder, createIfMissing: false, configuration: configuration)
              let last = try ledger.lastSequence
              #expect(try ledger.at(.sequence(last)).tasks().count == Int(last))
              opened.withLock { $0 += 1 }
            } while running.withLock { $0 } > 0
          }
        } catch {
          Issue.record(error)
        }
      }
      #expect(opened.withLock { $0 } >= 3)
      #expect(try Ledger.open(at: folder).tasks().count == 80)
    }
  }
}

extension MemoryDirectory {
  /// Whether a manifest lies there that was made after the one that CURRENT names.
  fileprivate var hasNewerManifest: Bool {
    get throws {
      let files = contents()
      let current = try CurrentFile(files[LedgerNames.current] ?? []).manifestNumber
      return files.keys.contains { LedgerNames.manifestNumber($0).map { $0 > current } ?? false }
    }
  }
}
