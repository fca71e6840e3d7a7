import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

@Suite struct `An append` {
  /// Neither is a segment closed on the way, nor a file extended.
  private static var configuration: LedgerConfiguration {
    var configuration = LedgerConfiguration.forTests(sealEvents: 1000)
    configuration.extensionBytes = 1 << 16
    return configuration
  }

  @Test func `in a process that has the ledger open makes eleven calls and opens nothing`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: Self.configuration)
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    for _ in 1...20 {
      let before = disk.faults.trace.calls.count
      try ledger.toggle("milk")
      let calls = disk.faults.trace.after(before).calls
      #expect(
        calls.map(\.kind) == [
          .lock, .status, .read, .status, .status, .status, .read, .write, .sync, .write,
          .unlock,
        ])
      let changes = calls.filter { $0.kind == .write || $0.kind == .sync }
      // The last one is the word in LOCK, which needs no sync.
      #expect(changes.map(\.name) == [disk.activeFile, disk.activeFile, "LOCK"])
    }
  }

  @Test func `goes on from what others appended, and from what one who died left behind`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: Self.configuration)
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    try disk.open().toggle("milk")
    try ledger.toggle("milk")
    #expect(try ledger.lastSequence == 3)
    // Another process took the lock, wrote part of a frame, and died.
    let file = disk.activeFile
    var bytes = disk.files[file] ?? []
    let end = disk.endOfActiveFile
    bytes.replaceSubrange(end..<end + 40, with: repeatElement(0x55, count: 40))
    try disk.overwrite(file, with: bytes)
    try disk.overwrite("LOCK", with: [1, 2, 3, 4, 5, 6, 7, 8, 0])
    try ledger.toggle("milk")
    #expect(ledger.takeNotices().contains { $0.hasPrefix("moved a torn tail of 40 bytes aside") })
    for left in [disk.processKilled(), disk.powerCut()] {
      #expect(try left.open().lastSequence == 4)
      try expectSound(left)
    }
  }

  @Test func `does not take a step of the manifest by others for its own`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 1000))
    try ledger.upsert(TaskItem(id: "milk", body: "Get milk"))
    // Others close and seal the segment that this handle knows as the active one.
    let other = try disk.open(configuration: .forTests(sealEvents: 1000))
    try other.toggle("milk")
    try other.sealNow()
    try ledger.toggle("milk")
    #expect(try ledger.audit("milk").map(\.sequence) == [1, 2, 3])
    #expect(try disk.powerCut().open().lastSequence == 3)
    try expectSound(disk)
  }
}
