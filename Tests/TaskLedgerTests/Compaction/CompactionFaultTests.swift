import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A compaction that is interrupted: the ledger has the old segments or the new ones, and the next one goes on from there.
@Suite struct `A compaction that is interrupted` {
  /// What there is to do: segments that somebody still has to merge, and one that waits to be sealed.
  private struct Start {
    let chores: Chores
    let disk: TestDisk
    let book: [Bookkeeper.Entry]

    init() throws {
      var chores = try Chores()
      // Three segments, not yet enough to merge by themselves.
      chores.sealEvents = 5
      let (disk, book) = try chores.made()
      let keeper = Bookkeeper(book)
      _ = chores.run(try disk.open(configuration: chores.configuration), keeper)
      (self.chores, self.disk, self.book) = (chores, disk, keeper.entries)
    }

    func open(_ disk: TestDisk) throws -> Ledger {
      try disk.open(configuration: chores.configuration)
    }
  }

  @Test(arguments: FaultKind.allCases)
  func `by a call that fails changes no event and can be done again`(_ kind: FaultKind) throws {
    let start = try Start()
    var n = 1
    var isMet = true
    while isMet {
      let disk = start.disk.processKilled()
      let ledger = try start.open(disk)
      disk.faults.arm(kind.plan(n))
      let compaction = try? ledger.compact()
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      #expect(compaction != nil || isMet)
      if kind == .anyError || kind == .gone {
        // With reads among them there are so many calls that a glance must do.
        try expectHolds(disk.powerCut(tearing: UInt64(n)), start.book, "\(kind), call \(n)")
      } else {
        for left in [disk.processKilled(), disk.powerCut(), disk.powerCut(tearing: UInt64(n))] {
          try check(left, start, "\(kind), call \(n)")
        }
      }
      // The handle goes on.
      _ = try ledger.compact()
      #expect(LedgerCheck.problems(ledger, start.book) == [], "\(kind), call \(n)")
      #expect(try ledger.compactionPlan().steps.isEmpty)
      n += 1
    }
    print("a compaction: \(kind) at each of \(n - 2) calls")
    #expect(n > 3)
  }

  @Test func `by a power cut at any call changes no event and can be done again`() throws {
    let start = try Start()
    let disk = start.disk.processKilled()
    let ledger = try start.open(disk)
    let all = try disk.disks(beforeCallsOf: { _ = try ledger.compact() }, tearings: 2)
    #expect(all.count > 40)
    for (call, left) in all { try check(left, start, "before \(call)") }
  }

  /// The events are there; a compaction comes to the same end as one that was never interrupted; no file is left over.
  private func check(_ disk: TestDisk, _ start: Start, _ context: Comment) throws {
    try expectHolds(disk, start.book, context)
    try expectSound(disk, context)
    let ledger = try start.open(disk)
    _ = try ledger.compact()
    try ledger.sealNow()
    #expect(try ledger.statistics().segments.count { $0.kind == "sealed" } <= 2, context)
    let named = Set(try ledger.statistics().segments.map(\.file))
    #expect(Set(disk.files.keys.filter { $0.hasPrefix("segments/") }) == named, context)
    #expect(LedgerCheck.problems(ledger, start.book) == [], context)
    try expectWhole(disk, start.book, context)
  }
}
