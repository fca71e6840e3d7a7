import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What a dry run of a fold promises.
@Suite struct `A plan to fold` {
  /// A ledger of some tasks, each made and then changed so often.
  private func ledger(tasks: Int, changes: Int, merged: Bool = false) throws -> Ledger {
    let ledger = try TestLedger(sealEvents: 200).open()
    for change in 0...changes {
      try ledger.transaction { transaction in
        for task in 0..<tasks {
          let id = try TaskID("task \(task)")
          switch change {
          case 0: try transaction.upsert(TaskItem(id: id, body: .unpressable(30 + task % 50)))
          case _ where change % 2 == 0:
            try transaction.update(id) { $0["priority"] = .int(Int64(change)) }
          default: try transaction.toggle(id)
          }
        }
      }
    }
    try ledger.sealNow()
    if merged { try ledger.compact() }
    return ledger
  }

  /// Folds up to an event, and compares with what was expected.
  ///
  /// - Returns: by how many bytes the ledger shrinks.
  private func expectKept(_ ledger: Ledger, before event: UInt64) throws -> Int64 {
    let policy = CompactionPolicy.fold(before: .sequence(event))
    let plan = try ledger.compactionPlan(policy)
    let done = try ledger.compact(policy)
    #expect(plan.expectedBytes == done.bytes, "up to event \(event)")
    #expect(plan.steps == done.plan.steps)
    #expect(done.freedBytes == Int64(plan.bytes) - Int64(done.bytes))
    return done.freedBytes
  }

  @Test func `promises what the fold comes to, to the byte while the history is short`() throws {
    var grown = 0
    for (tasks, changes) in [(1, 0), (1, 3), (20, 0), (20, 6), (150, 2)] {
      let count = UInt64(tasks * (changes + 1))
      // Where it lies inside a transaction, that stays whole.
      for event in Set([1, count / 2, count]).sorted() where event > 0 {
        let ledger = try ledger(tasks: tasks, changes: changes, merged: event % 2 == 0)
        if try expectKept(ledger, before: event) < 0 { grown += 1 }
      }
    }
    // Two small files have more around what they hold than one.
    #expect(grown > 3)
  }

  @Test func `says how much history that no longer counts goes`() throws {
    let ledger = try ledger(tasks: 30, changes: 40)
    let before = try ledger.statistics().segments.reduce(0) { $0 + $1.bytes }
    let freed = try expectKept(ledger, before: 30 * 41)
    #expect(freed > Int64(before) / 4, "\(freed) of \(before) bytes")
  }

  @Test func `writes nothing`() throws {
    let bench = try TestLedger(sealEvents: 4)
    let ledger = try bench.open()
    for number in 1...10 { try ledger.upsert(TaskItem(id: "milk", body: "\(number)")) }
    try ledger.sealNow()
    let before = bench.directory.contents()
    _ = try ledger.compactionPlan(.fold(before: .sequence(7)))
    #expect(bench.directory.contents() == before)
  }

  @Test func `writes nothing while a closed segment waits to be sealed`() throws {
    let bench = try TestLedger()
    let ledger = try bench.open()
    // As many as there are from one pause for the work of others to the next.
    for _ in 0..<42 {
      try ledger.transaction { transaction in
        for _ in 0..<100 { try transaction.toggle(transaction.upsert(TaskItem(body: ""))) }
      }
    }
    try ledger.sealNow()
    try ledger.upsert(TaskItem(body: "Later"))
    let writer = LogWriter(
      try LogOpening.open(bench.directory, pool: ZstdPool()).view,
      options: bench.configuration.storeOptions, clock: bench.configuration.clock)
    try writer.begin()
    try writer.rotate()
    writer.end()
    let before = bench.directory.contents()
    let plan = try ledger.compactionPlan(.fold(before: .sequence(4200)))
    #expect(plan.horizon == 4200)
    #expect(bench.directory.contents() == before)
  }
}
