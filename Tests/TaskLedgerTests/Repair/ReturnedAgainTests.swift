import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Events that a repair had put on record as lost were put back, and something is lost again.
@Suite struct `Events that had returned to a ledger, where more is damaged or lost` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 100)

  /// A ledger of six events, of which the third to the fifth were lost and have returned, in a file of their own.
  private func withReturnedEvents() throws -> (disk: TestDisk, file: String) {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...2)
    try ledger.sealNow()
    try ledger.appendTasks(3...5)
    let active = try disk.newestActive
    let whole = try #require(disk.files[active])
    try disk.remove(active)
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(3...5))
    try disk.open(configuration: configuration).appendTasks(6...6)
    try disk.overwrite(active, with: whole)
    #expect(try disk.repair(configuration: configuration).returned == SequenceRanges(3...5))
    return (disk, try #require(disk.files.keys.first { $0.hasSuffix(".salvaged") }))
  }

  @Test func `are kept in a segment to which all that it had lost returned`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...2)
    try ledger.sealNow()
    try ledger.appendTasks(3...4)
    try ledger.sealNow()
    let second = try #require(disk.files.keys.filter { $0.hasSuffix(".sealed") }.max())
    try ledger.appendTasks(5...5)
    let active = try disk.newestActive
    let whole = try #require(disk.files[active])
    try disk.remove(second)
    try disk.damageEnd(of: active)
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(3...5))
    try disk.open(configuration: configuration).appendTasks(6...6)
    try disk.overwrite(active, with: whole)
    #expect(try disk.repair(configuration: configuration).returned == SequenceRanges(5...5))
    try disk.loseList()
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(3...4))
    let left = try LedgerCheck.allEvents(of: disk.open(configuration: configuration))
    #expect(left.map(\.sequence) == [1, 2, 5, 6])
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [true, false])
  func `are kept as far as the file that has them is intact`(
    hasList: Bool
  ) throws {
    let (disk, file) = try withReturnedEvents()
    let bytes = try #require(disk.files[file])
    for place in stride(from: 0, to: bytes.count, by: 7) {
      let left = disk.processKilled()
      var damaged = bytes
      damaged[place] ^= 4
      try left.overwrite(file, with: damaged)
      if !hasList { try left.loseList() }
      let plan = try Ledger.repairPlan(left.faults, configuration)
      let repair = try left.repair(configuration: configuration)
      #expect(repair.lost == plan.lost, "byte \(place)")
      let kept = try LedgerCheck.allEvents(of: left.open(configuration: configuration))
      let lost = repair.lost.clamped(to: 3...5).count
      #expect(kept.count == 6 - Int(lost), "byte \(place)")
      #expect(try left.verify().isSound, "byte \(place)")
    }
  }

  @Test(arguments: [6, 3])
  func `return where a log digest binds them that a repair made up`(
    damaged: Int
  ) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...damaged)
    let active = try disk.newestActive
    let end = try #require(disk.files[active]?.lastIndex { $0 != 0 })
    if damaged < 6 { try ledger.appendTasks(damaged + 1...6) }
    let whole = try #require(disk.files[active])
    let events = try LedgerCheck.allEvents(of: ledger)
    var bytes = whole
    bytes[end] ^= 1
    try disk.overwrite(active, with: bytes)
    let lost = SequenceRanges(UInt64(damaged)...UInt64(damaged))
    #expect(try disk.repair(configuration: configuration).lost == lost)
    let later = try disk.open(configuration: configuration)
    try later.appendTasks(7...9)
    try later.sealNow()
    try later.appendTasks(10...10)
    try disk.loseList()
    for file in disk.files.keys where file.hasSuffix(".salvaged") || file == active {
      try disk.remove(file)
    }
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(1...6))
    try disk.overwrite(active, with: whole)
    #expect(try disk.verify().isSound)
    #expect(try disk.repair(configuration: configuration).returned == SequenceRanges(1...6))
    let left = try LedgerCheck.allEvents(of: disk.open(configuration: configuration))
    #expect(left.count == 10 && Array(left.prefix(6)) == events)
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [true, false])
  func `are missing from no snapshot that is still named`(inOrder: Bool) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...2)
    try ledger.sealNow()
    let first = try #require(disk.files.keys.first { $0.hasSuffix(".sealed") })
    try ledger.appendTasks(3...4)
    try ledger.sealNow()
    try ledger.appendTasks(5...6)
    let whole = disk.processKilled()
    let digest = try ledger.replay().digest
    let away = [first, try disk.newestActive]
    for file in away + ["LOCK"] { try disk.remove(file) }
    _ = try disk.repair(configuration: configuration)
    _ = try disk.open(configuration: configuration).snapshot()
    for file in inOrder ? away : away.reversed() {
      try disk.overwrite(file, with: try #require(whole.files[file]))
    }
    _ = try disk.repair(configuration: configuration)
    let left = try disk.open(configuration: configuration)
    #expect(try left.tasks().count == 6 && left.task("task 1") != nil)
    #expect(try left.replay().digest == digest)
    #expect(try disk.verify().isSound)
  }

  @Test func `and are lost again, leave a damaged file that may have some where it is`() throws {
    let (disk, file) = try withReturnedEvents()
    var bytes = try #require(disk.files[file])
    try disk.remove(file)
    // A reader can have kept the file from which the events had returned.
    for other in disk.files.keys where other.hasPrefix("segments/0000000000000003") {
      try disk.remove(other)
    }
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(3...5))
    // Two bits, which nothing puts right.
    bytes[bytes.count - 20] ^= 3
    try disk.overwrite(file, with: bytes)
    try Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).removeUnneededFiles()
    _ = try disk.open(configuration: configuration).compact()
    #expect(disk.files[file] == bytes)
    #expect(try !disk.verify().isSound)
  }
}
