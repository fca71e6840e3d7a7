import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Filters spare reading, and never change an answer.
@Suite struct `Segments with filters of ids` {
  /// Five sealed segments of twelve events; each touches six tasks of its own, and two that all have.
  private struct Bench {
    let disk = TestDisk()
    let configuration: LedgerConfiguration
    let events: [Event]

    init(filterEventsMin: UInt64 = 1) throws {
      var configuration = LedgerConfiguration.forTests(clock: try TestClock(), sealEvents: 12)
      configuration.filterEventsMin = filterEventsMin
      configuration.tidiesWhileSealing = false
      self.configuration = configuration
      let ledger = try disk.create(configuration: configuration)
      for segment in 0..<5 {
        for task in 0..<6 {
          let id = TaskID(unchecked: "segment \(segment), task \(task)")
          try ledger.upsert(TaskItem(id: id, body: "Task \(task)"))
          try ledger.upsert(
            TaskItem(id: TaskID(unchecked: "hot \(task % 2)"), body: "\(segment) \(task)"))
        }
      }
      try ledger.upsert(TaskItem(id: "newest", body: "In no sealed segment"))
      events = try LedgerCheck.allEvents(of: ledger)
    }

    func ledger(_ disk: TestDisk? = nil) throws -> Ledger {
      try (disk ?? self.disk).open(configuration: configuration)
    }

    /// The sealed files, with where their filters are.
    func filters(_ disk: TestDisk? = nil) throws -> [(file: String, range: Range<Int>)] {
      try (disk ?? self.disk).files.filter { $0.key.hasSuffix(".sealed") }
        .sorted { $0.key < $1.key }
        .compactMap { file, bytes in
          try RunEnds(MemorySource(bytes)).footer.filter.map {
            (file, Int($0.offset)..<Int($0.offset + $0.storedLength))
          }
        }
    }

    func expectRightAnswers(_ ledger: Ledger, _ context: Comment) throws {
      for task in Set(events.map(\.task)) {
        let expected = events.filter { $0.task == task }
        #expect(try ledger.audit(task).map(\.event) == expected, context)
      }
      for number in 0..<20 {
        #expect(try ledger.audit(TaskID(unchecked: "no task \(number)")).isEmpty, context)
      }
    }
  }

  @Test func `answer as those without do, merged and unmerged`() throws {
    let bench = try Bench()
    #expect(try bench.filters().count == 5)
    let ledger = try bench.ledger()
    try bench.expectRightAnswers(ledger, "sealed")
    #expect(try bench.disk.verify().isSound)
    _ = try ledger.compact()
    let plain = try Bench(filterEventsMin: .max)
    #expect(try plain.filters().isEmpty)
    for bench in [bench, plain] { try bench.expectRightAnswers(try bench.ledger(), "merged") }
  }

  @Test func `that do not hold a task are not read but for their ends and one page`() throws {
    let bench = try Bench()
    let task: TaskID = "segment 1, task 3"
    let ledger = try bench.ledger()
    let seen = bench.disk.faults.trace.calls.count
    #expect(try ledger.audit(task).count == 1)
    let reads = bench.disk.faults.trace.after(seen).calls.filter { $0.kind == .read }
    var many = 0
    for (file, _) in try bench.filters() {
      let counts = reads.filter { $0.name == file }.map { $0.count ?? 0 }
      #expect(counts.count >= 3, "\(file)")
      if counts.count > 3 { many += 1 }
    }
    // The one that holds it, and one that its filter does not leave out, if need be.
    #expect(1...2 ~= many)
  }

  @Test func `that are damaged are told of by verify, believed by nobody and made anew`() throws {
    let bench = try Bench()
    for (file, range) in try bench.filters() {
      for bit in stride(from: 8 * range.lowerBound + 3, to: 8 * range.upperBound, by: 1500) {
        let context: Comment = "bit \(bit) of \(file)"
        let disk = bench.disk.processKilled()
        var bytes = disk.files[file] ?? []
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        try disk.overwrite(file, with: bytes)
        try bench.expectRightAnswers(try bench.ledger(disk), context)
        let found = try disk.verify()
        #expect(!found.isSound && found.lost.isEmpty && found.doubtful.isEmpty, context)
        #expect(found.files.filter { $0.status.word == "damaged" }.map(\.name) == [file], context)
        let repair = try disk.repair(configuration: bench.configuration)
        #expect(repair.steps.map(\.file) == [file] && repair.lost.isEmpty, context)
        #expect(try disk.verify().isSound, context)
        #expect(try bench.filters(disk).count == 5, context)
        try bench.expectRightAnswers(try bench.ledger(disk), context)
      }
    }
  }

  @Test func `that are damaged keep nobody from a task that a snapshot knows to end before`()
    throws
  {
    let bench = try Bench()
    _ = try bench.ledger().snapshot()
    let files = try bench.filters().map(\.file)
    let file = try #require(files.first { $0.hasPrefix("segments/0000000000000049-") })
    let disk = bench.disk.processKilled()
    var bytes = disk.files[file] ?? []
    bytes[bytes.count - 30] ^= 1
    try disk.overwrite(file, with: bytes)
    let ledger = try bench.ledger(disk)
    #expect(try ledger.audit("segment 0, task 3").count == 1)
    #expect(throws: LedgerError.self) { try ledger.audit("segment 4, task 3") }
  }

  @Test func `are not needed where a snapshot tells which segments come too late`() throws {
    let bench = try Bench(filterEventsMin: .max)
    let ledger = try bench.ledger()
    _ = try ledger.snapshot()
    let other = try bench.ledger()
    let seen = bench.disk.faults.trace.calls.count
    #expect(try other.audit("segment 0, task 3").count == 1)
    let calls = bench.disk.faults.trace.after(seen).calls
    #expect(calls.contains { $0.kind == .read && $0.name.hasPrefix("snapshots/") })
    try bench.expectRightAnswers(other, "with a snapshot")
  }
}
