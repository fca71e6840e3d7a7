import LedgerFormat
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What undo and redo do to tasks, and when they do not.
@Suite struct `Undo` {
  private let bench: TestLedger
  private let ledger: Ledger
  private let milk: TaskID = "milk"

  init() throws {
    bench = try TestLedger()
    ledger = try bench.open(author: "ann")
    try ledger.upsert(TaskItem(id: milk, body: "Get milk"))
  }

  private func error(_ body: () throws -> Void) -> LedgerError? {
    #expect(throws: LedgerError.self) { try body() }
  }

  @Test func `tells how many events it has read and made`() throws {
    try ledger.transaction { transaction in
      for number in 1...20 { try transaction.upsert(TaskItem(id: TaskID("t\(number)"), body: "x")) }
    }
    var seen: [UInt64] = []
    try ledger.undo { seen.append($0) }
    #expect(seen == seen.sorted() && seen.last ?? 0 >= 40)
    let undone = seen.count
    try ledger.redo { seen.append($0) }
    #expect(seen.count > undone)
  }

  private func kinds() throws -> [EventKind] { try ledger.audit(milk).map(\.kind) }

  @Test func `of a creation is a delete, of that again a restore`() throws {
    try ledger.undo()
    #expect(try ledger.task(milk)?.isDeleted == true)
    #expect(try ledger.audit(milk).map(\.event.undoes) == [nil, 1])
    try ledger.redo()
    #expect(try ledger.task(milk)?.isDeleted == false)
    #expect(try kinds() == [.upsert, .delete, .update])
  }

  @Test func `of an update sets the old values, and unsets what was not set`() throws {
    try ledger.update(milk) {
      $0.body = "Get oat milk"
      $0["tags.home"] = true
    }
    let outcome = try ledger.undo(message: "never mind")
    #expect(try ledger.task(milk)?.fields.map(\.name) == ["body"])
    #expect(try ledger.task(milk)?.body == "Get milk")
    #expect(try ledger.audit(milk).last?.message == "never mind")
    #expect(outcome.sources.map(\.transaction) == [2])
    #expect(
      outcome.tasks[0].changes.map(\.description) == [
        #"body: "Get oat milk" → "Get milk""#, "tags.home: true → unset",
      ])
    #expect(outcome.transaction == 3)
  }

  @Test func `of fields that gave way to others brings those back`() throws {
    try ledger.update(milk) { $0["tags.home"] = true }
    try ledger.update(milk) { $0["tags"] = ["a"] }
    try ledger.undo()
    #expect(try ledger.task(milk)?["tags.home"] == true)
    #expect(try ledger.task(milk)?["tags"] == nil)
    try ledger.redo()
    #expect(try ledger.task(milk)?["tags"] == ["a"])
  }

  @Test func `of a toggle is a toggle, of a delete a restore, of a restore a delete`() throws {
    try ledger.toggle(milk)
    try ledger.undo()
    try ledger.delete(milk)
    try ledger.undo()
    try ledger.delete(milk)
    try ledger.restore(milk)
    try ledger.undo()
    #expect(
      try kinds().dropFirst() == [
        .toggle, .toggle, .delete, .update, .delete, .update, .delete,
      ])
    #expect(try ledger.task(milk)?.isDeleted == true)
    #expect(try ledger.task(milk)?.isCompleted == false)
  }

  @Test func `of an evict is an upsert of what was there, and redo evicts again`() throws {
    try ledger.update(milk) { $0["due"] = "2026-12-01" }
    let before = try ledger.replay().digest
    try ledger.evict(milk)
    let gone = try ledger.replay().digest
    let outcome = try ledger.undo()
    #expect(outcome.tasks[0].before == nil)
    #expect(try ledger.replay().digest == before)
    try ledger.redo()
    #expect(try ledger.replay().digest == gone)
    #expect(try kinds() == [.upsert, .update, .evict, .upsert, .evict])
  }

  @Test func `goes through lives one by one`() throws {
    try ledger.evict(milk)
    try ledger.upsert(TaskItem(id: milk, body: "Get goat milk"))
    try ledger.update(milk) { $0["due"] = "2026-12-01" }
    for _ in 0..<3 { try ledger.undo() }
    #expect(try ledger.task(milk)?.json == TaskItem(id: milk, body: "Get milk").json)
    for _ in 0..<3 { try ledger.redo() }
    #expect(try ledger.task(milk)?.body == "Get goat milk")
    #expect(try ledger.task(milk)?["due"] == "2026-12-01")
    #expect(error { try ledger.redo() }?.code == .nothingToUndo)
  }

  @Test func `takes back a transaction of many tasks as a whole, and of one task its part`() throws
  {
    try ledger.transaction { transaction in
      for number in 1...50 {
        try transaction.upsert(TaskItem(id: TaskID("task-\(number)"), body: "Task \(number)"))
        try transaction.toggle(TaskID("task-\(number)"))
      }
    }
    try ledger.undo(.task("task-7"))
    #expect(try ledger.tasks().count == 50)
    #expect(try ledger.task("task-7")?.isDeleted == true)
    let outcome = try ledger.undo()
    #expect(outcome.tasks.count == 49)
    #expect(try ledger.tasks().map(\.id) == [milk])
    // It came with one transaction, and goes with one.
    try ledger.redo()
    #expect(try ledger.tasks().count == 50)
    try ledger.redo()
    #expect(try ledger.tasks().count == 51)
  }

  @Test func `is refused where a later change would be lost, and names it`() throws {
    try ledger.update(milk) {
      $0.body = "Get oat milk"
      $0["priority"] = 1
    }
    try ledger.transaction(author: "bob", message: "she said so") {
      try $0.update(milk) { $0.body = "Get soy milk" }
    }
    let end = try ledger.lastSequence
    let refusal = try #require(error { try ledger.undo() })
    #expect(refusal.code == .conflict)
    let conflict = try #require(refusal.conflicts.first)
    #expect(refusal.conflicts.count == 1)
    #expect(conflict.field == .body && conflict.ours == "Get milk")
    #expect(conflict.theirs == "Get soy milk" && conflict.event?.author == "bob")
    #expect(refusal.message.contains(#"bob set body to "Get soy milk""#))
    #expect(try ledger.lastSequence == end)
    // A change to another field is not in the way.
    try ledger.undo(author: "bob")
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0["due"] = "2026-12-01" } }
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "Get milk")
    #expect(try ledger.task(milk)?["due"] == "2026-12-01")
  }

  @Test func `is done nevertheless when forced, and can be redone`() throws {
    try ledger.update(milk) { $0.body = "Get oat milk" }
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0.body = "Get soy milk" } }
    let before = try ledger.replay().digest
    try ledger.undo(isForced: true)
    #expect(try ledger.task(milk)?.body == "Get milk")
    try ledger.redo()
    #expect(try ledger.replay().digest == before)
  }

  @Test func `of a creation is refused while others have changed the task since`() throws {
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0["due"] = "2026-12-01" } }
    #expect(error { try ledger.undo() }?.conflicts.first?.event?.author == "bob")
    try ledger.undo(isForced: true)
    #expect(try ledger.task(milk)?.isDeleted == true)
    #expect(try ledger.task(milk)?["due"] == "2026-12-01")
  }

  @Test func `of what was evicted since is refused, and left alone even when forced`() throws {
    try ledger.update(milk) { $0.body = "Get oat milk" }
    try ledger.transaction(author: "bob") { try $0.evict(milk) }
    let refusal = try #require(error { try ledger.undo() })
    #expect(refusal.conflicts.first?.event?.kind == .evict)
    #expect(refusal.hint?.contains("undo --transaction 3") == true)
    #expect(error { try ledger.undo(isForced: true) }?.code == .nothingToUndo)
    // As the hint says.
    try ledger.undo(.transaction(3))
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "Get milk")
  }

  @Test func `of an evict is refused where the task was made anew`() throws {
    try ledger.update(milk) { $0["due"] = "2026-12-01" }
    try ledger.evict(milk)
    try ledger.transaction(author: "bob") { try $0.upsert(TaskItem(id: milk, body: "Mine")) }
    #expect(error { try ledger.undo() }?.conflicts.first?.event?.author == "bob")
    // Forced, the old life comes back under the new one.
    let before = try ledger.replay().digest
    try ledger.undo(isForced: true)
    #expect(try ledger.task(milk)?.body == "Mine")
    #expect(try ledger.task(milk)?["due"] == "2026-12-01")
    try ledger.redo()
    #expect(try ledger.replay().digest == before)
  }

  /// The evict and the task that was made anew in its place, undone by ann; so the old life is there.
  private func evictAndMakeAnew() throws {
    try ledger.update(milk) { $0["due"] = "2026-12-01" }
    try ledger.evict(milk)
    try ledger.upsert(TaskItem(id: milk, body: "Get goat milk"))
    try ledger.undo()
    try ledger.undo()
    #expect(try ledger.task(milk)?["due"] == "2026-12-01")
  }

  @Test func `of a life that came back leaves nothing of it, whatever was undone in it`() throws {
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0["tags.home"] = true } }
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0["tags"] = "all" } }
    try evictAndMakeAnew()
    for _ in 0..<2 { try ledger.redo() }
    for _ in 0..<2 { try ledger.undo() }
    try ledger.undo(author: "bob")
    #expect(try ledger.task(milk)?["tags.home"] == true)
    for _ in 0..<2 { try ledger.redo() }
    #expect(try ledger.task(milk)?.json == TaskItem(id: milk, body: "Get goat milk").json)
  }

  @Test func `of an evict that was redone is refused where the task is there anew`() throws {
    try evictAndMakeAnew()
    for _ in 0..<2 { try ledger.redo() }
    // The evict by its own number, and by that of the redo.
    for number in [3, 7] as [UInt64] {
      let refusal = error { try ledger.undo(.transaction(number)) }
      #expect(refusal?.conflicts.first?.event?.sequence == 8)
    }
    #expect(try ledger.task(milk)?.json == TaskItem(id: milk, body: "Get goat milk").json)
  }

  @Test func `of a change in a life that came back is not redone in another`() throws {
    try evictAndMakeAnew()
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0["priority"] = 1 } }
    try ledger.undo(author: "bob")
    for _ in 0..<2 { try ledger.redo() }
    #expect(error { try ledger.redo(author: "bob") }?.code == .conflict)
    #expect(try ledger.task(milk)?["priority"] == nil)
  }

  @Test func `skips what is undone, and ends redo at a new change`() throws {
    for number in 1...3 { try ledger.update(milk) { $0["n"] = .int(Int64(number)) } }
    try ledger.undo()
    try ledger.undo()
    #expect(try ledger.task(milk)?["n"] == 1)
    try ledger.redo()
    #expect(try ledger.task(milk)?["n"] == 2)
    // Another's change does not end it, one's own does.
    try ledger.transaction(author: "bob") { try $0.update(milk) { $0.body = "Get soy milk" } }
    try ledger.redo()
    #expect(try ledger.task(milk)?["n"] == 3)
    try ledger.undo()
    try ledger.toggle(milk)
    #expect(error { try ledger.redo() }?.code == .nothingToUndo)
    try ledger.undo()
    try ledger.undo()
    #expect(try ledger.task(milk)?["n"] == 1)
  }

  @Test func `of a transaction is anybody's, of an undo a redo, and needs its number`() throws {
    try ledger.transaction(author: "bob") { transaction in
      try transaction.toggle(milk)
      try transaction.upsert(TaskItem(id: "eggs"))
    }
    try ledger.undo(.transaction(2))
    #expect(try ledger.task(milk)?.isCompleted == false)
    #expect(error { try ledger.undo(.transaction(2)) }?.code == .nothingToUndo)
    // Bob's is undone, so there is nothing of his; and what ann undid is hers to redo.
    #expect(error { try ledger.undo(author: "bob") }?.code == .nothingToUndo)
    #expect(error { try ledger.redo(author: "bob") }?.code == .nothingToUndo)
    try ledger.undo(.transaction(4))
    #expect(try ledger.task(milk)?.isCompleted == true)
    #expect(error { try ledger.redo() }?.code == .nothingToUndo)
    #expect(
      error { try ledger.undo(.transaction(3)) }?.message == "event 3 belongs to transaction 2")
    #expect(error { try ledger.undo(.transaction(0)) }?.code == .beyondEnd)
    #expect(error { try ledger.undo(.transaction(99)) }?.code == .beyondEnd)
    #expect(error { try ledger.undo(.task("nobody")) }?.code == .noSuchTask)
    #expect(error { try ledger.undo(.moment(.sequence(99))) }?.code == .beyondEnd)
  }

  @Test func `that would change nothing is passed over`() throws {
    try ledger.update(milk) { $0.body = "Get oat milk" }
    try ledger.toggle(milk)
    try ledger.transaction(author: "bob") { try $0.toggle(milk) }
    // The toggle is back as it was before already.
    let outcome = try ledger.undo()
    #expect(outcome.sources.map(\.transaction) == [2])
    #expect(try ledger.task(milk)?.body == "Get milk")
  }

  @Test func `says before what a dry run would do, and appends nothing`() throws {
    try ledger.update(milk) { $0.body = "Get oat milk" }
    let planned = try ledger.undo(isDryRun: true)
    #expect(try ledger.lastSequence == 2)
    #expect(planned.transaction == nil)
    let done = try ledger.undo()
    #expect(planned.tasks.map(\.before) == done.tasks.map(\.before))
    #expect(planned.tasks.map(\.after) == done.tasks.map(\.after))
    #expect(done.tasks[0].after == (try ledger.task(milk)))
    #expect(done.tasks[0].steps[0].event?.sequence == 3)
  }

  @Test func `inside a transaction is refused`() throws {
    let refusal = error { try ledger.transaction { _ in _ = try ledger.undo() } }
    #expect(refusal?.code == .invalid)
    #expect(try ledger.lastSequence == 1)
  }
}
