import LedgerTestSupport
import TaskLedger
import Testing

/// What the first page of `LedgerTestSupport` shows, compiled and run.
@Suite struct `The page on tests of an app` {
  @Test func `what was acknowledged survives a power cut`() throws {
    let (disk, ids) = (TestDisk(), TestIDs())
    let clock = try TestClock("2026-11-30T12:00:00Z")
    let ledger = try disk.create(author: "ann", configuration: .forTests(clock: clock, ids: ids))
    let milk = try ledger.upsert(TaskItem(id: ids.next(), body: "Get milk"))
    clock.advance(milliseconds: 1500)
    try ledger.toggle(milk)

    let after = try disk.powerCut().open()
    #expect(try after.task(milk)?.isCompleted == true)
    let times = try after.audit(milk).map(\.time.description)
    #expect(times == ["2026-11-30T12:00:00.000Z", "2026-11-30T12:00:01.500Z"])

    disk.failNextSync()
    #expect(throws: LedgerError.self) { try ledger.toggle(milk) }
    #expect(try disk.verify().isSound)
  }

  @Test func `one hand ticks off both`() throws {
    try GivenLedger(.upsert("milk", ["body": "Get milk"]), .upsert("eggs", ["body": "Get eggs"]))
      .when(.toggle("milk"), .toggle("eggs"), author: "bob")
      .then(.toggle("milk").by("bob"), .toggle("eggs").by("bob"))
  }

  @Test func `is the article`() throws {
    let module = "LedgerTestSupport"
    #expect(try ArticleExamples.linesMissing(of: "LedgerTestSupport", from: module) == [])
  }
}
