import LedgerFormat
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Undo among changes that were themselves undone or redone, before and since, and among late ones.
@Suite struct `Undo beside what was undone since` {
  private let bench: TestLedger
  private let ledger: Ledger
  private let milk: TaskID = "milk"

  init() throws {
    bench = try TestLedger()
    ledger = try bench.open(author: "ann")
    try at(0, "ann") { try $0.upsert(TaskItem(id: milk, body: "0")) }
  }

  /// Does something at a time, in seconds.
  private func at(_ time: Int64, _ author: String, _ body: (Transaction) throws -> Void) throws {
    bench.setClock(noon + time * 1000)
    try ledger.transaction(author: author, body)
  }

  private func late(
    _ kind: EventKind, _ changes: [FieldChange] = [], at time: Int64
  ) throws {
    let command = Command(
      kind, milk, try ChangeSet(changes), time: LedgerTime(unchecked: noon + time * 1000),
      author: "late")
    #expect(try ledger.appendGroup { try $0.perform(command) })
  }

  private func set(_ name: String, _ value: Value?) throws -> [FieldChange] {
    [FieldChange(try FieldName(name), value)]
  }

  private func update(
    _ time: Int64, _ author: String, _ change: (inout TaskItem) throws -> Void
  ) throws {
    try at(time, author) { try $0.update(milk, change) }
  }

  private func code(_ body: () throws -> Void) -> LedgerError.Code? {
    let error = #expect(throws: LedgerError.self) { try body() }
    return error?.code
  }

  @Test func `never brings up what came late into a life whose end was undone`() throws {
    try update(2, "ann") { $0["due"] = "x" }
    try at(3, "bob") { try $0.evict(milk) }
    try ledger.undo(author: "bob")
    try late(.update, set("due", "never"), at: 1)
    #expect(try ledger.task(milk)?["due"] == "x")
    try ledger.undo()
    #expect(try ledger.task(milk)?["due"] == nil)
  }

  @Test
  func `of a toggle is refused for later ones, whatever came late into a life that came back`()
    throws
  {
    try at(1, "ann") { try $0.toggle(milk) }
    try at(2, "ann") { try $0.toggle(milk) }
    try at(2, "ann") { try $0.evict(milk) }
    try ledger.undo()
    // It does not show, neither now nor before the toggles.
    try late(.toggle, at: 0)
    #expect(try ledger.task(milk)?.isCompleted == false)
    try at(3, "bob") { try $0.toggle(milk) }
    #expect(code { try ledger.undo(.transaction(2)) } == .conflict)
  }

  @Test func `brings back with a life what came late into that before its end was undone`()
    throws
  {
    try at(2, "ann") { try $0.evict(milk) }
    try at(3, "bob") { try $0.upsert(TaskItem(id: milk, body: "1")) }
    try at(4, "bob") { try $0.evict(milk) }
    try ledger.undo(author: "bob")
    // The other life came back, this one not yet.
    try late(.update, set("due", "late"), at: 1)
    try ledger.undo(author: "bob")
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "0")
    #expect(try ledger.task(milk)?["due"] == "late")
  }

  /// The first life, evicted and replaced by bob, brought back, ended again, and brought back.
  private func bringBackTwice() throws {
    try at(1, "ann") { try $0.evict(milk) }
    try at(2, "bob") { try $0.upsert(TaskItem(id: milk, body: "1")) }
    try ledger.undo(author: "bob")
    bench.setClock(noon + 4000)
    try ledger.undo()
    bench.setClock(noon + 5000)
    try ledger.redo()
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "0")
  }

  @Test func `takes back what came late and shows in a life that was brought back twice`() throws {
    try bringBackTwice()
    try late(.update, set("note", "late"), at: 3)
    #expect(try ledger.task(milk)?["note"] == "late")
    let number = try ledger.lastSequence
    try ledger.undo(.transaction(number))
    #expect(try ledger.task(milk)?["note"] == nil)
  }

  @Test func `is not refused for an undo of what came before`() throws {
    try late(.update, set("due", "a"), at: 2)
    bench.setClock(noon + 3000)
    try ledger.update(milk) { $0["due"] = "b" }
    bench.setClock(noon + 5000)
    try ledger.undo()
    // Under the undo, and over what that undid: it counts once that is done again.
    try late(.update, set("due", nil), at: 4)
    #expect(try ledger.task(milk)?["due"] == "a")
    bench.setClock(noon + 6000)
    try ledger.redo()
    #expect(try ledger.task(milk)?["due"] == nil)
    try ledger.undo(author: "late")
    #expect(try ledger.task(milk)?["due"] == "b")
    try ledger.undo()
    #expect(try ledger.task(milk)?["due"] == "a")
  }

  @Test func `is refused where a redo has made the same of a field since`() throws {
    try update(1, "ann") { $0["tags"] = "a" }
    try update(2, "bob") {
      $0["due"] = "b"
      $0["tags"] = nil
    }
    try ledger.undo(author: "bob")
    try update(3, "cy") { $0["tags"] = nil }
    bench.setClock(noon + 4000)
    let redone = try ledger.redo(author: "bob")
    // The tags are as bob had left them already.
    #expect(redone.tasks[0].changes.map(\.name.text) == ["due"])
    #expect(code { try ledger.undo(author: "cy") } == .conflict)
    #expect(try ledger.task(milk)?["tags"] == nil)
  }

  @Test func `of an undo brings back the fields that this had left alone, where they show again`()
    throws
  {
    try update(1, "ann") {
      $0.body = "1"
      $0["due"] = "ann"
    }
    try update(2, "bob") {
      $0["due"] = nil
      $0["note"] = "bob"
    }
    // There is no due to take back.
    try ledger.undo()
    try ledger.undo(author: "bob")
    try ledger.redo()
    #expect(try ledger.task(milk)?.body == "1")
    #expect(try ledger.task(milk)?["due"] == "ann")
    try ledger.undo()
    #expect(try ledger.task(milk)?["due"] == nil)
  }

  @Test func `leaves a field alone that without it, and what is undone, would be as it was`()
    throws
  {
    try update(1, "ann") {
      $0["due"] = "ann"
      $0["note"] = "ann"
    }
    try update(2, "bob") {
      $0["due"] = nil
      $0["tags"] = "bob"
    }
    try ledger.undo(author: "bob")
    try ledger.redo(author: "bob")
    try ledger.undo()
    try update(3, "cy") { $0["due"] = "cy" }
    // Bob took the due of ann away; but that is undone.
    try ledger.undo(author: "bob")
    #expect(try ledger.task(milk)?["tags"] == nil)
    #expect(try ledger.task(milk)?["due"] == "cy")
  }

  @Test func `of a redone change is refused where a later one is there again, too`() throws {
    try update(1, "ann") { $0["note"] = "ann" }
    try update(2, "bob") { $0["note"] = "bob" }
    try ledger.undo(author: "bob")
    try ledger.undo()
    try ledger.redo()
    try ledger.redo(author: "bob")
    #expect(code { try ledger.undo() } == .conflict)
    #expect(try ledger.task(milk)?["note"] == "bob")
  }

  @Test func `of an evict, once more, brings back nothing that was undone in between`() throws {
    try at(1, "ann") { try $0.evict(milk) }
    try at(2, "bob") { try $0.upsert(TaskItem(id: milk, body: "1")) }
    try ledger.undo(author: "bob")
    bench.setClock(noon + 4000)
    try ledger.undo()
    try late(.update, set("body", "late"), at: 3)
    // What was left of the other life has it, the first life not.
    try ledger.redo()
    #expect(try ledger.task(milk)?.body == "late")
    try ledger.undo(author: "late")
    try ledger.undo()
    #expect(try ledger.task(milk)?.body == "0")
  }
}
