import LedgerCore
import Testing

@testable import LedgerFormat

/// The format page against the code.
@Suite struct `The format page` {
  /// What is wrong first with the examples of a page, in words.
  private func problems(_ page: FormatPage) -> [String] {
    var problems: [String] = []
    func check(_ what: String, _ body: () throws -> Bool) {
      guard problems.isEmpty else { return }
      do {
        if try !body() { problems.append(what) }
      } catch {
        problems.append("\(what): \(error)")
      }
    }
    guard let current = page.dump("CURRENT"), let manifest = page.dump("MANIFEST-00000001"),
      let active = page.dump("Active segment"), let block = page.dump("Block"),
      let tables = page.dump("Tables"), let clocks = page.dump("Clocks"),
      let dictionary = page.dump("Dictionary")
    else { return ["a dump is missing, or other than its offsets say"] }
    check("the dictionary") { dictionary == FormatDictionary.bytes }
    check("CURRENT") {
      try page.table(after: "### CURRENT") == FormatExample.rowsOfCurrent(current)
        && CurrentFile(current).encoded == current
    }
    check("the manifest") {
      let rows = page.table(after: "### The manifest of the example")
      return try rows == FormatExample.rowsOfManifest(manifest)
        && Manifest(manifest).encoded == manifest
        && CurrentFile(current).manifestChecksum == checksum(of: manifest)
    }
    check("the active segment") {
      let rows = page.table(after: "### The active segment of the example")
      return try rows == FormatExample.rowsOfActive(active) && encoded(active) == active
    }
    check("the block") {
      let rows = page.table(after: "### The same events in a sealed segment")
      let run = try ForgedRun(events(active))
      return try rows == FormatExample.rowsOfBlock(block) && run.blocks[0].content == block
        && run.tables.encoded() == tables && read(block, tables, clocks) == events(active)
    }
    check("the clocks") {
      try page.table(after: "### Its clocks") == FormatExample.rowsOfClocks(clocks)
        && ForgedRun(events(active)).clocks == clocks
    }
    check("the checkpoint") {
      guard let bytes = page.dump("Checkpoint") else { return false }
      let file = try CheckpointFile(bytes)
      return try page.table(after: "### A checkpoint of the same ledger")
        == FormatExample.rowsOfCheckpoint(bytes) && file.encoded == bytes
        && file.digest == LogDigest(value: TestRun.digest(of: events(active)), sequence: 2)
    }
    check("the snapshot") { try snapshotIsRight(page, events(active)) }
    check("what was checked") {
      let bytes = page.dump("Checked") ?? []
      let rows = page.table(after: "### When its segment was checked")
      return try rows == FormatExample.rowsOfChecked(bytes)
        && CheckedSegments(bytes).encoded == bytes
    }
    return problems
  }

  /// Whether the snapshot of the example says of the events what its table says, and is made of the same bytes.
  private func snapshotIsRight(_ page: FormatPage, _ events: [Event]) throws -> Bool {
    guard let bytes = page.dump("Snapshot") else { return false }
    let run = try TestSnapshot.open(bytes)
    let zstd = try Zstd()
    _ = try run.clocks(zstd: zstd)
    var kept: [Event] = []
    try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in kept.append(event) }
    let state = PlainState(kept)
    var footer = run.footer
    let start = Int(footer.index.offset + footer.index.storedLength)
    let encoded = footer.encode(after: Array(bytes[..<FileHeader.byteCount]))
    return try page.table(after: "### A snapshot of the same events")
      == FormatExample.rowsOfSnapshot(bytes, footer) && Array(bytes[start...]) == encoded
      && TaskState(kept) == TaskState(events)
      && footer.state?.digest == Digest(of: state.lines)
      && footer.digestAfter == TestRun.digest(of: events)
  }

  private func frame(of active: [UInt8]) throws -> FrameHeader {
    let segment = try ActiveHeader(active).segment
    guard let frame = try FrameHeader(in: active, at: 112, segment: segment) else {
      throw LedgerError(.damaged, "there is no frame at byte 112")
    }
    return frame
  }

  /// The events of an active segment of one frame.
  private func events(_ active: [UInt8]) throws -> [Event] {
    let header = try ActiveHeader(active)
    let frame = try frame(of: active)
    return try TransactionCoding.decode(
      Array(active[200..<200 + Int(frame.payloadLength)]), firstSequence: frame.firstSequence,
      eventCount: Int(frame.eventCount), replica: header.replica, ownCount: header.countBefore)
  }

  /// The segment, encoded anew from what it says.
  private func encoded(_ active: [UInt8]) throws -> [UInt8] {
    let header = try ActiveHeader(active)
    let frame = try frame(of: active)
    let payload = TransactionCoding.encode(
      try events(active), replica: header.replica, ownCount: header.countBefore)
    return header.encoded + FrameHeader.encode(frame, payload: payload).bytes
  }

  /// The events of a block of one task.
  private func read(
    _ block: [UInt8], _ tables: [UInt8], _ clocks: [UInt8]
  ) throws -> [Event] {
    let key = TaskKey("milk")
    let entry = BlockIndex.Entry(
      firstKey: key, offset: 32, storedLength: 0, rawLength: block.count, eventCount: 2,
      taskCount: 1, checksum: 0, continues: false)
    var reader = try BlockReader(
      block, layout: .version4, tables: RunTables(tables, eventCount: 2),
      clocks: ClockTable(clocks, eventCount: 2, layout: .version4),
      expected: BlockReader.Expectation(entry: entry, end: .with(key), sequences: 1...2))
    var events: [Event] = []
    while let task = try reader.nextTask() {
      for _ in 0..<task.eventCount { events.append(try reader.nextEvent()) }
    }
    return events
  }

  @Test func `has examples that say what it says they say`() throws {
    let page = try FormatPage()
    #expect(problems(page) == [])
    let active = try #require(page.dump("Active segment"))
    let digest = TestRun.digest(of: try events(active)).hex
    #expect(page.lines.contains("The log digest after event 2 is `\(digest)`."))
    let sum = Digest(of: FormatDictionary.bytes).hex
    #expect(page.lines.contains { $0.contains("SHA-256 `\(sum)`") })
  }

  @Test(arguments: [
    "CURRENT", "MANIFEST-00000001", "Active segment", "Block", "Tables", "Clocks", "Snapshot",
    "Checked",
    "Checkpoint", "Dictionary",
  ])
  func `fails this test when one byte of an example is changed`(dump: String) throws {
    var page = try FormatPage()
    for line in page.linesOfDump(dump) {
      let honest = page.lines[line]
      for place in 0..<(honest.utf8.count - 4) / 3 {
        var text = Array(honest.utf8)
        let digit = 6 + 3 * place + place % 2
        text[digit] = text[digit] == 0x30 ? 0x31 : 0x30
        page.lines[line] = String(decoding: text, as: UTF8.self)
        #expect(!problems(page).isEmpty, "byte \(place) of \(honest)")
      }
      page.lines[line] = honest
    }
    #expect(problems(page) == [])
  }

  @Test func `fails this test when a value of an example is changed`() throws {
    var page = try FormatPage()
    let examples = try #require(page.lines.firstIndex(of: "## Example: a ledger of two events"))
    let end = try #require(page.lines.firstIndex(of: "## Benefits"))
    for line in examples..<end where page.lines[line].hasPrefix("| ") {
      guard !page.lines[line].hasPrefix("| offset") else { continue }
      let honest = page.lines[line]
      page.lines[line] = String(honest.dropLast(2)) + "x |"
      #expect(!problems(page).isEmpty, "\(honest)")
      page.lines[line] = honest
    }
  }

  @Test func `has the numbers of the code`() throws {
    let page = try FormatPage()
    func column(_ number: Int, _ heading: String) -> [String] {
      page.table(after: heading).map { $0[number] }
    }
    #expect(column(0, "### Kinds of event") == EventKind.allCases.map { "\($0.rawValue)" })
    #expect(column(1, "### Kinds of event") == EventKind.allCases.map { "\($0)" })
    #expect(column(0, "### Streams of a block") == BlockStream.allCases.map { "\($0)" })
    #expect(column(0, "### Values") == (0...ValueTag.date).map { "\($0)" })
    #expect(column(0, "### Tables").isEmpty == false)
    let magics = page.lines.filter { $0.hasPrefix("| TL") }.map { $0.split(separator: " ")[1] }
    #expect(magics.map(String.init) == FileHeader.Kind.allCases.map(\.rawValue))
    #expect(
      column(1, "### Limits") == [
        "\(FrameHeader.payloadBytesMax)", "\(RunWriter.eventCountMax)",
        "\(RunWriter.blockBytesMax)", "\(RunWriter.sectionBytesMax)",
        "\(RunFooter.footerBytesMax)", "\(Manifest.bytesMax)", "\(Int64.max)",
        "\(CurrentFile.manifestNumberMax)",
      ])
    #expect(RunWriter.eventCountMax == Limits.transactionEventsMax)
  }

  @Test func `has the flags of the code`() throws {
    let page = try FormatPage()
    let flags = page.table(after: "### Tables").map { UInt8($0[0]) ?? 0 }
    #expect(
      flags == [
        ContextFlag.message, ContextFlag.internedMessage, ContextFlag.follows, ContextFlag.ends,
        ContextFlag.recorded, ContextFlag.count, ContextFlag.undoes,
      ])
    #expect(flags.reduce(0, |) == ContextFlag.all)
  }

  @Test func `puts every field of a header where the code has it`() throws {
    let page = try FormatPage()
    for (heading, end) in [
      ("### The header of every file", FileHeader.byteCount), ("## CURRENT", CurrentFile.byteCount),
      ("## The active segment", ActiveHeader.byteCount),
      (
        "The file is extended by zeros in steps, synced before they are used; frames overwrite them. Each frame is one transaction, in order of",
        FrameHeader.byteCount
      ),
    ] {
      var offset = 0
      for row in page.table(after: heading) {
        #expect(Int(row[0]) == offset, "\(heading): \(row)")
        offset += Int(row[1]) ?? 0
      }
      #expect(offset == end, "\(heading)")
    }
  }
}
