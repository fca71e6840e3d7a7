import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// No later frame says of the only transaction of a segment that it was durable; the segment says itself that it was appended to.
@Suite struct `A segment of one transaction that no list names` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3)
  /// A ledger after each of its first twelve events.
  private let copies: [TestDisk]
  private let events: [Event]

  init() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    var copies = [disk.processKilled()]
    for number in 1...12 {
      try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
      copies.append(disk.processKilled())
    }
    self.copies = copies
    events = try LedgerCheck.allEvents(of: ledger)
  }

  @Test(arguments: [4, 7, 10])
  func `shows that an older list came over the newest, and is kept by the repair`(
    _ count: Int
  ) throws {
    let disk = copies[count].processKilled()
    try disk.loseList()
    for (file, bytes) in copies[count - 2].files { try disk.overwrite(file, with: bytes) }
    #expect(try !disk.verify().isSound)
    #expect(throws: LedgerError.self) {
      try disk.open(configuration: configuration).toggle("task 1")
    }
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.lost.isEmpty && repair.droppedEvents == 0)
    let ledger = try disk.open(configuration: configuration)
    #expect(try LedgerCheck.allEvents(of: ledger) == Array(events.prefix(count)))
    #expect(try disk.verify().isSound)
  }

  @Test func `is dropped by name where the files of two sides were copied together`() throws {
    let other = copies[1].processKilled()
    let ledger = try other.open(configuration: configuration)
    for number in 1...6 {
      try ledger.upsert(TaskItem(id: TaskID("other \(number)"), body: "Another \(number)"))
    }
    let disk = copies[12].processKilled()
    for (file, bytes) in other.files where file.hasPrefix("segments/") {
      try disk.overwrite(file, with: bytes)
    }
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.dropped == SequenceRanges(2...7) && repair.droppedEvents == 6)
    #expect(repair.lost.isEmpty)
    let repaired = try disk.open(configuration: configuration)
    #expect(try LedgerCheck.allEvents(of: repaired) == events)
    #expect(try disk.verify().isSound)
  }

  /// Two ledgers that were restored from one backup, and appended to, once and twice, copied together without their lists.
  ///
  /// - Returns: that folder, and the name of the segment of one transaction.
  private func twoWithoutList() throws -> (disk: TestDisk, file: String) {
    let backup = TestDisk()
    try copies[3].open(configuration: configuration).backup(to: backup.faults)
    let sides = try [1, 2].map { count in
      let side = TestDisk()
      _ = try Ledger.restore(from: backup.faults, to: side.faults, configuration: configuration)
      let ledger = try side.open(configuration: configuration)
      for number in 1...count { try ledger.toggle(TaskID("task \(number)")) }
      return side
    }
    let disk = sides[1].processKilled()
    for (file, bytes) in sides[0].files where file.hasPrefix("segments/") {
      try disk.overwrite(file, with: bytes)
    }
    try disk.loseList()
    try disk.remove("LOCK")
    let files = Set(sides[0].files.keys).subtracting(sides[1].files.keys)
    return (disk, try #require(files.first { $0.hasSuffix(".active") }))
  }

  @Test func `is dropped by name where no list is left`() throws {
    let (disk, _) = try twoWithoutList()
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.dropped == SequenceRanges(4...4) && repair.droppedEvents == 1)
    #expect(try disk.open(configuration: configuration).lastSequence == 5)
    #expect(try disk.verify().isSound)
  }

  @Test func `and does not say that it was appended to is kept, and said to be in doubt`() throws {
    let (disk, file) = try twoWithoutList()
    var bytes = try #require(disk.files[file])
    let start = ActiveHeader.byteCount
    let segment = try ActiveHeader(Array(bytes.prefix(start))).segment
    var header = try #require(try FrameHeader(in: bytes, at: start, segment: segment))
    header.durablePosition = UInt64(start)
    let payload =
      start + FrameHeader.byteCount..<start + FrameHeader.byteCount
      + Int(header.payloadLength)
    let frame = FrameHeader.encode(header, payload: Array(bytes[payload])).bytes
    bytes.replaceSubrange(start..<start + frame.count, with: frame)
    try disk.overwrite(file, with: bytes)
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.droppedEvents == 0)
    let step = try #require(repair.steps.first { $0.file == file })
    #expect(step.unproven == SequenceRanges(4...4) && disk.files[step.aside ?? ""] == bytes)
    #expect(try disk.verify().isSound)
  }
}
