import LedgerFormat
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Thousands of changes of one task: what looks at all of them for each of them would take minutes here.
@Suite struct `Undo over a long history of one task` {
  private let ledger: Ledger
  private static let count = 4000

  init() throws {
    ledger = try TestLedger().open(author: "ann")
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
  }

  @Test func `goes back over every change of a field, and forth, and back again`() throws {
    try ledger.transaction { transaction in
      for number in 1...Self.count {
        try transaction.update("milk") { $0["p"] = .int(Int64(number)) }
      }
    }
    let before = try ledger.replay().digest
    try ledger.undo(.moment(.sequence(1)))
    #expect(try ledger.task("milk")?["p"] == nil)
    let redone = try ledger.redo()
    #expect(redone.tasks.first?.steps.count == Self.count)
    #expect(try ledger.replay().digest == before)
    // The chains are longer now.
    try ledger.undo(.moment(.sequence(1 + UInt64(Self.count) / 2)))
    #expect(try ledger.task("milk")?["p"] == .int(Int64(Self.count) / 2))
  }

  @Test func `takes back fields that exclude each other`() throws {
    let half = Self.count / 2
    try ledger.transaction { transaction in
      for number in 1...half { try transaction.update("milk") { $0["a.b\(number)"] = 1 } }
    }
    try ledger.transaction { transaction in
      for number in 1...half { try transaction.update("milk") { $0["a.b\(number).c"] = 1 } }
    }
    let plan = try ledger.undo(.moment(.sequence(10)), isDryRun: true)
    let after = try #require(plan.tasks.first?.after)
    #expect(after == (try ledger.at(.sequence(10)).task("milk")))
    #expect(plan.tasks.first?.steps.count == 2 * half - 9)
    try ledger.undo(.transaction(UInt64(half) + 2))
    #expect(try ledger.task("milk")?["a.b\(half)"] == 1)
  }

  @Test func `goes back and forth over many fields, again and again`() throws {
    try ledger.transaction { transaction in
      for number in 1...Self.count / 2 {
        try transaction.update("milk") { $0["f\(number % 7)"] = .int(Int64(number)) }
      }
    }
    let expected = try ledger.task("milk")
    for _ in 1...3 {
      try ledger.undo()
      #expect(try ledger.task("milk")?["f3"] == nil)
      try ledger.redo()
    }
    #expect(try ledger.task("milk") == expected)
  }
}
