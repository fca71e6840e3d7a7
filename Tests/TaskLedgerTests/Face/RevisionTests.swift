import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Writes that expect a revision.
@Suite struct `A write that expects a revision` {
  private let ledger: Ledger
  private let other: Ledger
  private let milk: TaskID = "milk"

  init() throws {
    let bench = try TestLedger()
    ledger = try bench.open(author: "ann")
    other = try bench.open(author: "bob")
    try ledger.upsert(TaskItem(id: milk, body: "Get milk"))
  }

  private func conflict(_ body: () throws -> Void) -> LedgerError? {
    let error = #expect(throws: LedgerError.self) { try body() }
    #expect(error?.code == .conflict)
    return error
  }

  @Test func `lets one of two workers win, and tells the other who did`() throws {
    let (_, revision) = try ledger.taskAndRevision(milk)
    try other.transaction(message: "on my way") {
      try $0.update(milk, expecting: revision) { $0["owner"] = "bob" }
    }
    let lost = conflict {
      try ledger.update(milk, expecting: revision) { task in
        Issue.record("the change of a lost race is not asked for")
        task["owner"] = "ann"
      }
    }
    let winner = try #require(lost?.conflicts.first)
    #expect(winner.field?.text == "owner" && winner.theirs == "bob")
    #expect(winner.event?.author == "bob" && winner.event?.message == "on my way")
    #expect(
      lost?.message == """
        the task "milk" is at revision 2, expected 1: bob set owner to "bob" at 2023-11-14T22:13:20.000Z (event 2) “on my way”
        """)
    #expect(try ledger.task(milk)?["owner"] == "bob")
    #expect(try ledger.lastSequence == 2)
  }

  @Test func `is refused by every kind of write, and taken at the right revision`() throws {
    try other.toggle(milk)
    let task = TaskItem(id: milk, body: "Get oat milk")
    let writes: [(UInt64) throws -> Void] = [
      { try ledger.upsert(task, expecting: $0) }, { try ledger.toggle(milk, expecting: $0) },
      { try ledger.update(milk, expecting: $0) { $0["n"] = 1 } },
      { try ledger.delete(milk, expecting: $0) }, { try ledger.restore(milk, expecting: $0) },
      { try ledger.evict(milk, expecting: $0) },
    ]
    for write in writes {
      let revision = try #require(try ledger.revision(of: milk))
      _ = conflict { try write(revision - 1) }
      _ = conflict { try write(revision + 1) }
      #expect(try ledger.revision(of: milk) == revision)
      try write(revision)
      #expect(try ledger.revision(of: milk) == revision + 1)
    }
    // A task that is gone has a revision, too.
    #expect(conflict { try ledger.toggle(milk, expecting: 1) } != nil)
    #expect(throws: LedgerError.self) { try ledger.toggle(milk, expecting: 8) }
  }

  @Test func `of nothing makes a task only if there never was one`() throws {
    try ledger.upsert(TaskItem(id: "eggs"), expecting: 0)
    let lost = conflict { try other.upsert(TaskItem(id: "eggs", body: "Six"), expecting: 0) }
    #expect(lost?.conflicts.map(\.reason) == ["ann made it at 2023-11-14T22:13:20.000Z (event 2)"])
    #expect(try ledger.taskAndRevision("bread").revision == 0)
  }

  @Test func `counts what its own transaction has done`() throws {
    try ledger.transaction { transaction in
      try transaction.toggle(milk, expecting: 1)
      try transaction.toggle(milk, expecting: 2)
    }
    #expect(try ledger.revision(of: milk) == 3)
    #expect(try ledger.at(.sequence(2)).taskAndRevision(milk).revision == 2)
  }

  @Test func `lets exactly one of many threads win`() throws {
    let winners = Guarded(0)
    inParallel(8) { number in
      do {
        try [ledger, other][number % 2].update(milk, expecting: 1) {
          $0["owner"] = .int(Int64(number))
        }
        winners.withLock { $0 += 1 }
      } catch let error as LedgerError where error.code == .conflict {
        // Somebody else has won.
      } catch {
        Issue.record("\(error)")
      }
    }
    #expect(winners.withLock { $0 } == 1)
    #expect(try ledger.lastSequence == 2)
  }
}
