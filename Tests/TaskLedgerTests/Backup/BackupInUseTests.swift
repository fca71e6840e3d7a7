import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A ledger that others write to and compact while it is backed up.
@Suite struct `A backup of a ledger in use` {
  @Test func `is a prefix of the log with all that was acknowledged before`() throws {
    var configuration = LedgerConfiguration.forTests(sealEvents: 6)
    configuration.lockTimeoutMilliseconds = 60_000
    let disk = TestDisk()
    _ = try disk.create(configuration: configuration)
    let book = Bookkeeper()
    let isOver = Guarded(false)
    let errors = Guarded<[String]>([])
    let backups = Guarded<[(disk: TestDisk, acknowledged: Int, sequence: UInt64)]>([])
    let settings = configuration
    inParallel(3) { number in
      do {
        // Each as a process of its own.
        let ledger = try disk.open(configuration: settings)
        switch number {
        case 0:
          for step in 0..<150 {
            try book.transaction(ledger) { transaction in
              try transaction.upsert(TaskItem(id: TaskID("task \(step % 20)"), body: "\(step)"))
              if step % 3 == 0 { try transaction.toggle(TaskID("task \(step % 20)")) }
            }
          }
          isOver.withLock { $0 = true }
        case 1:
          while !isOver.withLock({ $0 }) {
            do throws(LedgerError) { try ledger.compact() } catch {
              if error.code != .busy { throw error }
            }
          }
        default:
          let target = TestDisk()
          var isLast = false
          while !isLast {
            isLast = isOver.withLock { $0 }
            let acknowledged = book.acknowledgedCount
            let backup = try ledger.backup(to: target.faults)
            backups.withLock { $0.append((target.processKilled(), acknowledged, backup.sequence)) }
          }
        }
      } catch {
        errors.withLock { $0.append("\(number): \(error)") }
        isOver.withLock { $0 = true }
      }
    }
    #expect(errors.withLock { $0 } == [])
    let events = try LedgerCheck.allEvents(of: try disk.open())
    let made = backups.withLock { $0 }
    print("\(made.count) backups of a ledger in use, of \(Set(made.map(\.sequence)).count) moments")
    #expect(made.last?.sequence == UInt64(events.count))
    let entries = book.entries
    // All of them would take long: the first ones, the last one, some between.
    for (place, backup) in made.enumerated()
    where place < 10 || place % 7 == 0 || place == made.count - 1 {
      let copy = try backup.disk.open()
      let found = try LedgerCheck.allEvents(of: copy)
      #expect(found == Array(events.prefix(found.count)) && UInt64(found.count) == backup.sequence)
      #expect(try copy.replay().digest == StateModel.digest(found))
      #expect(try backup.disk.verify().isSound)
      let last = entries.prefix(backup.acknowledged).last?.events.last?.sequence ?? 0
      #expect(backup.sequence >= last)
    }
  }

  @Test func `is not in the way of a writer: its lock is free while files are copied`() throws {
    let bench = try BackupBench()
    let ledger = try bench.open()
    let writer = try bench.open(TestDisk(bench.disk.memory))
    let target = TestDisk()
    let written = Guarded(0)
    target.faults.onCall { call in
      guard call.kind == .create, call.name.hasSuffix(".draft"), call.name.hasPrefix("segments/")
      else { return }
      try writer.upsert(TaskItem(id: "meanwhile", body: "\(call.number)"))
      written.withLock { $0 += 1 }
    }
    let count = try ledger.lastSequence
    let backup = try ledger.backup(to: target.faults)
    target.faults.onCall(nil)
    #expect(written.withLock { $0 } > 2)
    // Nothing of what came meanwhile is in it.
    #expect(backup.sequence == count)
    #expect(try ledger.lastSequence > count)
    #expect(try bench.open(target).task("meanwhile") == nil)
    #expect(try ledger.backup(to: target.faults).sequence == ledger.lastSequence)
  }

  @Test func `holds nothing that the ledger can still lose`() throws {
    let bench = try BackupBench()
    // Somebody died between the write and the sync of an append.
    let disk = bench.disk.processKilled()
    let dying = try bench.open(disk)
    disk.faults.onCall { call in if call.kind == .sync { throw LedgerError(.io, "killed") } }
    #expect(throws: LedgerError.self) { try dying.upsert(TaskItem(id: "late", body: "unsynced")) }
    disk.faults.onCall(nil)
    let left = disk.processKilled()
    let target = TestDisk()
    let backup = try bench.open(left).backup(to: target.faults)
    let after = try LedgerCheck.allEvents(of: bench.open(left.powerCut()))
    #expect(UInt64(after.count) == backup.sequence)
    try bench.expectPrefix(target, after, [after.count])
  }

  @Test func `can be read at every call of the next run, as it was or as it will be`() throws {
    let bench = try BackupBench()
    let target = TestDisk()
    let before = try bench.open().backup(to: target.faults).sequence
    try bench.append(3)
    let ledger = try bench.open()
    let reader = TestDisk(target.memory)
    let seen = Guarded<Set<UInt64>>([])
    let failures = Guarded<[String]>([])
    target.faults.onCall { call in
      do {
        let last = try bench.open(reader).lastSequence
        seen.withLock { _ = $0.insert(last) }
      } catch {
        failures.withLock { $0.append("\(call): \(error)") }
      }
    }
    let after = try ledger.backup(to: target.faults).sequence
    target.faults.onCall(nil)
    #expect(failures.withLock { $0 } == [])
    #expect(seen.withLock { $0 } == [before, after])
  }

  @Test func `excludes another one to the same folder`() throws {
    let bench = try BackupBench()
    let (ledger, other) = (try bench.open(), try bench.open(TestDisk(bench.disk.memory)))
    let target = TestDisk()
    let code = Guarded<LedgerError.Code?>(nil)
    target.faults.onCall { [memory = target.memory] call in
      guard call.kind == .rename, call.name.hasPrefix("segments/") else { return }
      do throws(LedgerError) { try other.backup(to: memory) } catch {
        code.withLock { $0 = error.code }
      }
    }
    try ledger.backup(to: target.faults)
    #expect(code.withLock { $0 } == .busy)
  }
}
