import LedgerFormat
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Edit sessions.
@Suite struct `A draft` {
  private let ledger: Ledger
  private let other: Ledger
  private let milk: TaskID = "milk"

  init() throws {
    let bench = try TestLedger()
    ledger = try bench.open(author: "ann")
    other = try bench.open(author: "bob")
    var task = TaskItem(id: milk, body: "Get milk")
    task["due"] = "2026-12-01"
    try ledger.upsert(task)
  }

  private func conflicts(_ draft: Draft) -> [Conflict] {
    let error = #expect(throws: LedgerError.self) { try draft.save() }
    #expect(error?.code == .conflict)
    return error?.conflicts ?? []
  }

  @Test func `is not seen by the ledger until it is saved`() throws {
    let draft = try ledger.edit(milk)
    #expect(!draft.isNew && !draft.hasChanges && draft.revision == 1)
    draft.body = "Soy milk"
    draft["due"] = nil
    #expect(draft.hasChanges && draft.body == "Soy milk")
    #expect(try ledger.task(milk)?.body == "Get milk")
    #expect(try draft.save(author: "cy", message: "vegan"))
    let entry = try #require(try ledger.audit(milk).last)
    #expect(entry.author == "cy" && entry.message == "vegan" && entry.kind == .update)
    #expect(
      entry.changes.map(\.description) == [
        #"body: "Get milk" → "Soy milk""#, #"due: "2026-12-01" → unset"#,
      ])
    #expect(!draft.hasChanges && draft.revision == 2)
    #expect(try draft.save() == false)
    #expect(try ledger.lastSequence == 2)
  }

  @Test func `that is discarded, or changed back, changes nothing`() throws {
    let draft = try ledger.edit(milk)
    draft.body = "Soy milk"
    draft.discard()
    #expect(!draft.hasChanges && draft.body == "Get milk")
    draft.isCompleted = true
    draft.isCompleted = false
    #expect(!draft.hasChanges)
    #expect(try draft.save() == false)
    #expect(try ledger.lastSequence == 1)
  }

  @Test func `of a new task makes it when saved, and edits it from then on`() throws {
    let draft = ledger.draft("eggs")
    #expect(draft.isNew && !draft.hasChanges)
    draft.body = ""
    #expect(!draft.hasChanges)
    draft.body = "Six eggs"
    #expect(draft.hasChanges)
    #expect(try ledger.task("eggs") == nil)
    #expect(try draft.save())
    #expect(!draft.isNew && !draft.hasChanges)
    draft["priority"] = 1
    #expect(try draft.save())
    #expect(try ledger.audit("eggs").map(\.kind) == [.upsert, .update])
    draft.body = "Seven"
    draft.discard()
    #expect(draft.body == "Six eggs")
    let empty = ledger.draft()
    #expect(try empty.save())
    #expect(try ledger.task(empty.id) != nil)
  }

  @Test func `meets no conflict in what others did to other fields`() throws {
    let draft = try ledger.edit(milk)
    draft.body = "Soy milk"
    try other.update(milk) { $0["priority"] = 1 }
    try other.toggle(milk)
    #expect(try draft.save())
    #expect(draft["priority"] == 1 && draft.isCompleted && draft.body == "Soy milk")
    #expect(try ledger.audit(milk).last?.changes.map(\.name) == [.body])
    // The same value is no conflict either.
    draft["due"] = "2026-12-02"
    try other.update(milk) { $0["due"] = "2026-12-02" }
    #expect(try draft.save() == false)
  }

  @Test func `meets another's change of its field as a conflict that names both`() throws {
    let draft = try ledger.edit(milk)
    draft.body = "Soy milk"
    try other.transaction(message: "the cat") { try $0.update(milk) { $0.body = "Oat milk" } }
    let found = try #require(conflicts(draft).first)
    #expect(found.field == .body && found.ours == "Soy milk" && found.theirs == "Oat milk")
    #expect(found.event?.author == "bob" && found.event?.message == "the cat")
    #expect(draft.body == "Soy milk" && draft.hasChanges)
    #expect(try ledger.lastSequence == 2)
  }

  @Test func `is settled by theirs, by ours, or field by field`() throws {
    for side in Draft.Side.allCases {
      let draft = try ledger.edit(milk)
      draft.body = "ours \(side)"
      draft["due"] = .text("ours \(side)")
      try other.update(milk) {
        $0.body = "theirs \(side)"
        $0["due"] = .text("theirs \(side)")
      }
      let found = conflicts(draft)
      #expect(found.map(\.field?.text) == ["body", "due"])
      draft.resolve([found[0]], keeping: side)
      draft.resolve([found[1]], keeping: side == .ours ? .theirs : .ours)
      #expect(try draft.save())
      let (mine, yours) = ("ours \(side)", "theirs \(side)")
      #expect(try ledger.task(milk)?.body == (side == .ours ? mine : yours))
      #expect(try ledger.task(milk)?["due"] == .text(side == .ours ? yours : mine))
    }
  }

  @Test func `that was settled meets what changed after that`() throws {
    let draft = try ledger.edit(milk)
    draft.body = "Soy milk"
    try other.update(milk) { $0.body = "Oat milk" }
    draft.resolve(conflicts(draft), keeping: .ours)
    try other.update(milk) { $0.body = "Goat milk" }
    let again = conflicts(draft)
    #expect(again.first?.theirs == "Goat milk")
    draft.resolve(again, keeping: .theirs)
    #expect(draft.body == "Goat milk" && !draft.hasChanges)
    #expect(try draft.save() == false)
  }

  @Test func `meets fields that exclude its own`() throws {
    let draft = try ledger.edit(milk)
    draft["tags.home"] = true
    try other.update(milk) { $0["tags"] = ["x"] }
    let found = conflicts(draft)
    #expect(found.map(\.field?.text) == ["tags"])
    draft.resolve(found, keeping: .ours)
    #expect(try draft.save())
    #expect(try ledger.task(milk)?["tags.home"] == true)
    #expect(try ledger.task(milk)?["tags"] == nil)
  }

  @Test func `of a task that was deleted meanwhile brings it back, or leaves it deleted`() throws {
    for side in Draft.Side.allCases {
      try ledger.restore(milk)
      let draft = try ledger.edit(milk)
      draft.body = "Soy milk for \(side)"
      try other.delete(milk)
      let found = conflicts(draft)
      #expect(found.map(\.field) == [.isDeleted])
      #expect(found[0].event?.kind == .delete)
      draft.resolve(found, keeping: side)
      #expect(try draft.save())
      #expect(try ledger.task(milk)?.isDeleted == (side == .theirs))
      #expect(try ledger.task(milk)?.body == "Soy milk for \(side)")
    }
    // One that deletes it, too, is of the same mind.
    try ledger.restore(milk)
    let draft = try ledger.edit(milk)
    draft.isDeleted = true
    try other.delete(milk)
    #expect(try draft.save() == false)
  }

  @Test func `of a task that was evicted meanwhile makes it again, or gives up`() throws {
    let draft = try ledger.edit(milk)
    draft.body = "Soy milk"
    try other.evict(milk)
    let found = conflicts(draft)
    #expect(found.count == 1 && found[0].field == nil && found[0].event?.author == "bob")
    let givenUp = try makeEvictedDraft("eggs")
    givenUp.resolve(conflicts(givenUp), keeping: .theirs)
    #expect(givenUp.isNew && !givenUp.hasChanges)
    draft.resolve(found, keeping: .ours)
    #expect(draft.isNew)
    #expect(try draft.save())
    #expect(try ledger.task(milk)?.body == "Soy milk")
    #expect(try ledger.task(milk)?["due"] == "2026-12-01")
    #expect(throws: LedgerError.self) { try ledger.edit("nobody") }
  }

  private func makeEvictedDraft(_ id: TaskID) throws -> Draft {
    try ledger.upsert(TaskItem(id: id, body: "Six"))
    let draft = try ledger.edit(id)
    draft.body = "Seven"
    try other.evict(id)
    return draft
  }

  @Test func `of a new task whose id was taken meanwhile is told so`() throws {
    for side in Draft.Side.allCases {
      let id = TaskID(stringLiteral: "new-\(side)")
      let draft = ledger.draft(id)
      draft.body = "ours"
      draft["priority"] = 1
      var theirs = TaskItem(id: id, body: "theirs")
      theirs["due"] = "2026-12-24"
      try other.upsert(theirs)
      let found = conflicts(draft)
      #expect(found.count == 1 && found[0].field == nil && found[0].event?.author == "bob")
      draft.resolve(found, keeping: side)
      #expect(!draft.isNew)
      #expect(try draft.save() == (side == .ours))
      #expect(try ledger.task(id)?.body == "\(side)")
      #expect(try ledger.task(id)?["due"] == "2026-12-24")
    }
  }

  @Test func `of a new task that is there already as it would be has nothing to save`() throws {
    let draft = ledger.draft("eggs")
    draft.body = "Six"
    var theirs = TaskItem(id: "eggs", body: "Six")
    theirs["due"] = "2026-12-24"
    try other.upsert(theirs)
    #expect(try draft.save() == false)
    #expect(!draft.isNew && !draft.hasChanges && draft["due"] == "2026-12-24")
    // One that is deleted is another matter.
    let next = ledger.draft("bread")
    next.body = "Rye"
    try other.upsert(TaskItem(id: "bread", body: "Rye"))
    try other.delete("bread")
    #expect(conflicts(next).count == 1)
  }

  @Test func `goes on by another handle when its own is of no use any more`() throws {
    let draft = try ledger.edit(milk)
    draft.body = "Soy milk"
    draft.use(other)
    #expect(try draft.save())
    #expect(try ledger.audit(milk).last?.author == "bob")
  }

  @Test func `that the rules refuse is as it was`() throws {
    let draft = try ledger.edit(milk)
    draft["isCompleted"] = 1
    let error = #expect(throws: LedgerError.self) { try draft.save() }
    #expect(error?.code == .invalid)
    draft["a..b"] = 1
    #expect(draft.hasChanges)
    #expect(throws: LedgerError.self) { try draft.save() }
    draft.discard()
    draft.body = "Soy milk"
    #expect(try draft.save())
    #expect(throws: LedgerError.self) {
      try ledger.transaction { _ in try ledger.edit(milk).change(draft) }
    }
  }

  @Test func `saved by many threads loses nothing that was typed`() throws {
    let draft = ledger.draft("eggs")
    inParallel(4) { number in
      for step in 0..<25 {
        draft["f\(number)"] = .int(Int64(step))
        do {
          try draft.save()
        } catch let error as LedgerError where error.code == .busy {
          // Another thread saves it: what was typed meanwhile is saved by the next.
        } catch {
          Issue.record("\(error)")
        }
      }
    }
    try draft.save()
    #expect(try ledger.task("eggs")?.json == draft.task.json)
    for number in 0..<4 { #expect(try ledger.task("eggs")?["f\(number)"] == 24) }
  }
}

extension Draft {
  /// Changes and saves it.
  fileprivate func change(_ other: Draft) throws {
    change { $0.body = other.body + "!" }
    try save()
  }
}
