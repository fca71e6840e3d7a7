import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The nth call fails, for n = 1, 2, … until a run meets no fault. Whatever fails, what was acknowledged is there.
@Suite struct `When the nth call fails` {
  @Test(arguments: FaultKind.allCases)
  func `appends keep what they acknowledged`(_ kind: FaultKind) throws {
    var chores = try Chores()
    chores.sealEvents = 1000
    let start = try chores.made()
    try untilNoFault(kind, "appends") { n throws in
      try Run(start, chores, failing: kind.plan(n), steps: 8).check("\(kind), call \(n)")
    }
  }

  @Test(arguments: FaultKind.allCases)
  func `rotating and sealing keep what was acknowledged`(_ kind: FaultKind) throws {
    let chores = try Chores()
    let start = try chores.made()
    // With reads among them there are so many calls that fewer transactions must do.
    let steps = kind == .anyError || kind == .gone ? 6 : chores.steps.count
    try untilNoFault(kind, "appends that rotate and seal") { n throws in
      try Run(start, chores, failing: kind.plan(n), steps: steps).check("\(kind), call \(n)")
    }
  }

  @Test(arguments: FaultKind.allCases)
  func `moving a torn tail aside loses nothing`(_ kind: FaultKind) throws {
    let chores = try Chores()
    let start = try chores.made(withTail: true)
    try untilNoFault(kind, "a torn tail") { n throws in
      try Run(start, chores, failing: kind.plan(n), steps: 3).check("\(kind), call \(n)")
    }
  }

  @Test(arguments: FaultKind.allCases)
  func `a ledger that could not be made can be made afterwards`(_ kind: FaultKind) throws {
    let chores = try Chores()
    try untilNoFault(kind, "making a ledger") { n throws in
      let disk = TestDisk()
      disk.faults.arm(kind.plan(n))
      let isMade = (try? disk.create(configuration: chores.configuration)) != nil
      disk.faults.disarm()
      for left in [disk.processKilled(), disk.powerCut()] {
        do throws(LedgerError) {
          let ledger = try left.create(configuration: chores.configuration)
          #expect(!isMade, "\(kind), call \(n): it was there, and is gone")
          #expect(try ledger.lastSequence == 0)
        } catch {
          // What failed may have been done all the same.
          #expect(error.code == .alreadyExists, "\(kind), call \(n): \(error)")
        }
        try expectWhole(left, [], "\(kind), call \(n)")
      }
      return disk.faults.faultsMet > 0
    }
  }

  /// Calls `run` with 1, 2, … until it says that no fault was met.
  private func untilNoFault(
    _ kind: FaultKind, _ what: String, _ run: (Int) throws -> Bool
  ) throws {
    var n = 1
    while try run(n) { n += 1 }
    print("\(what): \(kind) at each of \(n - 1) calls")
    #expect(n > 1)
  }
}

/// One run of the chores with a fault, and what it left.
private struct Run {
  let disk: TestDisk
  let ledger: Ledger
  let book: Bookkeeper
  let errors: [LedgerError]
  let plan: FaultPlan
  /// How many calls had been made when each transaction began that was acknowledged.
  let acknowledgedFrom: [Int]

  init(
    _ start: (disk: TestDisk, book: [Bookkeeper.Entry]), _ chores: Chores, failing plan: FaultPlan,
    steps: Int
  ) throws {
    disk = start.disk.processKilled()
    ledger = try disk.open(configuration: chores.configuration)
    book = Bookkeeper(start.book)
    self.plan = plan
    disk.faults.arm(plan)
    var errors: [LedgerError] = []
    var acknowledgedFrom: [Int] = []
    for step in chores.steps.prefix(steps) {
      chores.clock.advance(milliseconds: 1000)
      let begun = disk.faults.trace.calls.count
      do {
        try book.transaction(ledger, step)
        acknowledgedFrom.append(begun)
      } catch {
        errors.append(LedgerError.wrapping(error))
      }
    }
    self.errors = errors
    self.acknowledgedFrom = acknowledgedFrom
    disk.faults.disarm()
  }

  /// Checks all that must hold; whether a fault was met.
  func check(_ context: Comment) throws -> Bool {
    let killed = disk.processKilled()
    let cut = disk.powerCut()
    let torn = disk.powerCut(tearing: 1)
    checkPoisoning(context)
    try expectWhole(killed, book.entries, mayHaveTail: true, context)
    for left in [cut, torn] {
      try expectHolds(left, book.entries, mayHaveTail: true, context)
    }
    try checkHandle(context)
    return disk.faults.faultsMet > 0
  }

  /// After a failed sync of the segment that it writes to, a handle acknowledges nothing more.
  private func checkPoisoning(_ context: Comment) {
    let calls = disk.faults.trace.calls
    let fresh = Set(calls.filter { $0.kind == .create }.compactMap(\.file))
    let failed = calls.first { call in
      guard call.kind == .sync, call.name.hasSuffix(".active"), case .failed = call.outcome else {
        return false
      }
      let isInUse = calls.contains {
        $0.number < call.number && $0.kind == .sync && $0.file == call.file && $0.outcome == .done
      }
      return isInUse || call.file.map(fresh.contains) == false
    }
    guard let failed else { return }
    let later = acknowledgedFrom.filter { $0 >= failed.number }
    #expect(later == [], "\(context): acknowledged after the failed \(failed)")
  }

  /// The handle that failed either works or says that it does not; after a full disk it works.
  private func checkHandle(_ context: Comment) throws {
    do {
      try book.transaction(ledger) { try $0.upsert(TaskItem(body: "one more")) }
    } catch let error as LedgerError {
      #expect(error.code == .poisoned, "\(context): \(error)")
      #expect(plan.errorNumber != ENOSPC, "\(context): the disk is no longer full: \(error)")
    }
    for left in [disk.processKilled(), disk.powerCut()] {
      try expectHolds(left, book.entries, mayHaveTail: true, "\(context), and one more")
    }
  }
}
