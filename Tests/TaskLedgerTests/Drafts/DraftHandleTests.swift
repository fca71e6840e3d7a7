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

  @Test func `is not saved into another ledger, and is as it was`() throws {
    let (disk, other) = (TestDisk(), TestDisk())
    let first = try disk.create()
    try first.upsert(TaskItem(id: "milk", body: "Get milk"))
    let draft = try first.edit("milk")
    draft.body = "typed"
    let strange = try other.create()
    try strange.upsert(TaskItem(id: "milk", body: "Their milk"))
    draft.use(strange)
    let error = try #require(#expect(throws: LedgerError.self) { try draft.save() })
    #expect(error.code == .invalid && error.conflicts.isEmpty)
    #expect(error.sentence.contains(#"the draft of task "milk" is of another ledger"#))
    #expect(try strange.task("milk")?.body == "Their milk" && strange.lastSequence == 1)
    #expect(draft.body == "typed" && draft.hasChanges)
    draft.use(try disk.open())
    #expect(try draft.save())
  }

  @Test func `loses nothing of what threads add by a change`() throws {
    let ledger = try TestDisk().create()
    let draft = ledger.draft("milk")
    inParallel(4) { _ in for _ in 0..<250 { draft.change { $0.body += "x" } } }
    #expect(draft.body.utf8.count == 1000)
  }
}
