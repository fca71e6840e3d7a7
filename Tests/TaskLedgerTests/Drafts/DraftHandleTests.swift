import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What becomes of a draft when the handle that it came from accepts nothing more.
@Suite struct `A draft whose handle has failed` {
  @Test(arguments: 1...4)
  func `is saved by another one, and once`(nth: Int) throws {
    let disk = TestDisk()
    let first = try disk.create(configuration: .forTests())
    try first.upsert(TaskItem(id: "milk", body: "Get milk"))
    let drafts = [try first.edit("milk"), first.draft("eggs")]
    for draft in drafts { draft.body = "typed" }
    disk.faults.arm(FaultPlan(fail: nth, of: [.sync], effect: .losesPages))
    for draft in drafts { _ = try? draft.save() }
    disk.faults.disarm()
    let second = try disk.open()
    for draft in drafts {
      draft.use(second)
      try draft.save()
      #expect(!draft.isNew && !draft.hasChanges)
    }
    #expect(try second.tasks().map(\.body) == ["typed", "typed"])
    #expect(try second.audit("eggs").count == 1)
  }

  @Test func `keeps what was typed, and the other handle meets what others changed`() throws {
    let disk = TestDisk()
    let first = try disk.create(configuration: .forTests())
    try first.upsert(TaskItem(id: "milk", body: "Get milk"))
    let draft = try first.edit("milk")
    draft.body = "typed"
    disk.failNextSync()
    for _ in 0..<2 { #expect(throws: LedgerError.self) { try draft.save() } }
    #expect(draft.body == "typed" && draft.hasChanges)
    let second = try disk.open(author: "bob")
    try second.update("milk") { $0.body = "bob's" }
    draft.use(second)
    let error = try #require(#expect(throws: LedgerError.self) { try draft.save() })
    #expect(error.conflicts.map(\.theirs) == ["bob's"])
    draft.resolve(error.conflicts, keeping: .ours)
    try draft.save()
    #expect(try second.task("milk")?.body == "typed")
  }
}
