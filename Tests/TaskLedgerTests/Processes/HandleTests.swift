import LedgerTestSupport
import TaskLedger
import Testing

/// Handles on one folder of the disk exclude each other as processes do: flock(2) knows open files, not processes.
@Suite struct `Several handles on one folder` {
  @Test func `write and read at once, and everything is there once, in one order`() throws {
    try withTemporaryFolder { path in
      let book = Bookkeeper()
      _ = try Ledger.create(at: "\(path)/tasks.ledger", configuration: Self.configuration)
      let running = Guarded(8)
      let notices = Guarded<[String]>([])
      inParallel(12) { number in
        do {
          let ledger = try Ledger.open(
            at: "\(path)/tasks.ledger", author: "handle \(number)",
            configuration: Self.configuration)
          if number < 8 {
            defer { running.withLock { $0 -= 1 } }
            for step in 0..<25 { try Self.append(ledger, book, number, step) }
            ledger.finishBackgroundWork()
            let told = ledger.takeNotices()
            notices.withLock { $0 += told }
          } else {
            repeat { try Self.read(ledger) } while running.withLock { $0 } > 0
          }
        } catch {
          Issue.record(error)
        }
      }
      #expect(book.acknowledgedCount == 8 * 25)
      let ledger = try Ledger.open(at: "\(path)/tasks.ledger", createIfMissing: false)
      expectSame(ledger, book.entries)
      #expect(ledger.takeNotices() == [])
      #expect(try ledger.task("shared")?["count"] == .int(8 * 25))
      // Whoever was the last to seal has merged what all of them left.
      let statistics = try ledger.statistics()
      let merged = statistics.maintenance.first { $0.kind == "merged-by-itself" }
      let told = notices.withLock { $0 }
      #expect(merged?.details.contains { $0.name == "merges" } == true, "\(told)")
      #expect(statistics.segments.count < 20, "\(statistics.segments)")
      #expect(!statistics.segments.contains { $0.kind == "frozen" }, "\(statistics.segments)")
      #expect(try Ledger.verify(at: "\(path)/tasks.ledger").isSound)
    }
  }

  @Test func `that make a ledger at once make one`() throws {
    for _ in 1...10 {
      try withTemporaryFolder { path in
        let book = Bookkeeper()
        inParallel(6) { number in
          do {
            let ledger = try Ledger.open(
              at: "\(path)/tasks.ledger", author: "handle \(number)",
              configuration: Self.configuration)
            try Self.append(ledger, book, number, 0)
          } catch {
            Issue.record(error)
          }
        }
        let ledger = try Ledger.open(at: "\(path)/tasks.ledger", createIfMissing: false)
        expectSame(ledger, book.entries)
        #expect(book.acknowledgedCount == 6)
      }
    }
  }

  private static var configuration: LedgerConfiguration {
    var configuration = LedgerConfiguration.forTests(sealEvents: 6)
    configuration.sealsInBackground = true
    // However slow the machine, nobody gives up.
    configuration.lockTimeoutMilliseconds = 600_000
    return configuration
  }

  private static func append(
    _ ledger: Ledger, _ book: Bookkeeper, _ handle: Int, _ step: Int
  ) throws {
    try book.transaction(ledger) { transaction in
      let own = try TaskID("\(handle)/\(step)")
      try transaction.upsert(TaskItem(id: own, body: "Own"))
      // A task that all handles change, as it stands.
      let count = try transaction.task("shared")?["count"]
      var shared = TaskItem(id: "shared")
      shared["count"] = if case .int(let number)? = count { .int(number + 1) } else { .int(1) }
      try transaction.upsert(shared)
      if step % 5 == 4 { try transaction.evict(own) }
    }
  }

  private static func read(_ ledger: Ledger) throws {
    // Each transaction counts one further, whoever makes it.
    let moment = try ledger.at(.time(.latest))
    let count = try moment.task("shared")?["count"]
    let tasks = try moment.tasks()
    #expect(tasks.first { $0.id == "shared" }?["count"] == count)
    #expect(try ledger.replay().events >= 0)
    #expect(ledger.takeNotices() == [])
  }
}
