import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

@Suite struct `A power cut` {
  @Test func `right after an acknowledgement loses nothing`() throws {
    let chores = try Chores()
    let disk = TestDisk()
    let ledger = try disk.create(configuration: chores.configuration)
    let book = Bookkeeper()
    try expectWhole(disk.powerCut(), [])
    for step in chores.steps {
      chores.clock.advance(milliseconds: 1000)
      try book.transaction(ledger, step)
      #expect(notDurable(disk) == [])
      try expectWhole(disk.powerCut(), book.entries)
    }
    let statistics = try ledger.statistics()
    #expect(statistics.segments.count { $0.kind == "sealed" } >= 3, "\(statistics.segments)")
  }

  @Test func `at any call loses nothing that was acknowledged and leaves nothing half done`() throws
  {
    let chores = try Chores()
    let cuts = PowerCuts()
    let disk = TestDisk()
    let book = Bookkeeper()
    disk.faults.onCall { [memory = disk.memory] call in
      cuts.take(memory, call, book.entries)
    }
    let ledger = try disk.create(configuration: chores.configuration)
    let created = cuts.count
    #expect(chores.run(ledger, book).isEmpty)
    disk.faults.onCall(nil)
    for (place, cut) in cuts.all.enumerated() { try check(cut, mayBeMissing: place < created) }
    print("power cuts at \(cuts.count) calls, \(created) of them while the ledger was made")
  }

  private func check(_ cut: PowerCuts.Cut, mayBeMissing: Bool) throws {
    for (disk, isTorn) in cut.disks {
      let context: Comment = "power cut before \(cut.call)\(isTorn ? ", torn" : "")"
      do throws(LedgerError) {
        try expectWhole(disk, cut.entries, mayHaveTail: isTorn, context)
      } catch {
        #expect(error.code == .notFound && mayBeMissing, "\(context): \(error)")
        // What is left must not be in the way.
        let ledger = try disk.create()
        try ledger.upsert(TaskItem(body: "first"))
        try expectSound(disk, context)
      }
    }
  }

  /// What is not durable when a transaction is acknowledged, but for what need not be: the mark in LOCK, which is a hint to
  /// running processes, and the absence of files that nothing needs.
  private func notDurable(_ disk: TestDisk) -> [String] {
    disk.faults.trace.notDurable()
      .filter { $0.kind != .unlink && !($0.kind == .write && $0.name == LedgerNames.lock) }
      .map(\.description)
  }
}

/// Power cuts of a disk at each call, each orderly and torn.
private final class PowerCuts: Sendable {
  struct Cut {
    let call: Call
    let disks: [(disk: TestDisk, isTorn: Bool)]
    /// What had been asked for and acknowledged by then.
    let entries: [Bookkeeper.Entry]
  }

  private let cuts = Guarded<[Cut]>([])

  var all: [Cut] { cuts.withLock { $0 } }
  var count: Int { cuts.withLock { $0.count } }

  func take(_ memory: MemoryDirectory, _ call: Call, _ entries: [Bookkeeper.Entry]) {
    guard CallKind.mutating.contains(call.kind) else { return }
    let seed = UInt64(call.number)
    let disks = [
      (TestDisk(memory.powerCut()), false),
      (TestDisk(memory.powerCut(tearing: seed)), true),
      (TestDisk(memory.powerCut(tearing: seed << 32)), true),
    ]
    cuts.withLock { $0.append(Cut(call: call, disks: disks, entries: entries)) }
  }
}
