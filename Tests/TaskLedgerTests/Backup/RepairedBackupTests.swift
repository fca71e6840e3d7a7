import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// The original is gone, and the backup is damaged.
@Suite struct `A damaged backup` {
  private let bench: BackupBench
  private let backup = TestDisk()
  private let last: UInt64

  init() throws {
    bench = try BackupBench()
    let ledger = try bench.open()
    // Two transactions that are still frames.
    try bench.append(2)
    try ledger.backup(to: backup.faults)
    last = try bench.open().lastSequence
  }

  enum Damage: CaseIterable, Sendable { case flippedList, noCurrent, flippedCurrent, flippedFrame }

  private func damage(_ damage: Damage) throws {
    func flip(_ file: String, _ offset: Int) throws {
      var bytes = try #require(backup.files[file])
      bytes[offset] ^= 1
      try backup.overwrite(file, with: bytes)
    }
    switch damage {
    case .flippedList:
      try flip(try #require(backup.files.keys.filter { $0.hasPrefix("MANIFEST") }.max()), 60)
    case .noCurrent: try backup.remove("CURRENT")
    case .flippedCurrent: try flip("CURRENT", 35)
    case .flippedFrame:
      let frames = backup.files.filter { $0.key.hasSuffix(".active") && $0.value[112] != 0 }
      try flip(try #require(frames.keys.max()), 112 + 88 + 2)
    }
  }

  @Test(arguments: Damage.allCases)
  func `gives what is intact of it once it is repaired, and stays a backup`(
    _ damage: Damage
  ) throws {
    try self.damage(damage)
    #expect(throws: LedgerError.self) {
      try Ledger.restore(
        from: backup.faults, to: TestDisk().faults, configuration: bench.configuration)
    }
    let repair = try backup.repair(configuration: bench.configuration)
    #expect(repair.lost.isEmpty == (damage != .flippedFrame))
    #expect(try backup.verify().isSound)
    let restored = TestDisk()
    _ = try Ledger.restore(
      from: backup.faults, to: restored.faults, configuration: bench.configuration)
    #expect(try bench.open(restored).lastSequence == last)
    #expect(try bench.open(restored).lostEvents == repair.lost)
    if damage != .flippedList {
      #expect(throws: LedgerError.self) { try bench.open(backup).upsert(TaskItem(body: "new")) }
      // The next run, should the original be there after all, makes it whole.
      try bench.open().backup(to: backup.faults)
      #expect(try backup.verify().lostBefore.isEmpty)
    }
  }
}
