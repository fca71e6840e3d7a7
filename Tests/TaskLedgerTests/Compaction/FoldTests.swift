import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What folding history gives up, and what it leaves alone.
@Suite struct `Folding history` {
  /// The same ledger twice, one of them with its history folded.
  private struct Twins {
    let whole: Ledger
    let folded: Ledger
    let directory: MemoryDirectory
    var horizon: UInt64
    let clock: TestClock

    /// Nil when a late event stands in the way.
    init?(_ bench: TestLedger, before moment: Moment) throws {
      directory = bench.directory.copy()
      clock = bench.clock
      whole = try Ledger(
        bench.directory.copy(), author: "ann", configuration: bench.configuration)
      folded = try Ledger(directory, author: "ann", configuration: bench.configuration)
      do {
        let compaction = try folded.compact(.fold(before: moment))
        horizon = compaction.plan.horizon ?? 0
      } catch {
        guard error.code == .invalid else { throw error }
        return nil
      }
    }

    func expectSame(_ context: Comment) throws {
      #expect(try folded.replay().digest == whole.replay().digest, context)
      let last = try whole.lastSequence
      for number in horizon...last {
        let moment = Moment.sequence(number)
        #expect(try folded.replay(at: moment).digest == whole.replay(at: moment).digest, context)
      }
      #expect(try events(folded) == events(whole).filter { $0.sequence > horizon }, context)
      #expect(try entries(folded) == entries(whole).filter { $0.sequence > horizon }, context)
      for task in Set(try events(whole).map(\.task)) {
        let later = try whole.audit(task).filter { $0.sequence > horizon }
        #expect(try folded.audit(task).filter { !$0.isFolded } == later, context)
        #expect(try folded.task(task) == whole.task(task), context)
        #expect(try folded.revision(of: task) == whole.revision(of: task), context)
        #expect(try folded.resolve(task.text) == task, context)
      }
      let found = try Ledger.verify(directory)
      #expect(found.isSound, context)
      #expect(found.digest == (try whole.replay().digest), context)
    }

    private func events(_ ledger: Ledger) throws -> [Event] {
      try LedgerCheck.allEvents(of: ledger)
    }

    private func entries(_ ledger: Ledger) throws -> [AuditEntry] {
      var entries: [AuditEntry] = []
      try ledger.forEachEntry { entry in
        entries.append(entry)
        return true
      }
      return entries
    }
  }

  private func bench(seed: UInt64, sealEvents: UInt64) throws -> TestLedger {
    var pair = try SideBySide(seed: seed &* 3 + 1, sealEvents: sealEvents, handles: 1)
    for step in RandomStream(seed: seed).prefix(30) { try pair.take(step) }
    return pair.bench
  }

  @Test(arguments: TestSettings.seeds(5))
  func `changes nothing from the horizon on`(seed: UInt64) throws {
    let bench = try bench(seed: seed, sealEvents: [3, 1000, 8][Int(seed % 3)])
    let last = try bench.open().lastSequence
    let logDigest = try Ledger.verify(bench.directory).logDigest
    var folds = 0
    for number in stride(from: 0, through: last, by: 3).map({ $0 }) + [last] {
      guard let twins = try Twins(bench, before: .sequence(number)) else { continue }
      folds += 1
      #expect(twins.horizon <= number)
      try twins.expectSame("seed \(seed), before \(number)")
      #expect(try Ledger.verify(twins.directory).logDigest == logDigest)
    }
    #expect(folds > 0)
  }

  @Test(arguments: TestSettings.seeds(4))
  func `leaves a ledger that goes on as the whole one does, folds again and merges`(
    seed: UInt64
  ) throws {
    let bench = try bench(seed: seed, sealEvents: 4)
    let last = try bench.open().lastSequence
    var twins = try #require(try Twins(bench, before: .sequence(last)))
    for round in 1...3 {
      for step in RandomStream(seed: seed &+ 77 &* UInt64(round)).prefix(10) {
        twins.clock.advance(milliseconds: 5)
        for command in step.commands where command.time == nil {
          // Refused by both, or by none.
          let results = [twins.whole, twins.folded].map { ledger in
            Result { try ledger.transaction { try $0.perform(command.read(author: "ann")) } }
          }
          #expect((try? results[0].get()) == (try? results[1].get()))
        }
      }
      try twins.expectSame("seed \(seed), round \(round)")
      if round == 1 { _ = try twins.folded.compact() }
      if round == 2 {
        let again = try twins.folded.compact(
          .fold(before: .sequence(try twins.folded.lastSequence)))
        let horizon = try #require(again.plan.horizon)
        #expect(horizon > twins.horizon)
        twins.horizon = horizon
        #expect(try twins.folded.replay().digest == twins.whole.replay().digest)
        #expect(try twins.folded.statistics().segments.map(\.kind) == ["baseline", "active"])
      }
    }
  }

  /// Three events of one task and one of another, a second apart.
  private func story() throws -> (bench: TestLedger, ledger: Ledger) {
    let bench = try TestLedger(sealEvents: 2)
    let ledger = try bench.open()
    for body in ["Get milk", "Get oat milk", "Get soy milk"] {
      bench.clock.advance(milliseconds: 1000)
      try ledger.transaction(message: "why not") { try $0.upsert(TaskItem(id: "milk", body: body)) }
    }
    bench.clock.advance(milliseconds: 1000)
    try ledger.upsert(TaskItem(id: "bread", body: "Bake bread"))
    return (bench, ledger)
  }

  @Test func `cuts a segment at any event, whatever few messages its events share`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open()
    for number in 0..<9 {
      try ledger.transaction(message: ["why", "because", "so"][number % 3]) {
        try $0.upsert(TaskItem(id: TaskID("task \(number % 2)"), body: "\(number)"))
      }
    }
    try ledger.sealNow()
    for horizon in 1...9 as ClosedRange<UInt64> {
      let twins = try #require(try Twins(bench, before: .sequence(horizon)))
      try twins.expectSame("folded before \(horizon)")
    }
  }

  @Test func `loses what was overwritten, and says so in the audit`() throws {
    let (bench, ledger) = try story()
    let plan = try ledger.compactionPlan(.fold(before: .sequence(2)))
    #expect(plan.horizon == 2 && plan.events == 2 && plan.steps[0].keptEvents == 1)
    #expect(try ledger.compact(.fold(before: .sequence(2))).plan == plan)
    let audit = try ledger.audit("milk")
    #expect(audit.map(\.sequence) == [2, 3] && audit.map(\.isFolded) == [true, false])
    #expect(audit[0].event.message == nil && audit[0].author == "tester")
    #expect(audit[0].changes.map(\.description) == ["body: \"Get oat milk\""])
    #expect(audit[1].changes.first?.old == "Get oat milk")
    let record = try #require(try ledger.statistics().maintenance.last)
    #expect(record.kind == "folded" && record.details.contains { $0 == ("horizon", "2") })
    #expect(try ledger.statistics().segments.map(\.kind).first == "baseline")
    #expect(try Ledger.verify(bench.directory).events == 2)
  }

  @Test func `up to a time takes the longest part of the log in which no event is later`() throws {
    for (milliseconds, horizon) in [(0, nil), (2000, 2), (3999, 3), (9000, 4)] as [(Int64, UInt64?)]
    {
      let (bench, ledger) = try story()
      let start = bench.clock.now.milliseconds - 4000
      let time = try LedgerTime(milliseconds: start + milliseconds)
      let compaction = try ledger.compact(.fold(before: .time(time)))
      #expect(compaction.plan.horizon == horizon, "\(milliseconds)")
      #expect(compaction.plan.steps.isEmpty == (horizon == nil))
    }
  }

  @Test func `takes a transaction whole or not at all`() throws {
    let ledger = try TestLedger().open()
    try ledger.upsert(TaskItem(id: "one", body: "1"))
    try ledger.transaction { transaction in
      for id in ["two", "three", "four"] { try transaction.upsert(TaskItem(id: TaskID(id))) }
    }
    #expect(try ledger.compactionPlan(.fold(before: .sequence(3))).horizon == 1)
    #expect(try ledger.compactionPlan(.fold(before: .sequence(4))).horizon == 4)
    #expect(try ledger.compact(.fold(before: .sequence(3))).plan.horizon == 1)
    #expect(try ledger.compact(.fold(before: .sequence(1))).plan.steps.isEmpty)
  }

  private func refusal(_ body: () throws -> Void) -> LedgerError? {
    do {
      try body()
      return nil
    } catch {
      return LedgerError.wrapping(error)
    }
  }

  @Test func `refuses a moment and a command before the horizon, and names it`() throws {
    let (bench, ledger) = try story()
    try ledger.compact(.fold(before: .sequence(3)))
    let newest = try #require(try ledger.audit("milk").last).time
    let earlier = try LedgerTime(milliseconds: newest.milliseconds - 1)
    let late = Command(
      .update, "milk", try ChangeSet([FieldChange(.body, "late")]), time: earlier, author: "ann")
    for refused in [
      refusal { _ = try ledger.at(.sequence(2)) },
      refusal { _ = try ledger.replay(at: .time(earlier)) },
      refusal { try ledger.transaction { _ = try $0.perform(late) } },
    ] {
      #expect(refused?.code == .invalid)
      #expect(refused?.sentence.contains("event 3") == true, "\(String(describing: refused))")
    }
    #expect(try ledger.at(.time(newest)).tasks().count == 1)
    #expect(try ledger.lastSequence == 4)
    #expect(try bench.open().task("milk")?.body == "Get soy milk")
  }

  @Test func `is refused where a later event is older than one that would be folded`() throws {
    let (bench, ledger) = try story()
    let late = try LedgerTime(milliseconds: bench.clock.now.milliseconds - 1500)
    let command = Command(
      .update, "milk", try ChangeSet([FieldChange(.body, "late")]), time: late, author: "ann")
    try ledger.transaction { _ = try $0.perform(command) }
    let error = refusal { _ = try ledger.compact(.fold(before: .sequence(3))) }
    #expect(error?.code == .invalid && error?.sentence.contains("event 5") == true)
    #expect(try ledger.audit("milk").count == 4)
    #expect(try ledger.compact(.fold(before: .sequence(2))).plan.horizon == 2)
    #expect(refusal { _ = try ledger.compact(.fold(before: .sequence(6))) }?.code == .beyondEnd)
  }
}
