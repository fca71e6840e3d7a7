import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

extension FaultKind {
  /// Reads are many, and what differs little between kinds is tried at some calls only.
  fileprivate var step: Int {
    switch self {
    case .error, .lostPages: 1
    case .anyError, .gone: 131
    case .errors, .lostAnswer, .shortWrite, .fullDisk, .lostPagesEachTime: 9
    }
  }
}

/// A repair that is interrupted: the ledger is as damaged as before, or repaired, and the next one completes it.
@Suite struct `A repair that is interrupted` {
  /// A ledger with damage in a sealed segment, in frames, and in CURRENT; small, so that it can be repaired thousands of times.
  private struct Start {
    let bench: RepairBench
    let disk: TestDisk
    let left: [Event]
    let digest: String?
    let lost = SequenceRanges([7...12, 19...19, 25...25])

    init() throws {
      bench = try RepairBench.made(bodyBytes: 30)
      disk = try bench.disk(.flip, .middleSealed, other: bench)
      for place in [RepairBench.Place.frozen, .active] {
        var bytes = disk.files[bench.file(place)] ?? []
        bytes[112 + 88 + 4] ^= 1
        try disk.overwrite(bench.file(place), with: bytes)
      }
      var current = disk.files["CURRENT"] ?? []
      current[40] ^= 1
      try disk.overwrite("CURRENT", with: current)
      let lost = lost
      left = bench.events.filter { !lost.contains($0.sequence) }
      digest = RepairBench.plainDigest(left)
    }

    /// The next repair comes to the same end, whether this one was done or not.
    func check(_ disk: TestDisk, isDone: Bool, _ context: Comment) throws {
      let found = try disk.verify()
      #expect(found.isSound || !isDone, context)
      var gone = found.lost
      gone.formUnion(found.lostBefore)
      #expect(gone == lost && found.doubtful.isEmpty, context)
      let repair = try disk.repair(configuration: bench.configuration)
      #expect(repair.steps.isEmpty == found.isSound, context)
      let ledger = try disk.open(configuration: bench.configuration)
      #expect(try LedgerCheck.allEvents(of: ledger) == left, context)
      #expect(try ledger.replay().digest == digest, context)
      let after = try disk.verify()
      #expect(after.isSound && after.lostBefore == lost, context)
      try ledger.toggle("late")
    }
  }

  @Test(arguments: FaultKind.allCases)
  func `by a call that fails completes when it runs again`(_ kind: FaultKind) throws {
    let start = try Start()
    var n = 1
    var isMet = true
    while isMet {
      let disk = start.disk.processKilled()
      disk.faults.arm(kind.plan(n))
      let repair = try? disk.repair(configuration: start.bench.configuration)
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      #expect(repair != nil || isMet)
      let left = n % 2 == 0 ? disk.processKilled() : disk.powerCut(tearing: UInt64(n))
      try start.check(left, isDone: repair != nil, "\(kind), call \(n)")
      // What differs little between kinds is tried at some calls only.
      n += kind.step
    }
    print("a repair: \(kind) at calls up to \(n)")
    #expect(n > 3)
  }

  @Test func `by a power cut or a kill at any call completes when it runs again`() throws {
    let start = try Start()
    let disk = start.disk.processKilled()
    let all = try disk.disks(
      beforeCallsOf: { _ = try disk.repair(configuration: start.bench.configuration) })
    #expect(all.count > 30)
    // Three disks for each call: what was synced, and of the less orderly ends every other.
    for (place, left) in all.enumerated() where place % 3 == 0 || place % 2 == 0 {
      try start.check(left.disk, isDone: false, "before \(left.call)")
    }
  }
}
