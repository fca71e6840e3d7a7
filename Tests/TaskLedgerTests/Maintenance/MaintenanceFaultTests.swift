import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Maintenance that is interrupted: the ledger holds the same events, and the next run does the rest.
@Suite struct `Maintenance that is interrupted` {
  private let bench: BackupBench
  private let policy: MaintenancePolicy

  init() throws {
    bench = try BackupBench(sealEvents: 6)
    // One segment that is sealed, and one that is not.
    var policy = MaintenancePolicy()
    policy.sealEvents = 1
    policy.verifyPercent = 60
    policy.snapshotEvents = 4
    policy.mergeSegments = 2
    self.policy = policy
  }

  @Test(arguments: [FaultKind.error, .lostAnswer, .shortWrite, .fullDisk, .lostPages])
  func `by a call that fails changes no event and is done by the next run`(
    _ kind: FaultKind
  ) throws {
    var n = 1
    var isMet = true
    while isMet {
      let disk = bench.disk.processKilled()
      let ledger = try bench.open(disk)
      disk.faults.arm(kind.plan(n))
      let report = try? ledger.maintain(policy)
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      #expect(report != nil || isMet)
      #expect(report?.damage == nil)
      let context: Comment = "\(kind), call \(n)"
      try check([disk.processKilled(), disk.powerCut(tearing: UInt64(n))][n % 2], context)
      n += 1
    }
    print("maintenance: \(kind) at each of \(n - 2) calls")
    #expect(n > 3)
  }

  @Test func `by a power cut at any call changes no event and is done by the next run`() throws {
    let disk = bench.disk.processKilled()
    let ledger = try bench.open(disk)
    let all = try disk.disks(beforeCallsOf: { _ = try ledger.maintain(policy) }, tearings: 0)
    #expect(all.count > 80)
    for (call, left) in all { try check(left, "before \(call)") }
  }

  private func check(_ disk: TestDisk, _ context: Comment) throws {
    try expectSound(disk, context)
    let ledger = try bench.open(disk)
    let report = try #require(try ledger.maintain(policy), context)
    #expect(report.damage == nil, context)
    #expect(try ledger.maintain(policy, isDryRun: true)?.steps[3].outcome == .notDue, context)
    #expect(try ledger.statistics().segments.map(\.kind) == ["sealed", "active"], context)
    #expect(try bench.leftOver(disk) == [], context)
    #expect(LedgerCheck.problems(ledger, bench.book.entries, audits: false) == [], context)
  }
}
