import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// The list of files is lost, or a wrong one was put there, when something else was wrong before, or is as well.
@Suite struct `A list of files that is lost beside other damage` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 100)

  @Test(arguments: [true, false])
  func `leaves no byte behind the frames where the ledger goes on as another replica`(
    hasWord: Bool
  ) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...3)
    try ledger.sealNow()
    try ledger.appendTasks(4...4)
    let active = try disk.newestActive
    try disk.damageEnd(of: active)
    let bytes = disk.files[active]
    try disk.loseList()
    if !hasWord { try disk.remove("LOCK") }
    _ = try disk.repair(configuration: configuration)
    #expect(disk.files.contains { $0.key.hasPrefix("aside/") && $0.value == bytes })
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [true, false])
  func `is told with the events that only a snapshot is left of`(hasActive: Bool) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...3)
    try ledger.sealNow()
    let old = try disk.newestActive
    let empty = try #require(disk.files[old])
    try ledger.appendTasks(4...6)
    try ledger.sealNow()
    _ = try ledger.snapshot()
    try disk.loseList()
    for file in disk.files.keys
    where file.hasPrefix("segments/0000000000000004") || file.hasSuffix(".active") {
      try disk.remove(file)
    }
    try disk.remove("LOCK")
    if hasActive { try disk.overwrite(old, with: empty) }
    let found = try disk.verify()
    #expect(!found.isSound && found.lost == SequenceRanges(4...6))
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(4...6))
    let left = try disk.open(configuration: configuration)
    try left.appendTasks(7...7)
    #expect(try left.lastSequence == 7)
  }

  @Test(arguments: [true, false])
  func `is damage where no event is left either`(hasSnapshot: Bool) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...3)
    try ledger.sealNow()
    if hasSnapshot { _ = try ledger.snapshot() }
    try disk.loseList()
    for file in disk.files.keys where file.hasSuffix(".sealed") { try disk.remove(file) }
    let found = try disk.verify()
    #expect(!found.isSound && found.lost == SequenceRanges(1...3))
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(1...3))
  }

  @Test(arguments: [0, 1, 2])
  func `is found where a backup was put over the newer ledger`(seals: Int) throws {
    let disk = TestDisk()
    let backup = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...2)
    try ledger.backup(to: backup.faults)
    try ledger.appendTasks(3...4)
    for number in 0..<seals {
      try ledger.sealNow()
      try ledger.appendTasks(5 + number...5 + number)
    }
    let events = try LedgerCheck.allEvents(of: ledger)
    for (file, bytes) in backup.files { try disk.overwrite(file, with: bytes) }
    #expect(try !disk.verify().isSound)
    let target = TestDisk()
    let error = #expect(throws: LedgerError.self) {
      try Ledger.restore(
        from: disk.faults, to: target.faults, configuration: configuration)
    }
    #expect(error?.code == .damaged)
    #expect(try disk.repair(configuration: configuration).lost.isEmpty)
    let left = try disk.open(configuration: configuration)
    #expect(try LedgerCheck.allEvents(of: left) == events)
    try left.appendTasks(9...9)
    #expect(try disk.verify().isSound)
    #expect(try backup.verify().isSound)
  }

  @Test func `is sound but for what is put back and cannot be read, as repair says, too`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...3)
    try ledger.sealNow()
    try ledger.appendTasks(4...4)
    let file = try #require(disk.files.keys.first { $0.hasSuffix(".sealed") })
    let bytes = try #require(disk.files[file])
    try disk.remove(file)
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(1...3))
    try disk.overwrite(file, with: Array(bytes.prefix(200)))
    #expect(try !disk.verify().isSound)
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.steps.isEmpty && repair.leftAlone.map(\.path) == ["disk/\(file)"])
    #expect(disk.files[file]?.count == 200)
  }

  @Test func `is not made of another ledger's segments where something else of its own is left`()
    throws
  {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...3)
    try ledger.sealNow()
    _ = try ledger.snapshot()
    let other = TestDisk()
    let stranger = try other.create(configuration: configuration)
    try stranger.appendTasks(1...1)
    try stranger.sealNow()
    let file = try #require(other.files.keys.first { $0.hasSuffix(".sealed") })
    try disk.loseList()
    for name in disk.files.keys where name.hasPrefix("segments/") { try disk.remove(name) }
    try disk.overwrite(file, with: try #require(other.files[file]))
    let error = #expect(throws: LedgerError.self) {
      try disk.repair(configuration: configuration)
    }
    #expect(error?.code == .damaged && error?.message.contains("several ledgers") == true)
  }

  @Test(arguments: [true, false], [true, false])
  func `or the active segment is damaged, takes its events from a whole copy beside it`(
    hasList: Bool, hasWord: Bool
  ) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.appendTasks(1...2)
    try ledger.sealNow()
    try ledger.appendTasks(3...6)
    let events = try LedgerCheck.allEvents(of: ledger)
    let active = try disk.newestActive
    let whole = try #require(disk.files[active])
    let end = try #require(whole.lastIndex { $0 != 0 })
    // In the header, in the first frame, in between, and in the last one.
    for place in [20, 130, end / 2, end] {
      let left = disk.processKilled()
      var damaged = whole
      damaged[place] ^= 1
      try left.overwrite(active, with: damaged)
      try left.overwrite("segments/found", with: whole)
      if !hasList { try left.loseList() }
      if !hasWord { try left.forgetDurableEnd() }
      #expect(try left.repair(configuration: configuration).lost.isEmpty, "byte \(place)")
      let kept = try LedgerCheck.allEvents(of: left.open(configuration: configuration))
      #expect(kept == events, "byte \(place)")
      #expect(try left.verify().isSound, "byte \(place)")
    }
  }

  @Test func `and was that of one of two ledgers in the folder, is not chosen for anybody`() throws
  {
    let disks = [TestDisk(), TestDisk()]
    for (number, disk) in disks.enumerated() {
      let ledger = try disk.create(configuration: configuration)
      try ledger.appendTasks(1...2 + number)
      for _ in 0...number { try ledger.sealNow() }
      try ledger.appendTasks(9...9)
      if number == 1 {
        try ledger.sealNow()
        try ledger.appendTasks(10...10)
      }
    }
    for (file, bytes) in disks[1].files where file != "LOCK" && file != "CURRENT" {
      try disks[0].overwrite(file, with: bytes)
    }
    try disks[0].remove("CURRENT")
    let before = disks[0].lastingFiles
    let error = #expect(throws: LedgerError.self) {
      try disks[0].repair(configuration: configuration)
    }
    #expect(error?.code == .damaged && error?.message.contains("several ledgers") == true)
    #expect(disks[0].holds(before))
  }
}
