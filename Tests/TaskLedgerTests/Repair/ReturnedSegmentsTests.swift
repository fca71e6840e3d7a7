import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A segment was away when a repair put the loss of its events on record, and is put back.
@Suite struct `A lost segment that is found again` {
  enum Moment: CaseIterable, Sendable {
    case atOnce, afterMoreWrites
  }

  /// Everything that removes files.
  private func tidyUp(_ disk: TestDisk, _ configuration: LedgerConfiguration) throws {
    let ledger = try disk.open(configuration: configuration)
    try ledger.sealNow()
    try ledger.compact()
    _ = try ledger.snapshot()
    _ = try ledger.maintain()
  }

  private func append(
    _ count: Int, to disk: TestDisk, _ configuration: LedgerConfiguration
  ) throws -> [Event] {
    let ledger = try disk.open(configuration: configuration)
    let before = try ledger.lastSequence
    for number in 0..<count { try ledger.upsert(TaskItem(body: "More \(number)")) }
    return try LedgerCheck.allEvents(of: ledger).filter { $0.sequence > before }
  }

  private func expectWhole(
    _ disk: TestDisk, _ mix: LedgerMix, _ more: [Event], _ context: Comment
  ) throws {
    let ledger = try disk.open(configuration: mix.configuration)
    let all =
      mix.events.filter { $0.sequence > mix.horizon && !mix.lostBefore.contains($0.sequence) }
      + more
    #expect(try LedgerCheck.allEvents(of: ledger) == all, context)
    #expect(try ledger.lostEvents == mix.lostBefore, context)
    if mix.horizon == 0 {
      #expect(try ledger.replay().digest == RepairBench.plainDigest(all), context)
    } else if more.isEmpty {
      let whole = try mix.disk.processKilled().open(configuration: mix.configuration)
      #expect(try ledger.replay().digest == whole.replay().digest, context)
    }
    let found = try disk.verify()
    #expect(found.isSound && found.lostBefore == mix.lostBefore, context)
    #expect(found.files.allSatisfy { $0.returned.isEmpty }, context)
    #expect(try disk.repair(configuration: mix.configuration).steps.isEmpty, context)
    try ledger.upsert(TaskItem(id: "last", body: "After all"))
    try ledger.sealNow()
    let stamps = try LedgerCheck.allEvents(of: ledger).map(\.stamp)
    #expect(Set(stamps).count == stamps.count, context)
    #expect(try disk.verify().isSound, context)
  }

  @Test(arguments: LedgerMix.Kind.allCases, Moment.allCases)
  func `is told of, removed by nobody, and taken back by a repair`(
    _ kind: LedgerMix.Kind, _ moment: Moment
  ) throws {
    let mix = try LedgerMix.made(kind)
    for segment in mix.segments {
      let context: Comment = "\(kind), \(segment.file), \(moment)"
      let disk = try mix.disk(.there)
      let bytes = try #require(disk.files[segment.file])
      try disk.remove(segment.file)
      let lost = try disk.repair(configuration: mix.configuration).lost
      guard !lost.isEmpty else { continue }
      var more: [Event] = []
      if moment == .afterMoreWrites {
        more = try append(4, to: disk, mix.configuration)
        try tidyUp(disk, mix.configuration)
      }
      try disk.overwrite(segment.file, with: bytes)
      let found = try disk.verify()
      #expect(found.isSound, context)
      let file = found.files.first { $0.name == segment.file }
      guard case .unlisted = file?.status else {
        Issue.record("\(context): \(String(describing: file?.status))")
        continue
      }
      #expect(file?.returned == lost, context)
      try tidyUp(disk, mix.configuration)
      #expect(disk.files[segment.file] == bytes, context)
      let repair = try disk.repair(configuration: mix.configuration)
      #expect(repair.returned == lost && repair.lost.isEmpty, context)
      #expect(repair.steps.filter { $0.part == .returned }.map(\.file) == [segment.file], context)
      try expectWhole(disk, mix, more, context)
    }
  }

  @Test(arguments: LedgerMix.Kind.allCases)
  func `is known by what it holds, whatever its name`(_ kind: LedgerMix.Kind) throws {
    let mix = try LedgerMix.made(kind)
    for (segment, hasList) in mix.segments.flatMap({ [($0, true), ($0, false)] }) {
      let context: Comment = "\(kind), \(segment.file), \(hasList ? "with" : "without") list"
      let disk = try mix.disk(.there)
      let bytes = try #require(disk.files[segment.file])
      try disk.remove(segment.file)
      let name = hasList ? "segments/found" : "\(segment.file) (1)"
      if hasList {
        guard try !disk.repair(configuration: mix.configuration).lost.isEmpty else { continue }
        try disk.overwrite(name, with: bytes)
        try tidyUp(disk, mix.configuration)
        let found = try disk.verify().files.first { $0.name == name }
        #expect(found?.status.word == "unlisted", context)
      } else {
        try disk.overwrite(name, with: bytes)
        try disk.loseList()
      }
      let repair = try disk.repair(configuration: mix.configuration)
      #expect(repair.lost.without(mix.lostBefore).isEmpty, context)
      try expectWhole(disk, mix, [], context)
    }
  }

  @Test(arguments: LedgerMix.Kind.allCases, [LedgerMix.List.withoutCurrent, .gone])
  func `is taken back where the list of files is gone, too`(
    _ kind: LedgerMix.Kind, _ list: LedgerMix.List
  ) throws {
    let mix = try LedgerMix.made(kind)
    for segment in mix.segments {
      let context: Comment = "\(kind), \(segment.file), list \(list)"
      let disk = try mix.disk(.there)
      let bytes = try #require(disk.files[segment.file])
      try disk.remove(segment.file)
      guard try !disk.repair(configuration: mix.configuration).lost.isEmpty else { continue }
      let more = try append(2, to: disk, mix.configuration)
      try disk.overwrite(segment.file, with: bytes)
      for file in disk.files.keys {
        let isManifest = file.hasPrefix("MANIFEST") && list == .gone
        if file == "CURRENT" || isManifest { try disk.remove(file) }
      }
      let lost = try disk.verify().lost
      #expect(lost.ranges.allSatisfy { mix.lostBefore.missing(in: $0).isEmpty }, context)
      #expect(try disk.repair(configuration: mix.configuration).lost == lost, context)
      try expectWhole(disk, mix, more, context)
    }
  }

  @Test(arguments: [LedgerMix.Kind.frozen, .sealedFrozenActive])
  func `gives back what of it is intact, and the rest when it is whole`(
    _ kind: LedgerMix.Kind
  ) throws {
    let mix = try LedgerMix.made(kind)
    for segment in mix.segments where segment.kind == .frozen || segment.kind == .active {
      let context: Comment = "\(kind), \(segment.file)"
      let disk = try mix.disk(.there)
      let bytes = try #require(disk.files[segment.file])
      try disk.remove(segment.file)
      let lost = try disk.repair(configuration: mix.configuration).lost
      let more = try append(2, to: disk, mix.configuration)
      var broken = bytes
      broken[ActiveHeader.byteCount + FrameHeader.byteCount + 4] ^= 0x10
      try disk.overwrite(segment.file, with: broken)
      let first = try #require(lost.ranges.first?.lowerBound)
      let rest = lost.missing(in: first...first)
      #expect(rest.isEmpty, context)
      let repair = try disk.repair(configuration: mix.configuration)
      #expect(repair.returned.count == lost.count - 1, context)
      let ledger = try disk.open(configuration: mix.configuration)
      #expect(try ledger.lostEvents == SequenceRanges(first...first), context)
      try disk.overwrite(segment.file, with: bytes)
      let whole = try disk.repair(configuration: mix.configuration)
      #expect(whole.returned == SequenceRanges(first...first), context)
      try expectWhole(disk, mix, more, context)
    }
  }

  @Test func `is taken from a larger segment of a backup, and from smaller ones`() throws {
    let mix = try LedgerMix.made(.sealed)
    let merged = mix.disk.processKilled()
    try merged.open(configuration: mix.configuration).compact()
    let isSealed = { (file: String) in file.hasSuffix(".sealed") }
    let large = merged.files.filter { isSealed($0.key) }
    let small = mix.disk.files.filter { isSealed($0.key) }
    #expect(large.count < small.count)
    for (disk, files) in [(mix.disk.processKilled(), large), (merged, small)] {
      for file in disk.files.keys where isSealed(file) { try disk.remove(file) }
      let lost = try disk.repair(configuration: mix.configuration).lost
      #expect(!lost.isEmpty)
      for (file, bytes) in files { try disk.overwrite(file, with: bytes) }
      #expect(try disk.repair(configuration: mix.configuration).returned == lost)
      try expectWhole(disk, mix, [], "\(files.count) files")
    }
  }

  @Test func `is not taken for what another ledger's history holds there`() throws {
    // Two histories from one copy on: the segment of the other follows the same events.
    let configuration = LedgerConfiguration.forTests(sealEvents: 3)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...3 { try ledger.upsert(TaskItem(body: "Common \(number)")) }
    let other = disk.processKilled()
    let second = try other.open(configuration: configuration)
    for number in 1...3 { try second.upsert(TaskItem(body: "Other \(number)")) }
    for number in 1...4 { try ledger.upsert(TaskItem(body: "Own \(number)")) }
    let own = Set(disk.files.keys)
    let last = try #require(own.filter { $0.hasSuffix(".sealed") }.max())
    let bytes = try #require(disk.files[last])
    try disk.remove(last)
    #expect(try disk.repair(configuration: configuration).lost == SequenceRanges(4...6))
    let stranger = try #require(
      other.files.keys.filter { $0.hasSuffix(".sealed") && !own.contains($0) }.max())
    try disk.overwrite(stranger, with: other.files[stranger] ?? [])
    try disk.overwrite(last, with: bytes)
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.returned == SequenceRanges(4...6))
    let left = try LedgerCheck.allEvents(of: disk.open(configuration: configuration))
    #expect(try left == LedgerCheck.allEvents(of: ledger) && left.count == 7)
    #expect(disk.files.values.contains(other.files[stranger] ?? []))
  }
}

/// A segment returns before the one that it follows.
@Suite struct `A damaged segment behind another one that is lost` {
  @Test func `is kept, and gives what is intact of it once that is back`() throws {
    let configuration = LedgerConfiguration.forTests(sealEvents: 2)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...4 { try ledger.upsert(TaskItem(body: "Number \(number)")) }
    try disk.withoutSealing {
      for number in 5...7 { try ledger.upsert(TaskItem(body: "Number \(number)")) }
    }
    let events = try LedgerCheck.allEvents(of: ledger)
    let middle = try #require(disk.files.keys.filter { $0.hasSuffix(".sealed") }.max())
    let behind = try #require(
      disk.files.keys.filter { $0.hasPrefix("segments/0000000000000005") }.first)
    let left = disk.processKilled()
    try left.loseList()
    for file in [middle, behind] { try left.remove(file) }
    try left.repair(configuration: configuration)
    var bytes = try #require(disk.files[behind])
    bytes[ActiveHeader.byteCount + FrameHeader.byteCount + 4] ^= 0x10
    try left.overwrite(behind, with: bytes)
    try left.repair(configuration: configuration)
    try left.overwrite(middle, with: disk.files[middle] ?? [])
    try left.repair(configuration: configuration)
    try left.repair(configuration: configuration)
    let all = try LedgerCheck.allEvents(of: left.open(configuration: configuration))
    #expect(all == events.filter { $0.sequence != 5 })
    let again = try left.repair(configuration: configuration)
    #expect(again.steps.isEmpty && again.lostBefore == SequenceRanges(5...5))
    #expect(try left.verify().isSound)
  }
}
