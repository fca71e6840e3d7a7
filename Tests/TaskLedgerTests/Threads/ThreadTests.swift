import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Sixteen threads of one process.
@Suite struct `Threads that write at once` {
  private static let threads = 16
  private static let each = 12

  @Test func `share syncs, and each transaction is there once`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 10_000))
    let book = Bookkeeper()
    let before = disk.faults.trace.count(.sync)
    // While a sync is under way the others queue what the next one covers.
    disk.faults.onCall { call in if call.kind == .sync { pause(milliseconds: 2) } }
    let errors = run(ledger, book)
    disk.faults.onCall(nil)
    #expect(errors == [])
    #expect(book.acknowledgedCount == Self.threads * Self.each)
    let syncs = disk.faults.trace.count(.sync) - before
    #expect(syncs < Self.threads * Self.each)
    print(
      "\(Self.threads * Self.each) transactions of \(Self.threads) threads shared \(syncs) syncs")
    try expectWhole(disk.powerCut(), book.entries)
  }

  @Test(arguments: [true, false])
  func `rotate and seal without losing any`(_ inBackground: Bool) throws {
    let disk = TestDisk()
    var configuration = LedgerConfiguration.forTests(sealEvents: 7)
    configuration.sealsInBackground = inBackground
    let book = Bookkeeper()
    do {
      let ledger = try disk.create(configuration: configuration)
      // A full segment is closed when the last writer leaves, however fast they are: between the rounds all have left.
      for round in 1...2 { #expect(run(ledger, book, round: round) == []) }
      try ledger.sealNow()
      expectSame(ledger, book.entries)
      #expect(try ledger.statistics().segments.count { $0.kind == "sealed" } > 1)
    }
    #expect(book.acknowledgedCount == 2 * Self.threads * Self.each)
    try expectWhole(disk.powerCut(), book.entries)
  }

  @Test(arguments: 1...6)
  func `all fail behind a failed sync, and what was acknowledged is there`(_ nth: Int) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 10_000))
    let book = Bookkeeper()
    disk.faults.arm(FaultPlan(fail: nth, of: [.sync], effect: .losesPages))
    let errors = run(ledger, book)
    let acknowledged = book.acknowledgedCount
    #expect(acknowledged + errors.count == Self.threads * Self.each)
    #expect(errors.contains(.poisoned))
    #expect(throws: LedgerError.self) { try ledger.upsert(TaskItem(body: "one more")) }
    #expect(book.acknowledgedCount == acknowledged)
    for left in [disk.processKilled(), disk.powerCut(), disk.powerCut(tearing: UInt64(nth))] {
      try expectWhole(left, book.entries, mayHaveTail: true)
    }
  }

  @Test(arguments: 1...6)
  func `go on once a full disk has room`(_ nth: Int) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 40))
    let book = Bookkeeper()
    disk.faults.arm(.diskFull(from: nth * 20, written: 150))
    let attempts = Guarded(0)
    disk.faults.onCall { call in
      // Now and then somebody makes room.
      let attempt = attempts.withLock { attempts in
        if call.kind == .write { attempts += 1 }
        return attempts
      }
      if attempt == nth * 20 + 30 { disk.makeRoom() }
    }
    let errors = run(ledger, book)
    disk.faults.onCall(nil)
    disk.makeRoom()
    #expect(!errors.contains(.poisoned))
    #expect(book.acknowledgedCount + errors.count == Self.threads * Self.each)
    try book.transaction(ledger) { try $0.upsert(TaskItem(body: "one more")) }
    for left in [disk.processKilled(), disk.powerCut()] {
      try expectWhole(left, book.entries, mayHaveTail: true)
    }
  }

  @Test func `are not held up by bodies that throw`() throws {
    struct Refusal: Error {}
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 50))
    let book = Bookkeeper()
    inParallel(Self.threads) { thread in
      for number in 0..<Self.each {
        do {
          if number % 3 == 0 {
            // A group that is given up with a whole transaction in it.
            try ledger.appendGroup { group in
              try group.transaction(author: "tester") { _ = try $0.upsert(TaskItem(body: "never")) }
              throw Refusal()
            }
          }
          try book.transaction(ledger) { transaction in
            try transaction.upsert(TaskItem(id: TaskID("\(thread)/\(number)"), body: "kept"))
            if number % 3 == 1 { throw Refusal() }
          }
        } catch is Refusal {
        } catch {
          Issue.record(error)
        }
      }
    }
    try expectWhole(disk.powerCut(), book.entries)
  }

  @Test func `are read beside`() throws {
    let disk = TestDisk()
    var configuration = LedgerConfiguration.forTests(sealEvents: 9)
    configuration.sealsInBackground = true
    let ledger = try disk.create(configuration: configuration)
    let book = Bookkeeper()
    let isDone = Guarded(false)
    inParallel(6) { thread in
      if thread < 3 {
        for number in 0..<30 { append(ledger, book, "\(thread)/\(number)") }
        isDone.withLock { $0 = true }
      } else {
        // A handle of its own, or that of the writers.
        do {
          readUntil(isDone, thread == 3 ? ledger : try disk.open())
        } catch {
          Issue.record(error)
        }
      }
    }
    expectSame(ledger, book.entries)
  }

  /// Appends on all threads at once; the codes of the errors.
  private func run(_ ledger: Ledger, _ book: Bookkeeper, round: Int = 1) -> [LedgerError.Code] {
    let errors = Guarded<[LedgerError.Code]>([])
    inParallel(Self.threads) { thread in
      for number in 0..<Self.each {
        do {
          try book.transaction(ledger) { transaction in
            let id = try TaskID("task \(round)/\(thread)/\(number)")
            try transaction.upsert(TaskItem(id: id, body: "Shared"))
            if number % 4 == 0 {
              try transaction.upsert(TaskItem(id: "hot", body: "\(round)/\(thread)"))
            }
          }
        } catch {
          errors.withLock { $0.append(LedgerError.wrapping(error).code) }
        }
      }
    }
    return errors.withLock { $0 }
  }
}

private func append(_ ledger: Ledger, _ book: Bookkeeper, _ name: String) {
  do {
    try book.transaction(ledger) { transaction in
      try transaction.upsert(TaskItem(id: TaskID(name), body: "New"))
      try transaction.toggle(TaskID(name))
    }
  } catch {
    Issue.record(error)
  }
}

/// Reads in every way; what was seen never goes away, and transactions are whole.
private func readUntil(_ isDone: Guarded<Bool>, _ reader: Ledger) {
  var last: UInt64 = 0
  repeat {
    do {
      let seen = try reader.lastSequence
      #expect(seen >= last && seen % 2 == 0)
      last = seen
      let events = try LedgerCheck.allEvents(of: reader)
      #expect(events.count >= Int(seen) && events.count % 2 == 0)
      let listed = try reader.tasks().count
      #expect(listed >= Int(seen) / 2)
      #expect(try reader.replay().events >= seen)
    } catch {
      Issue.record(error)
    }
  } while !isDone.withLock { $0 }
}
