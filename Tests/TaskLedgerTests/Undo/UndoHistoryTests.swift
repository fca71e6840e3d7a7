import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// That undo follows from the log alone, wherever and however that lies on disk.
@Suite struct `What is undone` {
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

  @Test func `is known after sealing, merging and reopening, and in another handle`() throws {
    let bench = try TestLedger(sealEvents: 3)
    var ledger = try bench.open(author: "ann")
    try ledger.upsert(TaskItem(id: milk, body: "0"))
    for number in 1...20 { try ledger.update(milk) { $0.body = "\(number)" } }
    for expected in stride(from: 19, through: 5, by: -1) {
      if expected % 4 == 0 { ledger = try bench.open(author: "ann") }
      if expected % 5 == 0 { try ledger.compact(.merge) }
      try ledger.undo()
      #expect(try bench.open().task(milk)?.body == "\(expected)")
    }
    try ledger.compact(.merge)
    for expected in 6...20 {
      ledger = try bench.open(author: "ann")
      try ledger.redo()
      #expect(try ledger.task(milk)?.body == "\(expected)")
    }
    #expect(error { try ledger.redo() }?.code == .nothingToUndo)
  }

  @Test func `by two handles in turn goes further back each time`() throws {
    let bench = try TestLedger()
    let handles = [try bench.open(author: "ann"), try bench.open(author: "ann")]
    try handles[0].upsert(TaskItem(id: milk, body: "0"))
    for number in 1...6 { try handles[number % 2].update(milk) { $0.body = "\(number)" } }
    for expected in stride(from: 5, through: 0, by: -1) {
      try handles[expected % 2].undo()
      #expect(try handles[1 - expected % 2].task(milk)?.body == "\(expected)")
    }
  }

  @Test func `by many threads at once is each undone once`() throws {
    let bench = try TestLedger(sealEvents: 16)
    let ledger = try bench.open(author: "ann")
    for number in 0..<40 { try ledger.upsert(TaskItem(id: TaskID("task-\(number)"))) }
    inParallel(8) { _ in
      for _ in 0..<5 { #expect(throws: Never.self) { try ledger.undo() } }
    }
    #expect(try ledger.tasks().isEmpty)
    #expect(try ledger.lastSequence == 80)
    #expect(error { try ledger.undo() }?.code == .nothingToUndo)
  }

  @Test func `is found near the end without reading what lies before`() throws {
    let bench = try TestLedger(sealEvents: 10)
    do {
      let ledger = try bench.open(author: "ann")
      for number in 0..<100 {
        try ledger.upsert(TaskItem(id: TaskID("old-\(number)"), body: "old"))
      }
      // Its id lies behind all others, so no block of theirs can hold it.
      try ledger.upsert(TaskItem(id: "z", body: "new"))
    }
    // The first block of the first segment cannot be read any more.
    let name = try #require(
      bench.directory.contents().keys.filter { $0.hasSuffix(".sealed") }.min())
    var bytes = try #require(bench.directory.contents()[name])
    for place in 32..<52 { bytes[place] ^= 0xff }
    try bench.directory.setContents(name, bytes)
    let ledger = try bench.open(author: "ann")
    try ledger.undo()
    #expect(try ledger.task("z")?.isDeleted == true)
    #expect(error { try ledger.forEachEvent { _ in true } }?.code == .damaged)
  }

  @Test func `was folded away cannot be undone, and the horizon is named`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try ledger.upsert(TaskItem(id: milk, body: "0"))
    try ledger.update(milk) { $0.body = "1" }
    try ledger.undo()
    bench.clock.advance(milliseconds: 10)
    try ledger.compact(.fold(before: .sequence(3)))
    try ledger.update(milk) { $0.body = "2" }
    // The value before the horizon is kept.
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "0")
    for body: () throws -> Void in [
      { try ledger.undo() }, { try ledger.undo(.task(milk)) }, { try ledger.undo(.transaction(2)) },
    ] {
      let refusal = error(body)
      #expect(refusal?.code == .nothingToUndo)
      #expect(refusal?.message.contains("up to event 3") == true)
    }
    #expect(error { try ledger.undo(.moment(.sequence(2))) }?.code == .invalid)
    try ledger.redo()
    #expect(try ledger.task(milk)?.body == "2")
    #expect(error { try ledger.redo() }?.message.contains("up to event 3") == true)
    try ledger.undo(.moment(.sequence(3)))
    #expect(try ledger.task(milk)?.body == "0")
  }

  @Test func `and undone by a folded event cannot be redone by guessing`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try ledger.upsert(TaskItem(id: milk, body: "0"))
    try ledger.update(milk) { $0.body = "1" }
    bench.clock.advance(milliseconds: 10)
    try ledger.compact(.fold(before: .sequence(2)))
    #expect(error { try ledger.undo() }?.code == .nothingToUndo)
    try ledger.upsert(TaskItem(id: "eggs"))
    try ledger.undo()
    try ledger.redo()
    #expect(try ledger.task("eggs")?.isDeleted == false)
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

  @Test func `was made again beside a change since leaves that alone when it is undone once more`()
    throws
  {
    let bench = try TestLedger()
    let ledger = try bench.open(author: "ann")
    try ledger.upsert(TaskItem(id: milk, body: "0"))
    try ledger.update(milk) {
      $0.body = "1"
      $0["due"] = "ann"
    }
    // As it was before ann's change: there is nothing to lose of it.
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0["due"] = nil } }
    try ledger.undo()
    try ledger.redo()
    #expect(try ledger.task(milk)?["due"] == nil)
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0["due"] = "bob" } }
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "0")
    #expect(try ledger.task(milk)?["due"] == "bob")
  }
}
