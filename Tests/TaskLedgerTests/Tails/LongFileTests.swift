import LedgerTestSupport
import TaskLedger
import Testing

/// Files that are longer than what is read of them at once, a megabyte.
@Suite struct `A long active file` {
  private static let pieceBytes = 1 << 20

  private static var configuration: LedgerConfiguration {
    var configuration = LedgerConfiguration.forTests(sealEvents: 1000)
    configuration.extensionBytes = UInt64(3 * pieceBytes)
    return configuration
  }

  @Test func `is read in pieces, its zeros too`() throws {
    let disk = TestDisk()
    try disk.create(configuration: Self.configuration).upsert(TaskItem(id: "milk", body: "Milk"))
    let file = disk.activeFile
    try disk.overwrite(file, with: (disk.files[file] ?? []) + [UInt8](repeating: 0, count: 5 << 20))
    let before = disk.faults.trace.calls.count
    let ledger = try disk.open(configuration: Self.configuration)
    try ledger.toggle("milk")
    #expect(try disk.verify().isSound)
    #expect(try ledger.lastSequence == 2)
    let reads = disk.faults.trace.after(before).calls(.read)
    #expect(reads.count > 16)
    #expect(reads.allSatisfy { ($0.count ?? 0) <= UInt64(Self.pieceBytes) + 80 })
  }

  @Test func `holds transactions across the ends of pieces`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: Self.configuration)
    for number in 1...9 {
      try ledger.upsert(
        TaskItem(id: TaskID("task \(number)"), body: .unpressable(200_000 + 40_001 * number)))
    }
    for left in [disk.processKilled(), disk.powerCut()] {
      let next = try left.open()
      #expect(try next.replay().digest == ledger.replay().digest)
      #expect(next.takeNotices() == [])
      try next.upsert(TaskItem(body: "One more"))
      #expect(try left.verify().isSound)
    }
  }

  @Test(arguments: [-88, -80, -40, -8, 0, 8])
  func `is damaged where a frame far behind the bad bytes says so`(_ offset: Int) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: Self.configuration)
    var ends: [Int] = []
    for number in 1...3 {
      try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "New"))
      ends.append(disk.endOfActiveFile)
    }
    // The second transaction is gone; of the third, which names it as durable, only the header is left, elsewhere.
    var bytes = disk.files[disk.activeFile] ?? []
    let header = bytes[ends[1]..<ends[1] + 88]
    bytes.replaceSubrange(ends[0]..<ends[2], with: repeatElement(0, count: ends[2] - ends[0]))
    bytes[ends[0]] = 1
    let place = ends[0] + Self.pieceBytes + offset
    bytes.replaceSubrange(place..<place + 88, with: header)
    try disk.overwrite(disk.activeFile, with: bytes)
    let error = #expect(throws: LedgerError.self) { try disk.open() }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("a later frame says that the file was durable") == true)
  }
}
