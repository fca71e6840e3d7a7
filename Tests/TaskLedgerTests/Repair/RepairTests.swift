import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// What is left after a repair is told, whole, and in order.
@Suite struct `A repair` {
  private typealias Place = RepairBench.Place
  private typealias Damage = RepairBench.Damage

  @Test(arguments: RepairBench.Place.allCases.filter { $0.isSegment && !$0.needsFold })
  func `of a segment leaves a sound ledger of the events that are intact`(
    _ place: RepairBench.Place
  ) throws {
    let (bench, other) = (try RepairBench.made(), try RepairBench.made(isOther: true))
    for damage in Damage.allCases {
      let disk = try bench.disk(damage, place, other: other)
      let context: Comment = "\(damage) in \(place)"
      let broken = disk.files[bench.file(place)]
      let (repair, left) = try bench.expectRepaired(disk, context, goesOn: damage == .flip)
      let step = try #require(repair.steps.first { $0.part == .segment })
      #expect(step.file == bench.file(place), context)
      if let aside = step.aside {
        #expect(disk.files[aside] == broken, context)
        #expect(step.digest == Digest(of: broken ?? []).hex, context)
      } else {
        #expect(damage == .missing, context)
      }
      let ledger = try disk.open(configuration: bench.configuration)
      #expect(try ledger.replay().digest == RepairBench.plainDigest(left), context)
      #expect(try ledger.tasks(TaskListOptions(includesDeleted: true)) == StateModel.tasks(left))
      for task in Set(left.map(\.task)) {
        #expect(try ledger.audit(task).map(\.event) == left.filter { $0.task == task }, context)
      }
    }
  }

  @Test func `of a baseline leaves what the events after it, and the rest of it, add up to`() throws
  {
    let (bench, other) = (
      try RepairBench.made(folds: true), try RepairBench.made(folds: true, isOther: true)
    )
    for damage in Damage.allCases {
      let disk = try bench.disk(damage, .baseline, other: other)
      let context: Comment = "\(damage)"
      let (repair, _) = try bench.expectRepaired(disk, context, goesOn: damage == .missing)
      let ledger = try disk.open(configuration: bench.configuration)
      // One block of two is whole: it holds the later tasks.
      let kept = damage == .flip ? try eventsOfLastBlock(bench) : []
      let left = kept + bench.events.filter { $0.sequence > 6 }
      #expect(kept.isEmpty == (damage != .flip))
      let loss = FoldedLoss(SequenceRanges(1...6), isComplete: kept.isEmpty)
      #expect(try ledger.foldedLoss == loss && disk.verify().foldedLoss == loss, context)
      let step = try #require(repair.steps.first { $0.isOfFolded }, context)
      #expect(step.lost == loss.events && step.keptEvents == UInt64(kept.count), context)
      // Whose tables are gone does not tell how many events still counted.
      #expect((step.countedEvents != nil) == (damage == .flip), context)
      #expect(step.lostEvents == step.countedEvents.map { $0 - UInt64(kept.count) }, context)
      #expect(repair.lostEvents == step.lostEvents, context)
      #expect(try repair.tasks.map { Int($0) } == ledger.replay().tasks, context)
      #expect(try ledger.replay().digest == RepairBench.plainDigest(left), context)
      // The horizon stays: what is older is still refused.
      let change = try ChangeSet([FieldChange(FieldName("late"), true)])
      let earlier = try LedgerTime(milliseconds: bench.events[2].time.milliseconds - 1000)
      #expect(throws: LedgerError.self, context) {
        try ledger.transaction {
          try $0.perform(Command(.upsert, "x", change, time: earlier, author: "bob"))
        }
      }
    }
  }

  @Test func `of a baseline that is damaged a second time tells what is lost then`() throws {
    let bench = try RepairBench.made(folds: true)
    let disk = try bench.disk(.flip, .baseline, other: bench)
    let first = try disk.repair(configuration: bench.configuration)
    let baseline = try #require(disk.files.keys.filter { $0.hasSuffix(".baseline") }.max())
    let kept = try #require(first.steps.first { $0.isOfFolded }?.keptEvents)
    let current = try #require(
      try disk.open().statistics().segments.first { $0.kind == "baseline" }?.file)
    var bytes = try #require(disk.files[current] ?? disk.files[baseline])
    bytes[40] ^= 0x10
    try disk.overwrite(disk.files[current] == nil ? baseline : current, with: bytes)
    #expect(try disk.verify().lost == SequenceRanges(1...6))
    let second = try disk.repair(configuration: bench.configuration)
    #expect(second.lostEvents == kept)
    #expect(try disk.verify().foldedLoss?.isComplete == true)
  }

  @Test func `of a baseline finds all in doubt where a block is whole, and lost where none is`()
    throws
  {
    for (bodyBytes, isDoubtful) in [(RepairBench.twoBlocks, true), (50, false)] {
      let bench = try RepairBench.made(bodyBytes: bodyBytes, folds: true)
      let found = try bench.disk(.flip, .baseline, other: bench).verify()
      let all = SequenceRanges(1...6)
      #expect(found.doubtful == (isDoubtful ? all : SequenceRanges()))
      #expect(found.lost == (isDoubtful ? SequenceRanges() : all))
    }
  }

  private func eventsOfLastBlock(_ bench: RepairBench) throws -> [Event] {
    let zstd = try Zstd()
    let bytes = bench.files[bench.file(.baseline)] ?? []
    let run = try SealedRun(MemorySource(bytes, path: "baseline"), zstd: zstd, kind: .baseline)
    var events: [Event] = []
    var reader = try run.reader(ofBlock: run.index.entries.count - 1, zstd: zstd)
    while let task = try reader.nextTask() {
      for _ in 0..<task.eventCount { events.append(try reader.nextEvent()) }
    }
    return events
  }

  @Test func `of the list of files loses no event`() throws {
    let (bench, other) = (
      try RepairBench.made(bodyBytes: 50), try RepairBench.made(bodyBytes: 50, isOther: true)
    )
    for place in [Place.manifest, .current] {
      for damage in Damage.allCases {
        let disk = try bench.disk(damage, place, other: other)
        let (repair, left) = try bench.expectRepaired(
          disk, "\(damage) in \(place)", goesOn: damage == .flip)
        #expect(left == bench.events && repair.steps.count == 1)
      }
    }
    let both = bench.disk.processKilled()
    try both.remove("CURRENT")
    try both.remove(bench.file(.manifest))
    let (_, left) = try bench.expectRepaired(both, "both are gone")
    #expect(left == bench.events)
  }

  @Test func `takes an older manifest for no newer one`() throws {
    let configuration = LedgerConfiguration.forTests(clock: try TestClock(), sealEvents: 100)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try ledger.upsert(TaskItem(id: "one", body: "One"))
    let older = disk.files["MANIFEST-00000001"]
    try ledger.sealNow()
    try ledger.upsert(TaskItem(id: "two", body: "Two"))
    let events = try LedgerCheck.allEvents(of: ledger)
    let newest = try #require(disk.files.keys.filter { $0.hasPrefix("MANIFEST-") }.max())
    try disk.overwrite("MANIFEST-00000001", with: older ?? [])
    try disk.remove(newest)
    _ = try disk.repair(configuration: configuration)
    #expect(try LedgerCheck.allEvents(of: disk.open()) == events)
    // With the segments gone nothing says what there was, and nothing is changed.
    let broken = disk.processKilled()
    for file in broken.files.keys where file.hasPrefix("segments/") { try broken.remove(file) }
    for file in broken.files.keys where file.hasPrefix("MANIFEST-") { try broken.remove(file) }
    let before = broken.files
    let error = #expect(throws: LedgerError.self) {
      try broken.repair(configuration: configuration)
    }
    #expect(error?.code == .damaged && error?.hint?.contains("restore a backup") == true)
    #expect(broken.files == before)
  }

  @Test func `of several things at once is one step`() throws {
    let bench = try RepairBench.made()
    let disk = try bench.disk(.flip, .middleSealed, other: bench)
    for place in [Place.frozen, .active] {
      var bytes = disk.files[bench.file(place)] ?? []
      bytes[112 + 88 + 4] ^= 1
      try disk.overwrite(bench.file(place), with: bytes)
    }
    try disk.remove("CURRENT")
    let (repair, left) = try bench.expectRepaired(disk, "four at once")
    #expect(repair.steps.filter { $0.part == .segment }.count == 3)
    #expect(!left.contains { $0.sequence == 19 || $0.sequence == 25 })
  }

  @Test func `keeps the snapshots from before a loss, and lets go of later ones`() throws {
    let (bench, other) = (
      try RepairBench.made(bodyBytes: 50), try RepairBench.made(bodyBytes: 50, isOther: true)
    )
    let snapshots = bench.files.keys.filter { $0.hasSuffix(".snapshot") }.sorted()
    #expect(snapshots.count == 2)
    let disk = try bench.disk(.missing, .middleSealed, other: other)
    let (repair, _) = try bench.expectRepaired(disk, "")
    let dropped = try #require(repair.steps.first { $0.part == .snapshot })
    #expect(dropped.file == snapshots[1])
    #expect(disk.files[snapshots[1]] == nil && disk.files[snapshots[0]] != nil)
    // It holds what is lost otherwise: it is kept.
    #expect(disk.files[dropped.aside ?? ""] == bench.files[snapshots[1]])
    #expect(try disk.open().replay(fromSnapshot: true).snapshot == 6)
  }

  @Test func `of a snapshot that does not fit takes it out of use`() throws {
    let (bench, other) = (
      try RepairBench.made(bodyBytes: 50), try RepairBench.made(bodyBytes: 50, isOther: true)
    )
    for damage in [Damage.flip, .cut, .otherLedger] {
      let disk = try bench.disk(damage, .snapshot, other: other)
      let (repair, left) = try bench.expectRepaired(disk, "\(damage)")
      #expect(repair.steps.map(\.part) == [.snapshot] && left == bench.events)
    }
  }

  @Test(arguments: [false, true])
  func `of a flipped bit without which no block can be read loses nothing`(isBaseline: Bool) throws
  {
    let bench = try RepairBench.made(bodyBytes: 20, folds: isBaseline)
    let place = isBaseline ? Place.baseline : .middleSealed
    let name = bench.file(place)
    let bytes = bench.files[name] ?? []
    let zstd = try Zstd()
    let footer = try SealedRun(
      MemorySource(bytes, path: name), zstd: zstd, kind: isBaseline ? .baseline : .sealed
    ).footer
    var places = Array(0..<FileHeader.byteCount)
    places += Int(footer.tables.offset)..<bytes.count
    for offset in places where offset % 13 == 0 || offset > bytes.count - 9 {
      let disk = bench.disk.processKilled()
      var damaged = bytes
      damaged[offset] ^= 1 << (offset % 8)
      try disk.overwrite(name, with: damaged)
      let found = try disk.verify()
      #expect(found.files.filter { $0.fault != nil }.map(\.name) == [name], "byte \(offset)")
      #expect(found.lost.isEmpty && found.doubtful.isEmpty, "byte \(offset)")
      #expect(try disk.repair(configuration: bench.configuration).lost.isEmpty)
      let after = try disk.verify()
      #expect(after.isSound && after.lostBefore.isEmpty, "byte \(offset)")
      let ledger = try disk.open(configuration: bench.configuration)
      #expect(try ledger.replay().digest == RepairBench.plainDigest(bench.events))
    }
  }
}
