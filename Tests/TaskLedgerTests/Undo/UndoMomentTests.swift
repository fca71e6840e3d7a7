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

  /// Few hundred here; `LEDGER_TEST_SEEDS=20000` for more.
  @Test func `leaves every task as it was, whatever came late`() throws {
    var met: [MomentBesideModel.Answer: Int] = [:]
    for seed in TestSettings.seeds(300) {
      let pair = try MomentBesideModel(seed: seed)
      for moment in pair.moments(3) { met[try pair.goBack(to: moment), default: 0] += 1 }
    }
    print("Undo to a moment: \(met)")
    #expect(met[.done] ?? 0 > 0 && met[.nothing] ?? 0 > 0)
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
}
