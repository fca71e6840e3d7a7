import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A reader sees frames before they are synced. What becomes of them, it goes on reading what is the log then.
@Suite struct `A reader that saw frames of a write that failed` {
  @Test(arguments: [
    FaultPlan.Effect.nothing, .partial(100), .partial(1 << 20), .losesPages, .everything,
  ])
  func `reads on like one that did not`(_ effect: FaultPlan.Effect) throws {
    var n = 1
    var met = true
    while met {
      let chores = try Chores()
      let (disk, _) = try chores.made()
      let writer = try disk.open(configuration: chores.configuration)
      // It reads before each call that the writer makes, and its own calls do not fail.
      let reader = try Ledger(
        disk.memory, author: "reader", configuration: chores.configuration)
      disk.faults.arm(FaultPlan(fail: n, of: [.write, .sync], effect: effect))
      disk.faults.onCall { _ in _ = try reader.lastSequence }
      for step in chores.steps.prefix(5) { try? writer.transaction { try step($0) } }
      disk.faults.onCall(nil)
      met = disk.faults.faultsMet > 0
      disk.faults.disarm()
      for _ in 1...2 {
        let fresh = try disk.open(configuration: chores.configuration)
        #expect(try reader.lastSequence == fresh.lastSequence, "call \(n)")
        #expect(try reader.replay().digest == fresh.replay().digest, "call \(n)")
        // The other one that saw them writes on as well.
        try fresh.upsert(TaskItem(body: "after"))
        try reader.upsert(TaskItem(body: "and after that"))
      }
      n += 1
    }
    #expect(n > 5)
  }
}
