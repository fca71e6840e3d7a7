import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What a compaction does, and what it leaves alone.
@Suite struct `A compaction` {
  /// A ledger of random commands, late ones among them, in segments of a few events, beside a model of it.
  private func pair(seed: UInt64, steps: Int = 40) throws -> SideBySide {
    var pair = try SideBySide(seed: seed &* 3 + 1, sealEvents: 2, handles: 1)
    for step in RandomStream(seed: seed).prefix(steps) { try pair.take(step) }
    // As many segments as can be there without merging by themselves.
    try pair.handles[0].sealNow()
    return pair
  }

  private func bench(seed: UInt64) throws -> (TestLedger, Ledger) {
    let pair = try pair(seed: seed)
    return (pair.bench, pair.handles[0])
  }

  @Test(arguments: TestSettings.seeds(6))
  func `changes no event, no moment, no audit and no digest`(seed: UInt64) throws {
    var pair = try pair(seed: seed)
    let before = try Ledger.verify(pair.bench.directory)
    let plan = try pair.handles[0].compactionPlan()
    #expect(plan.steps.count == 1 && plan.segments > 1)
    #expect(try pair.handles[0].compact().plan == plan)
    try pair.compareEverything()
    try pair.reopen()
    try pair.compareEverything()
    let after = try Ledger.verify(pair.bench.directory)
    #expect(after.logDigest == before.logDigest && after.digest == before.digest)
    #expect(try pair.handles[0].statistics().segments.count { $0.kind == "sealed" } == 1)
  }

  @Test func `does what its plan says, says what became free, and is on record`() throws {
    let (bench, ledger) = try bench(seed: 3)
    let before = try sealedBytes(ledger)
    let plan = try ledger.compactionPlan()
    #expect(plan.steps.count == 1 && plan.bytes == before)
    bench.clock.advance(milliseconds: 60_000)
    let compaction = try ledger.compact()
    let after = try sealedBytes(ledger)
    #expect(compaction.bytes == after && compaction.removedBytes == before)
    #expect(compaction.freedBytes == Int64(before) - Int64(after) && compaction.heldBytes == 0)
    let record = try #require(try ledger.statistics().maintenance.last)
    #expect(record.kind == "compacted" && record.time == bench.clock.now)
    #expect(record.follows == (try ledger.lastSequence))
    let details = Dictionary(uniqueKeysWithValues: record.details.map { ($0.name, $0.value) })
    #expect(
      details == [
        "policy": "merge", "segments": "\(plan.segments)", "into": "1", "events": "\(plan.events)",
        "before": "\(before)", "after": "\(after)",
      ])
  }

  private func sealedBytes(_ ledger: Ledger) throws -> UInt64 {
    try ledger.statistics().segments.filter { $0.kind == "sealed" }.reduce(0) { $0 + $1.bytes }
  }

  @Test func `expects about the bytes that it leaves`() throws {
    let ledger = try TestLedger(sealEvents: 500).open()
    for part in 0..<8 {
      try ledger.transaction { transaction in
        for number in 0..<500 {
          try transaction.upsert(TaskItem(body: .unpressable(20 + number % 60) + " part \(part)"))
        }
      }
    }
    let compaction = try ledger.compact()
    let expected = Double(try #require(compaction.plan.expectedBytes))
    #expect(abs(Double(compaction.bytes) - expected) < expected / 5, "\(compaction)")
  }

  @Test func `of nothing, one segment and a segment of one event is legal`() throws {
    let bench = try TestLedger(sealEvents: 1)
    let ledger = try bench.open()
    #expect(try ledger.compact().plan.steps.isEmpty)
    for number in 1...3 {
      try ledger.upsert(TaskItem(id: TaskID("\(number)"), body: "One"))
      let before = try ledger.replay().digest
      let compaction = try ledger.compact()
      #expect(compaction.plan.segments == (number == 1 ? 0 : 2))
      #expect(try ledger.replay().digest == before)
      let again = try ledger.compact()
      #expect(again.plan.steps.isEmpty && again.plan.untouchedSegments == 1)
    }
    #expect(
      try ledger.statistics().maintenance.map(\.kind) == ["created", "compacted", "compacted"])
    #expect(try Ledger.verify(bench.directory).isSound)
  }

  @Test func `keeps files that somebody reads, until nobody does`() throws {
    let (bench, ledger) = try bench(seed: 5)
    let digest = try ledger.replay().digest
    let files = try bench.directory.list("segments").count
    do {
      let moment = try bench.open().at(.sequence(try ledger.lastSequence))
      let compaction = try ledger.compact()
      #expect(compaction.removedBytes == 0 && compaction.heldBytes == compaction.plan.bytes)
      #expect(compaction.freedBytes == -Int64(compaction.bytes))
      #expect(try bench.directory.list("segments").count == files + 1)
      #expect(try moment.tasks(TaskListOptions(includesDeleted: true)).count > 0)
    }
    try ledger.sealNow()
    #expect(try bench.directory.list("segments").count <= 3)
    #expect(try ledger.replay().digest == digest)
  }

  @Test func `inside a transaction is refused, and changes nothing`() throws {
    let (_, ledger) = try bench(seed: 2)
    let before = try ledger.statistics().segments.map(\.file)
    #expect(throws: LedgerError.self) {
      try ledger.transaction { _ in _ = try ledger.compact() }
    }
    #expect(try ledger.statistics().segments.map(\.file) == before)
  }

  @Test func `waits for another that is at it, and says so when that takes too long`() throws {
    var (bench, ledger) = try bench(seed: 2)
    var configuration = bench.configuration
    configuration.lockTimeoutMilliseconds = 20
    ledger = try Ledger(bench.directory, author: "ann", configuration: configuration)
    let before = try ledger.statistics().segments.map(\.file)
    let folder = try bench.directory.open("segments", .folder)
    #expect(try folder.tryLock(.exclusive))
    do {
      _ = try ledger.compact()
      Issue.record("nobody was in the way")
    } catch {
      #expect(error.code == .busy)
    }
    #expect(try ledger.statistics().segments.map(\.file) == before)
    folder.close()
    #expect(try ledger.compact().plan.steps.count == 1)
  }
}
