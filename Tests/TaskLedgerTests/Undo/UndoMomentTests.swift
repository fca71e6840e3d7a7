import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Going back to a moment, late events included: afterwards every task is as it was.
@Suite struct `Undo to a moment` {
  private func day(_ number: Double) -> LedgerTime {
    LedgerTime(unchecked: noon + Int64(number * 86_400_000))
  }

  /// A ledger whose clock stands at the end of a month.
  private func month() throws -> Ledger {
    let bench = try TestLedger()
    bench.setClock(day(31).milliseconds)
    return try bench.open(author: "ann")
  }

  private func tell(
    _ ledger: Ledger, _ kind: EventKind, _ field: String? = nil, _ value: Value? = nil,
    at time: Double
  ) throws {
    let changes = try field.map { [FieldChange(try FieldName($0), value)] } ?? []
    let command = Command(
      kind, "t", try ChangeSet(changes), time: day(time), author: "ann")
    #expect(try ledger.transaction { try $0.perform(command) } != nil)
  }

  @Test func `leaves every task as it was, whatever came late`() throws {
    var met: [MomentBesideModel.Answer: Int] = [:]
    for seed in TestSettings.seeds(200) {
      let pair = try MomentBesideModel(seed: seed)
      for moment in pair.moments(3) { met[try pair.goBack(to: moment), default: 0] += 1 }
    }
    print("Undo to a moment: \(met)")
    #expect(met[.done] ?? 0 > 0 && met[.nothing] ?? 0 > 0)
  }

  /// One above the other, both set by what came late, and neither there at the moment.
  @Test func `unsets fields that exclude each other`() throws {
    let pair = try MomentBesideModel(seed: 31375)
    for moment in pair.moments(3) { #expect(try pair.goBack(to: moment) == .done) }
  }

  @Test func `and any other undo can be taken back, and then all is as it was`() throws {
    var count = 0
    for seed in TestSettings.seeds(200) {
      if try MomentBesideModel(seed: seed).undoAndTakeBack() { count += 1 }
    }
    print("Undo taken back: \(count)")
    #expect(count > 0)
  }

  @Test func `reaches over a late evict that was undone`() throws {
    let ledger = try month()
    try tell(ledger, .upsert, "p", 1, at: 1)
    try tell(ledger, .update, "p", 2, at: 3)
    try tell(ledger, .evict, at: 2)
    try ledger.undo(.task("t"))
    #expect(try ledger.task("t")?["p"] == 2)
    let outcome = try ledger.undo(.moment(.time(day(1.25))))
    #expect(try ledger.task("t")?["p"] == 1)
    #expect(outcome.tasks.map { $0.changes.map(\.description) } == [["p: 2 → 1"]])
  }

  @Test func `finds a task that was undone before it was made earlier`() throws {
    let ledger = try month()
    try tell(ledger, .upsert, "q", 2, at: 10)
    try ledger.undo()
    try tell(ledger, .upsert, "body", "A", at: 1)
    try ledger.undo(.moment(.time(day(6))))
    #expect(try ledger.task("t") == TaskItem(id: "t", body: "A"))
    try ledger.redo()
    #expect(try ledger.task("t")?.isDeleted == true)
    #expect(try ledger.task("t")?["q"] == 2)
  }

  @Test func `takes back what came late under a task that was deleted`() throws {
    let ledger = try month()
    try tell(ledger, .upsert, "q", 1, at: 20)
    try ledger.undo()
    try tell(ledger, .upsert, "body", "B", at: 19)
    try ledger.undo(.moment(.sequence(2)))
    #expect(try ledger.task("t") == ledger.at(.sequence(2)).task("t"))
    #expect(try ledger.task("t")?.isDeleted == true)
  }

  @Test func `does nothing to a task that is as it was, however often it changed since`() throws {
    let ledger = try month()
    try tell(ledger, .upsert, "p", 1, at: 1)
    try tell(ledger, .toggle, at: 2)
    try tell(ledger, .toggle, at: 3)
    #expect(throws: LedgerError.self) { try ledger.undo(.moment(.time(day(1)))) }
    #expect(try ledger.lastSequence == 3)
  }

  @Test func `names a task that is too large to come back, and leaves all as it is`() throws {
    let ledger = try month()
    try ledger.upsert(TaskItem(id: "t"))
    // Each is within the limit of an event; all together are not.
    for name in ["a", "b", "c", "d", "e"] {
      try ledger.update("t") { $0[name] = .text(String(repeating: "x", count: 1_000_000)) }
    }
    try ledger.upsert(TaskItem(id: "u"))
    try ledger.evict("t")
    for isDryRun in [true, false] {
      let refusal = #expect(throws: LedgerError.self) {
        try ledger.undo(.moment(.sequence(6)), isDryRun: isDryRun)
      }
      #expect(refusal?.code == .invalid)
      #expect(refusal?.sentence.hasPrefix(#"the task "t" cannot be what it was"#) == true)
    }
    #expect(try ledger.lastSequence == 8)
  }

  @Test func `takes back again what was undone before something came late`() throws {
    let ledger = try month()
    try tell(ledger, .upsert, "q", 2, at: 10)
    try ledger.undo()
    try tell(ledger, .upsert, "body", "A", at: 1)
    let outcome = try ledger.undo(.moment(.time(day(6))))
    // What it names is the change that came later, though that was undone already.
    #expect(outcome.sources.map(\.transaction) == [1])
    // So that change is still undone: the next one is what came late.
    #expect(try ledger.undo().sources.map(\.transaction) == [3])
    #expect(try ledger.task("t")?.isDeleted == true)
    try ledger.redo()
    try ledger.redo()
    #expect(try ledger.task("t")?["q"] == 2)
  }

  @Test func `tells of a task that it was made since`() throws {
    let ledger = try month()
    try tell(ledger, .upsert, "p", 1, at: 10)
    try tell(ledger, .toggle, at: 11)
    let outcome = try ledger.undo(.moment(.time(day(6))))
    #expect(outcome.tasks.map(\.isMadeSince) == [true])
    #expect(try ledger.task("t")?.isDeleted == true)
  }
}
