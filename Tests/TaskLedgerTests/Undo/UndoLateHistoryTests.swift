import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What undo makes of events that arrived after later-stamped ones.
@Suite struct `What is undone, and came late` {
  private let milk: TaskID = "milk"

  private func error(_ body: () throws -> Void) -> LedgerError? {
    #expect(throws: LedgerError.self) { try body() }
  }

  private func late(
    _ ledger: Ledger, _ kind: EventKind, _ changes: [FieldChange] = [], at time: Int64
  ) throws {
    let command = Command(
      kind, milk, try ChangeSet(changes), time: LedgerTime(unchecked: time), author: "late")
    #expect(try ledger.appendGroup { try $0.perform(command) })
  }

  @Test func `came late is undone under what is newer`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.update(milk) { $0.body = "1" }
    try late(
      ledger, .update, [FieldChange(.body, "never"), FieldChange(FieldName("due"), "x")],
      at: noon + 500)
    // Its body never showed: only the other field is taken back.
    let outcome = try ledger.undo(.transaction(3))
    #expect(outcome.tasks[0].changes.map(\.name.text) == ["due"])
    #expect(try ledger.task(milk)?.body == "1")
    // Without the update of ann the late value would show; but that is undone, too.
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "0")
  }

  @Test func `came late under a change that was undone never showed, and is in nobody's way`()
    throws
  {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.update(milk) { $0.body = "1" }
    try ledger.undo()
    try late(ledger, .update, [FieldChange(.body, "never")], at: noon + 500)
    #expect(try ledger.task(milk)?.body == "0")
    bench.setClock(noon + 2000)
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0.body = "2" } }
    for isForced in [false, true] {
      let refusal = error { try ledger.undo(.transaction(4), isForced: isForced) }
      #expect(refusal?.code == .nothingToUndo)
    }
    #expect(try ledger.task(milk)?.body == "2")
  }

  @Test func `came late under a redo is in effect without that`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.update(milk) { $0.body = "1" }
    try ledger.delete(milk)
    try ledger.undo()
    bench.setClock(noon + 2000)
    try ledger.redo()
    try late(ledger, .delete, at: noon + 1500)
    // Whatever becomes of the delete of ann, the task is deleted: her last change that shows is the other.
    let outcome = try ledger.undo()
    #expect(outcome.sources.map(\.transaction) == [2])
    #expect(try ledger.task(milk)?.body == "0")
    #expect(try ledger.task(milk)?.isDeleted == true)
  }

  @Test func `came late under an undo shows when that is taken back, and can be undone then`()
    throws
  {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.update(milk) { $0.body = "1" }
    bench.setClock(noon + 2000)
    try ledger.undo()
    try late(ledger, .update, [FieldChange(.body, "late")], at: noon + 1500)
    #expect(try ledger.task(milk)?.body == "0")
    #expect(error { try ledger.undo(.transaction(4)) }?.code == .nothingToUndo)
    try ledger.redo()
    #expect(try ledger.task(milk)?.body == "late")
    try ledger.undo(.transaction(4))
    #expect(try ledger.task(milk)?.body == "1")
  }

  @Test func `came late and came up again when what lay over it was undone can be undone, too`()
    throws
  {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.update(milk) { $0.body = "1" }
    try ledger.update(milk) { $0.body = "2" }
    try ledger.undo()
    try late(ledger, .update, [FieldChange(.body, "late")], at: noon + 500)
    #expect(try ledger.task(milk)?.body == "1")
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "late")
    try ledger.undo(.transaction(5))
    #expect(try ledger.task(milk)?.body == "0")
  }

  @Test func `came late and shows over a field below that is unset is undone`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(FieldName("tags.home"), true)], at: noon)
    bench.setClock(noon + 1000)
    try ledger.update(milk) { $0["tags.home"] = nil }
    try late(ledger, .update, [FieldChange(FieldName("tags"), "late")], at: noon + 500)
    #expect(try ledger.task(milk)?["tags"] == "late")
    try ledger.undo(.transaction(3))
    #expect(try ledger.task(milk)?["tags"] == nil)
    #expect(try ledger.task(milk)?["tags.home"] == nil)
  }

  @Test func `came late and ended a life is undone with what came after`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.update(milk) { $0["due"] = "x" }
    let before = try ledger.replay().digest
    try late(ledger, .evict, at: noon + 500)
    #expect(try ledger.task(milk) == nil)
    try ledger.undo(.transaction(3))
    #expect(try ledger.replay().digest == before)
  }

  @Test func `came late into a life whose end was undone is what a later change in it found`()
    throws
  {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.toggle(milk)
    bench.setClock(noon + 2000)
    try ledger.toggle(milk)
    try ledger.evict(milk)
    try ledger.undo()
    try late(ledger, .toggle, at: noon + 500)
    // It does not show: what was there when the evict was undone came back, and no more.
    #expect(try ledger.task(milk)?.isCompleted == false)
    bench.setClock(noon + 3000)
    try ledger.transaction(author: "bob") { try $0.toggle(milk) }
    // But the first toggle acted on a task that was completed by then: without it nothing would be otherwise.
    let toggle = try ledger.audit(milk).first { $0.sequence == 2 }
    #expect(toggle?.changes.map(\.old) == [true])
    #expect(error { try ledger.undo(.transaction(2)) }?.code == .nothingToUndo)
  }

  @Test func `deleted what was deleted already, as late history tells, is in nobody's way`() throws
  {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.delete(milk)
    bench.setClock(noon + 2000)
    try ledger.transaction(author: "bob") { try $0.restore(milk) }
    try late(ledger, .delete, at: noon + 500)
    // Without the delete of ann the task would have been deleted all the same when bob restored it.
    for isForced in [false, true] {
      let refusal = error { try ledger.undo(.transaction(2), isForced: isForced) }
      #expect(refusal?.code == .nothingToUndo)
    }
    #expect(try ledger.task(milk)?.isDeleted == false)
  }

  @Test func `came late into a life whose end was undone never showed, and is not undone`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.evict(milk)
    try ledger.undo()
    let due = try FieldName("due")
    try late(ledger, .update, [FieldChange(due, "never")], at: noon + 200)
    try late(ledger, .update, [FieldChange(due, nil)], at: noon + 500)
    #expect(try ledger.task(milk)?["due"] == nil)
    // To take the unset back would show the value before it, which never did.
    for isForced in [false, true] {
      for number in [4, 5] as [UInt64] {
        let refusal = error { try ledger.undo(.transaction(number), isForced: isForced) }
        #expect(refusal?.code == .nothingToUndo)
      }
    }
    // Nor is it in anybody's way.
    bench.setClock(noon + 2000)
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0["due"] = "bob" } }
    try late(ledger, .update, [FieldChange(due, "late")], at: noon + 600)
    try ledger.undo(author: "bob")
    #expect(try ledger.task(milk)?["due"] == nil)
  }

  @Test func `changed nothing, as late history tells, is nothing to undo, whatever came later`()
    throws
  {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try late(ledger, .upsert, [FieldChange(.body, "0")], at: noon)
    bench.setClock(noon + 1000)
    try ledger.update(milk) { $0["due"] = "x" }
    try ledger.toggle(milk)
    bench.setClock(noon + 2000)
    try ledger.transaction(author: "bob") { transaction in
      try transaction.update(milk) { $0["due"] = "bob" }
      try transaction.toggle(milk)
    }
    try late(ledger, .update, [FieldChange(FieldName("due"), "x")], at: noon + 500)
    try late(ledger, .toggle, at: noon + 600)
    // Without ann's changes all would be as it is: force has nothing to lose for.
    for number in [2, 3] as [UInt64] {
      for isForced in [false, true] {
        let refusal = error { try ledger.undo(.transaction(number), isForced: isForced) }
        #expect(refusal?.code == .nothingToUndo)
      }
    }
    #expect(try ledger.task(milk)?["due"] == "bob")
    #expect(try ledger.task(milk)?.isCompleted == false)
  }
}
