import LedgerTestSupport
import TaskLedger
import Testing

/// Of what was acknowledged last no later frame says that it was durable: LOCK does.
@Suite struct `The end of what was acknowledged` {
  private func imported() throws -> TestDisk {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 1000))
    try ledger.appendGroup { group in
      for number in 1...20 {
        try group.transaction(author: "tester") {
          _ = try $0.upsert(TaskItem(id: TaskID("task \(number)"), body: "One of twenty"))
        }
      }
    }
    return disk.processKilled()
  }

  private func expectDamage(_ disk: TestDisk, _ context: Comment) throws {
    let before = disk.files
    #expect(throws: LedgerError.self, context) { try disk.open().replay() }
    #expect(throws: LedgerError.self, context) { try disk.open().upsert(TaskItem(body: "on top")) }
    #expect(disk.files == before, context)
    #expect(try !disk.verify().isSound, context)
  }

  @Test func `is missed when a bit of it flips, wherever in a batch that one sync made durable`()
    throws
  {
    let disk = try imported()
    let bytes = try #require(disk.files[disk.activeFile])
    for offset in stride(from: 64, to: disk.endOfActiveFile, by: 37) {
      let damaged = disk.processKilled()
      var other = bytes
      other[offset] ^= 0x10
      try damaged.overwrite(damaged.activeFile, with: other)
      try expectDamage(damaged, "byte \(offset)")
    }
  }

  @Test func `is missed when it turns to zeros, and repair names what is lost`() throws {
    let disk = try imported()
    var bytes = try #require(disk.files[disk.activeFile])
    let (start, end) = (112, disk.endOfActiveFile)
    for offset in (start + end) / 2..<end { bytes[offset] = 0 }
    try disk.overwrite(disk.activeFile, with: bytes)
    try expectDamage(disk, "half of it is zeros")
    let repair = try disk.repair()
    #expect(repair.lost.ranges.map(\.upperBound) == [20])
    #expect(repair.lost.count >= 5 && repair.lost.count <= 15)
    #expect(try disk.verify().isSound)
    #expect(try disk.open().replay().tasks == 20 - Int(repair.lost.count))
    try disk.open().upsert(TaskItem(id: "next", body: "Goes on"))
    #expect(try disk.open().lastSequence == 21)
  }

  @Test func `is not believed where LOCK is damaged, and nothing else is`() throws {
    let disk = try imported()
    let lock = try #require(disk.files["LOCK"])
    for offset in lock.indices {
      let damaged = disk.processKilled()
      var other = lock
      other[offset] ^= 1
      try damaged.overwrite("LOCK", with: other)
      #expect(try damaged.open().replay().events == 20, "byte \(offset)")
    }
  }

  @Test
  func `is another one after every change, and after a power cut no later than what is there`()
    throws
  {
    let disk = try imported()
    let ledger = try disk.open(configuration: .forTests(sealEvents: 1000))
    for number in 1...5 {
      try ledger.toggle(TaskID("task \(number)"))
      for left in [disk.powerCut(), disk.powerCut(tearing: UInt64(number)), disk.processKilled()] {
        #expect(try left.open().lastSequence == UInt64(20 + number))
      }
    }
  }
}
