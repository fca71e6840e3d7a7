import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A snapshot whose making is interrupted: the ledger has the old ones or the new one, and the same answers.
@Suite struct `A snapshot that is interrupted` {
  private let bench: SnapshotBench
  private let digest: String

  init() throws {
    bench = try SnapshotBench()
    digest = try bench.open().replay().digest
  }

  @Test(arguments: FaultKind.allCases)
  func `by a call that fails changes nothing and can be made again`(_ kind: FaultKind) throws {
    var n = 1
    var isMet = true
    while isMet {
      let disk = bench.disk.processKilled()
      let ledger = try bench.open(disk)
      disk.faults.arm(kind.plan(n))
      let made = try? ledger.snapshot()
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      #expect(made != nil || isMet, "\(kind), call \(n)")
      try check(disk.powerCut(tearing: UInt64(n)), "\(kind), call \(n)")
      if kind != .anyError, kind != .gone { try check(disk.processKilled(), "\(kind), call \(n)") }
      n += 1
    }
    #expect(n > 3)
  }

  @Test func `by a power cut at any call changes nothing and can be made again`() throws {
    let disk = bench.disk.processKilled()
    let ledger = try bench.open(disk)
    let all = try disk.disks(beforeCallsOf: { _ = try ledger.snapshot() })
    #expect(all.count > 20)
    for (call, left) in all { try check(left, "before \(call)") }
  }

  /// The ledger is sound, says the same from whatever snapshot it has, and can make one; nothing is left over.
  private func check(_ disk: TestDisk, _ context: Comment) throws {
    let found = try disk.verify()
    #expect(found.isSound && found.digest == digest, context)
    #expect(found.files.allSatisfy { $0.isSoundOrTornOrUnneeded }, context)
    let ledger = try bench.open(disk)
    #expect(try ledger.replay(fromSnapshot: true).digest == digest, context)
    #expect(ledger.takeNotices().allSatisfy { !$0.contains("snapshot") }, context)
    let made = try ledger.snapshot()
    #expect(made?.digest == digest, context)
    #expect(try ledger.replay(fromSnapshot: true).snapshot == made?.sequence, context)
  }
}

extension Verification.File {
  fileprivate var isSoundOrTornOrUnneeded: Bool {
    if case .tornTail = status { true } else { isSoundOrUnneeded }
  }
}
