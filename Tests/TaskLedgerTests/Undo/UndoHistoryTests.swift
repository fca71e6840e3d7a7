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
