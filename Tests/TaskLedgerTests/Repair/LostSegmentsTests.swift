import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Whichever segments are gone or damaged, with the list of files or without it: what is intact is told, and saved.
@Suite struct `Segments that are lost` {
  @Test(arguments: LedgerMix.Kind.allCases)
  func `one or two, with the list or without it, cost just the events that they held`(
    _ kind: LedgerMix.Kind
  ) throws {
    let mix = try LedgerMix.made(kind)
    let places = mix.segments.indices
    for first in places {
      for second in first..<places.endIndex {
        for list in first == second ? LedgerMix.List.allCases : [.there, .gone] {
          let disk = try mix.disk(list)
          var lost = SequenceRanges()
          for place in Set([first, second]) {
            try disk.remove(mix.segments[place].file)
            lost.formUnion(mix.segments[place].events)
          }
          try mix.expectSaved(
            disk, losing: lost, "\(kind) without \(first) and \(second), list \(list)",
            hasRecords: list == .there || list == .withoutCurrent, goesOn: first == second)
        }
      }
    }
  }

  /// What happens to a file.
  enum Damage: CaseIterable, Sendable {
    case flippedHeader, flippedContent, flippedEnd, cut, emptied

    func applied(to bytes: [UInt8], isFrames: Bool) -> [UInt8] {
      var bytes = bytes
      switch self {
      case .flippedHeader: bytes[20] ^= 4
      case .flippedContent:
        bytes[isFrames ? ActiveHeader.byteCount + FrameHeader.byteCount + 4 : 40] ^= 0x10
      case .flippedEnd:
        // Of frames the last that is not zero.
        let end = bytes.lastIndex { $0 != 0 } ?? 0
        bytes[isFrames ? end : bytes.count - 9] ^= 0x10
      case .cut: bytes = Array(bytes[..<min(bytes.count / 2, 300)])
      case .emptied: bytes = []
      }
      return bytes
    }
  }

  @Test(arguments: LedgerMix.Kind.allCases)
  func `in part keep the events that they keep with the list, and their bytes`(
    _ kind: LedgerMix.Kind
  ) throws {
    let mix = try LedgerMix.made(kind)
    for segment in mix.segments {
      for damage in Damage.allCases {
        let isFrames = segment.kind == .frozen || segment.kind == .active
        let bytes = damage.applied(to: mix.disk.files[segment.file] ?? [], isFrames: isFrames)
        let listed = try mix.disk(.there)
        try listed.overwrite(segment.file, with: bytes)
        let expected = try listed.verify()
        guard !expected.isSound else { continue }
        let lists = damage == .flippedContent ? LedgerMix.List.allCases : [.there, .gone]
        for list in lists {
          let context: Comment = "\(kind), \(damage) in \(segment.file), list \(list)"
          let disk = try mix.disk(list)
          try disk.overwrite(segment.file, with: bytes)
          var lost = expected.lost
          lost.formUnion(expected.doubtful)
          let isSaved = try mix.expectSaved(
            disk, losing: lost, context, hasRecords: list == .there || list == .withoutCurrent,
            goesOn: damage == .flippedContent)
          guard isSaved else { continue }
          #expect(disk.files.contains { $0.key.hasPrefix("aside/") && $0.value == bytes }, context)
        }
      }
    }
  }

  @Test(arguments: [LedgerMix.List.there, .gone])
  func `leave the snapshots beside that tell of their tasks`(_ list: LedgerMix.List) throws {
    let mix = try LedgerMix.made(.snapshots)
    let disk = try mix.disk(list)
    try disk.remove(mix.segments[1].file)
    let snapshots = disk.files.filter { $0.key.hasSuffix(".snapshot") }.sorted { $0.key < $1.key }
    #expect(snapshots.count == 2)
    let repair = try disk.repair(configuration: mix.configuration)
    let kept = repair.steps.filter { $0.part == .snapshot }
    #expect(kept.map(\.file) == [snapshots[1].key] && kept.allSatisfy { $0.tasks == 4 })
    #expect(repair.tasks == 4)
    #expect(disk.files[kept.first?.aside ?? ""] == snapshots[1].value)
  }

  @Test func `are none where a bit of a header is wrong that tells whose events they are`() throws {
    let bench = try BackupBench()
    let (backup, restored) = (TestDisk(), TestDisk())
    try bench.open().backup(to: backup.faults)
    try Ledger.restore(
      from: backup.faults, to: restored.faults, configuration: bench.configuration)
    let events = try LedgerCheck.allEvents(of: bench.open(restored))
    let file = try #require(restored.files.keys.first { LedgerNames.closedEnd($0) != nil })
    // The replica that is told there is not the one that the restored ledger goes on as.
    var bytes = try #require(restored.files[file])
    bytes[50] ^= 4
    try restored.overwrite(file, with: bytes)
    #expect(try restored.verify().intact == SequenceRanges(1...UInt64(events.count)))
    #expect(try restored.repair(configuration: bench.configuration).lost.isEmpty)
    #expect(try LedgerCheck.allEvents(of: bench.open(restored)) == events)
    #expect(try restored.verify().isSound)
  }

  @Test func `are not those of a segment that was abandoned after a failed sync`() throws {
    let configuration = LedgerConfiguration.forTests(sealEvents: 100)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for id in ["first", "second"] { try ledger.upsert(TaskItem(id: TaskID(id), body: "x")) }
    var events: [Event] = []
    try disk.withoutSealing {
      disk.failNextSync()
      #expect(throws: LedgerError.self) { try ledger.upsert(TaskItem(id: "third", body: "x")) }
      let next = try disk.open(configuration: configuration)
      for id in ["fourth", "fifth"] { try next.upsert(TaskItem(id: TaskID(id), body: "x")) }
      events = try LedgerCheck.allEvents(of: next)
    }
    let all = SequenceRanges(1...UInt64(events.count))
    let kinds = try HeldManifest.load(from: disk.faults).manifest.segments.map(\.kind)
    #expect(kinds == [.frozen, .active])
    try disk.loseList()
    let found = try disk.verify()
    #expect(found.intact == all && found.lost.isEmpty)
    #expect(try disk.repair(configuration: configuration).lost.isEmpty)
    let repaired = try disk.open(configuration: configuration)
    #expect(try LedgerCheck.allEvents(of: repaired) == events)
    try repaired.sealNow()
    try repaired.upsert(TaskItem(id: "sixth", body: "x"))
    #expect(try disk.verify().isSound)
  }
}

extension LedgerMix {
  /// Verifies, repairs and goes on, and expects that just some events are lost.
  ///
  /// - Parameters:
  ///   - hasRecords: whether a manifest is left.
  ///   - goesOn: whether more is appended, and sealed.
  /// - Returns: whether there was anything to save.
  @discardableResult
  fileprivate func expectSaved(
    _ disk: TestDisk, losing lost: SequenceRanges, _ context: Comment, hasRecords: Bool,
    goesOn: Bool
  ) throws -> Bool {
    var gone = lostBefore
    gone.formUnion(lost)
    let intact = SequenceRanges(ascending: (1...last).filter { !gone.contains($0) })
    guard !intact.isEmpty || disk.files["CURRENT"] != nil else {
      // What an interrupted creation leaves looks the same.
      let error = #expect(throws: LedgerError.self, context) { try disk.verify() }
      #expect(error?.code == .notFound, context)
      return false
    }
    let found = try disk.verify()
    #expect(!found.isSound, context)
    #expect(found.intact == intact, context)
    guard !intact.isEmpty || hasRecords else {
      try expectRefused(disk, context)
      return false
    }
    var told = found.lost
    told.formUnion(found.doubtful)
    if hasRecords {
      let known = lostBefore
      let expected = lost.ranges.flatMap { known.missing(in: $0).ranges }
      #expect(told == SequenceRanges(expected), context)
    }
    let newlyLost = told
    told.formUnion(found.lostBefore)
    #expect(told == gone, context)

    let repair = try disk.repair(configuration: configuration)
    #expect(repair.lost == newlyLost, context)
    let ledger = try disk.open(configuration: configuration)
    let left = events.filter { $0.sequence > horizon && intact.contains($0.sequence) }
    #expect(try LedgerCheck.allEvents(of: ledger) == left, context)
    #expect(try ledger.lostEvents == gone, context)
    if goesOn, horizon == 0 {
      #expect(try ledger.replay().digest == RepairBench.plainDigest(left), context)
    }
    let after = try disk.verify()
    #expect(after.isSound && after.lost.isEmpty && after.lostBefore == gone, context)
    guard goesOn else { return true }
    #expect(try disk.repair(configuration: configuration).steps.isEmpty, context)
    try ledger.upsert(TaskItem(id: "new", body: "After the repair"))
    #expect(try ledger.lastSequence == last + 1, context)
    try ledger.sealNow()
    let stamps = try LedgerCheck.allEvents(of: ledger).map(\.stamp)
    #expect(Set(stamps).count == stamps.count, context)
    #expect(try disk.verify().isSound, context)
    return true
  }

  /// Nothing is left that could be saved: that is said, and nothing changed.
  private func expectRefused(_ disk: TestDisk, _ context: Comment) throws {
    let before = disk.files
    let error = #expect(throws: LedgerError.self, context) {
      try disk.repair(configuration: configuration)
    }
    #expect(error?.code == .damaged && error?.cause?.contains("no segment") == true, context)
    #expect(error?.hint?.contains("restore a backup") == true, context)
    #expect(disk.files == before, context)
  }
}
