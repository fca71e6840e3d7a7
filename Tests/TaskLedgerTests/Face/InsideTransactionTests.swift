import LedgerTestSupport
import Testing

@testable import TaskLedger

struct `Inside a transaction` {
  @Test func `lists show its own changes and those that are queued before it`() throws {
    let ledger = try TestLedger().open()
    try ledger.transaction { transaction in
      try transaction.upsert(TaskItem(id: "a", body: "A"))
      try transaction.upsert(TaskItem(id: "b", body: "B"))
    }
    try ledger.transaction { transaction in
      try transaction.toggle("a")
      try transaction.evict("b")
      try transaction.upsert(TaskItem(id: "c", body: "C"))
      let tasks = try transaction.tasks()
      #expect(tasks.map(\.id) == ["a", "c"])
      #expect(tasks.map(\.isCompleted) == [true, false])
      #expect(try ledger.tasks().map(\.id) == ["a", "b"], "the ledger shows what was committed")
    }
    #expect(try ledger.tasks().map(\.id) == ["a", "c"])
  }

  @Test func `a change by the ledger itself is refused and changes nothing`() throws {
    let ledger = try TestLedger().open()
    let task = try ledger.upsert(TaskItem(id: "a"))
    let error = #expect(throws: LedgerError.self) {
      try ledger.transaction { transaction in
        try transaction.toggle(task)
        try ledger.toggle(task)
      }
    }
    #expect(error?.code == .invalid)
    #expect(try ledger.lastSequence == 1)
    try ledger.toggle(task)
    #expect(try ledger.task(task)?.isCompleted == true)
  }

  @Test func `tidying up beside other writers deletes no open task`() throws {
    let ledger = try TestLedger().open()
    try ledger.upsert(TaskItem(id: "m"))
    inParallel(3) { thread in
      for _ in 0..<60 {
        do {
          if thread > 0 { try ledger.toggle("m") } else { try tidyUp(ledger) }
        } catch {
          Issue.record(error)
        }
      }
    }
    var isCompleted = false
    try ledger.forEachEvent { event in
      if event.kind == .toggle { isCompleted.toggle() }
      if event.kind == .delete { #expect(isCompleted, "event \(event.sequence)") }
      return true
    }
  }

  private func tidyUp(_ ledger: Ledger) throws {
    try ledger.transaction { transaction in
      for task in try transaction.tasks() where task.isCompleted {
        try transaction.delete(task.id)
      }
    }
    try ledger.restore("m")
  }
}
