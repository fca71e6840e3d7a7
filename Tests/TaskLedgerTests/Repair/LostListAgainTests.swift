import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// The list of files is lost, or a wrong one was put there, when something else was wrong before, or is as well.
@Suite struct `A list of files that is lost beside other damage` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 100)

  private func append(_ numbers: ClosedRange<Int>, to ledger: Ledger) throws {
    for number in numbers {
      try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
    }
  }

  private func activeFile(_ disk: TestDisk) throws -> String {
    try #require(disk.files.keys.filter { $0.hasSuffix(".active") }.max())
  }

  private func loseList(_ disk: TestDisk) throws {
    for file in disk.files.keys where file == "CURRENT" || file.hasPrefix("MANIFEST") {
      try disk.remove(file)
    }
  }

  /// Flips a bit of the last frame.
  private func damageEnd(of file: String, _ disk: TestDisk) throws {
    var bytes = try #require(disk.files[file])
    let last = try #require(bytes.lastIndex { $0 != 0 })
    bytes[last] ^= 1
    try disk.overwrite(file, with: bytes)
  }

  /// A ledger of six events, of which the third to the fifth were lost and have returned, in a file of their own.
  private func withReturnedEvents() throws -> (disk: TestDisk, file: String) {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...2, to: ledger)
    try ledger.sealNow()
    try append(3...5, to: ledger)
    let active = try activeFile(disk)
    let whole = try #require(disk.files[active])
    try disk.remove(active)
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(3...5))
    try append(6...6, to: disk.open(configuration: configuration))
    try disk.overwrite(active, with: whole)
    #expect(try disk.repair(configuration: configuration).returned == SequenceRanges(3...5))
    return (disk, try #require(disk.files.keys.first { $0.hasSuffix(".salvaged") }))
  }

  @Test func `keeps a segment to which all its lost events had returned`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...2, to: ledger)
    try ledger.sealNow()
    try append(3...4, to: ledger)
    try ledger.sealNow()
    let second = try #require(disk.files.keys.filter { $0.hasSuffix(".sealed") }.max())
    try append(5...5, to: ledger)
    let active = try activeFile(disk)
    let whole = try #require(disk.files[active])
    try disk.remove(second)
    try damageEnd(of: active, disk)
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(3...5))
    try append(6...6, to: disk.open(configuration: configuration))
    try disk.overwrite(active, with: whole)
    #expect(try disk.repair(configuration: configuration).returned == SequenceRanges(5...5))
    try loseList(disk)
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(3...4))
    let left = try LedgerCheck.allEvents(of: disk.open(configuration: configuration))
    #expect(left.map(\.sequence) == [1, 2, 5, 6])
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [true, false])
  func `keeps what is intact of a segment to which its events had returned`(
    hasList: Bool
  ) throws {
    let (disk, file) = try withReturnedEvents()
    let bytes = try #require(disk.files[file])
    for place in stride(from: 0, to: bytes.count, by: 7) {
      let left = disk.processKilled()
      var damaged = bytes
      damaged[place] ^= 4
      try left.overwrite(file, with: damaged)
      if !hasList { try loseList(left) }
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
  func `takes events back that are bound by a log digest which a repair made up`(
    damaged: Int
  ) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...damaged, to: ledger)
    let active = try activeFile(disk)
    let end = try #require(disk.files[active]?.lastIndex { $0 != 0 })
    if damaged < 6 { try append(damaged + 1...6, to: ledger) }
    let whole = try #require(disk.files[active])
    let events = try LedgerCheck.allEvents(of: ledger)
    var bytes = whole
    bytes[end] ^= 1
    try disk.overwrite(active, with: bytes)
    let lost = SequenceRanges(UInt64(damaged)...UInt64(damaged))
    #expect(try disk.repair(configuration: configuration).lost == lost)
    let later = try disk.open(configuration: configuration)
    try append(7...9, to: later)
    try later.sealNow()
    try append(10...10, to: later)
    try loseList(disk)
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
  func `leaves no byte behind the frames where the ledger goes on as another replica`(
    hasWord: Bool
  ) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...3, to: ledger)
    try ledger.sealNow()
    try append(4...4, to: ledger)
    let active = try activeFile(disk)
    try damageEnd(of: active, disk)
    let bytes = disk.files[active]
    try loseList(disk)
    if !hasWord { try disk.remove("LOCK") }
    _ = try disk.repair(configuration: configuration)
    #expect(disk.files.contains { $0.key.hasPrefix("aside/") && $0.value == bytes })
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [true, false])
  func `is told with the events that only a snapshot is left of`(hasActive: Bool) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...3, to: ledger)
    try ledger.sealNow()
    let old = try activeFile(disk)
    let empty = try #require(disk.files[old])
    try append(4...6, to: ledger)
    try ledger.sealNow()
    _ = try ledger.snapshot()
    try loseList(disk)
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
    try append(7...7, to: left)
    #expect(try left.lastSequence == 7)
  }

  @Test(arguments: [true, false])
  func `is damage where no event is left either`(hasSnapshot: Bool) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...3, to: ledger)
    try ledger.sealNow()
    if hasSnapshot { _ = try ledger.snapshot() }
    try loseList(disk)
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
    try append(1...2, to: ledger)
    try ledger.backup(to: backup.faults)
    try append(3...4, to: ledger)
    for number in 0..<seals {
      try ledger.sealNow()
      try append(5 + number...5 + number, to: ledger)
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
    try append(9...9, to: left)
    #expect(try disk.verify().isSound)
    #expect(try backup.verify().isSound)
  }

  @Test func `is sound but for what is put back and cannot be read, as repair says, too`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...3, to: ledger)
    try ledger.sealNow()
    try append(4...4, to: ledger)
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

  @Test(arguments: [true, false])
  func `names no snapshot that was made without events which are back`(inOrder: Bool) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...2, to: ledger)
    try ledger.sealNow()
    let first = try #require(disk.files.keys.first { $0.hasSuffix(".sealed") })
    try append(3...4, to: ledger)
    try ledger.sealNow()
    try append(5...6, to: ledger)
    let whole = disk.processKilled()
    let digest = try ledger.replay().digest
    let away = [first, try activeFile(disk)]
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

  @Test func `is not made of another ledger's segments where something else of its own is left`()
    throws
  {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try append(1...3, to: ledger)
    try ledger.sealNow()
    _ = try ledger.snapshot()
    let other = TestDisk()
    let stranger = try other.create(configuration: configuration)
    try append(1...1, to: stranger)
    try stranger.sealNow()
    let file = try #require(other.files.keys.first { $0.hasSuffix(".sealed") })
    try loseList(disk)
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
    try append(1...2, to: ledger)
    try ledger.sealNow()
    try append(3...6, to: ledger)
    let events = try LedgerCheck.allEvents(of: ledger)
    let active = try activeFile(disk)
    let whole = try #require(disk.files[active])
    let end = try #require(whole.lastIndex { $0 != 0 })
    // In the header, in the first frame, in between, and in the last one.
    for place in [20, 130, end / 2, end] {
      let left = disk.processKilled()
      var damaged = whole
      damaged[place] ^= 1
      try left.overwrite(active, with: damaged)
      try left.overwrite("segments/found", with: whole)
      if !hasList { try loseList(left) }
      if !hasWord { try left.forgetDurableEnd() }
      #expect(try left.repair(configuration: configuration).lost.isEmpty, "byte \(place)")
      // Without word of the last frame, a damaged one is what a crash leaves.
      let kept = try LedgerCheck.allEvents(of: left.open(configuration: configuration))
      let isTorn = place == end && hasList && !hasWord
      #expect(kept == (isTorn ? events.dropLast() : events[...]).map(\.self), "byte \(place)")
      #expect(try left.verify().isSound, "byte \(place)")
    }
  }

  @Test func `and was that of one of two ledgers in the folder, is not chosen for anybody`() throws
  {
    let disks = [TestDisk(), TestDisk()]
    for (number, disk) in disks.enumerated() {
      let ledger = try disk.create(configuration: configuration)
      try append(1...2 + number, to: ledger)
      for _ in 0...number { try ledger.sealNow() }
      try append(9...9, to: ledger)
      if number == 1 {
        try ledger.sealNow()
        try append(10...10, to: ledger)
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

  @Test func `keeps a damaged segment of events that are lost, whatever had happened to it`() throws
  {
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
