import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// The verifier is verified: every kind of damage is planted in every place, and must be found there, named, and told apart.
@Suite struct `Damage that is planted` {
  private typealias Place = RepairBench.Place
  private typealias Damage = RepairBench.Damage

  private static let word: [RepairBench.Damage: String] = [
    .flip: "damaged", .cut: "damaged", .missing: "missing", .otherLedger: "other ledger",
  ]

  private func bench(_ place: Place) throws -> (bench: RepairBench, other: RepairBench) {
    (
      try RepairBench.made(folds: place.needsFold),
      try RepairBench.made(folds: place.needsFold, isOther: true)
    )
  }

  @Test(arguments: RepairBench.Place.allCases.filter(\.isSegment))
  func `in a segment is found, named, and its events are told apart`(
    _ place: RepairBench.Place
  ) throws {
    let (bench, other) = try bench(place)
    for damage in Damage.allCases {
      let disk = try bench.disk(damage, place, other: other)
      let context: Comment = "\(damage) in \(place)"
      let found = try disk.verify()
      let faults = found.files.filter { $0.fault != nil }
      #expect(faults.map(\.name) == [bench.file(place)], context)
      #expect(faults.first?.status.word == Self.word[damage], context)
      #expect(!found.isSound, context)
      expectPartition(found, bench, context)
      // Repair would do something about just that.
      let plan = try Ledger.repairPlan(disk.faults, bench.configuration)
      #expect(
        plan.steps.filter { $0.part == .segment }.map(\.file) == [bench.file(place)], context)
    }
  }

  /// Each event that is known of is intact, lost or doubtful, and nothing else is.
  private func expectPartition(
    _ found: Verification, _ bench: RepairBench, _ context: Comment
  ) {
    let counts = found.intact.count + found.lost.count + found.doubtful.count
    var all = found.intact
    all.formUnion(found.lost)
    all.formUnion(found.doubtful)
    #expect(all.count == counts, context)
    let last = found.uncertainAfter ?? bench.events[bench.events.count - 1].sequence
    #expect(all == SequenceRanges(1...last), context)
  }

  @Test(arguments: [RepairBench.Place.firstSealed, .middleSealed, .lastSealed])
  func `in one block of a sealed segment leaves the events of the others`(
    _ place: RepairBench.Place
  ) throws {
    let bench = try RepairBench.made()
    let found = try bench.disk(.flip, place, other: bench).verify()
    #expect(!found.lost.isEmpty && found.lost.count < 6)
    #expect(found.doubtful.isEmpty)
    let tasks = bench.events.filter { found.lost.contains($0.sequence) }.map(\.task)
    #expect(tasks == tasks.sorted(), "the first tasks are in the first block")
  }

  @Test func `in frames leaves those before and behind`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    for place in [Place.frozen, .active] {
      let found = try bench.disk(.flip, place, other: bench).verify()
      #expect(found.lost.ranges == [place == .frozen ? 19...19 : 25...25])
      #expect(found.doubtful.isEmpty && found.uncertainAfter == nil)
    }
  }

  @Test func `in the list of files is found, and what it led to is still told`() throws {
    let (bench, other) = try bench(.manifest)
    for place in [Place.manifest, .current] {
      for damage in Damage.allCases {
        let disk = try bench.disk(damage, place, other: other)
        let found = try disk.verify()
        let context: Comment = "\(damage) in \(place)"
        let faults = found.files.filter { $0.fault != nil }.map(\.name)
        // A CURRENT of another ledger names a manifest with other bytes.
        let expected =
          damage == .otherLedger ? [bench.file(.manifest)] : [bench.file(place)]
        #expect(faults == expected, context)
        #expect(
          found.intact == SequenceRanges(1...bench.events[bench.events.count - 1].sequence), context
        )
      }
    }
  }

  @Test func `in a snapshot is no damage of the ledger, and told`() throws {
    let (bench, other) = try bench(.snapshot)
    for damage in Damage.allCases {
      let disk = try bench.disk(damage, .snapshot, other: other)
      #expect(try disk.verify().isSound)
      let word = try disk.status(of: bench.file(.snapshot))?.word
      #expect(word == (damage == .missing ? nil : "left out"), "\(damage)")
    }
  }

  @Test func `by two segments that stand in each other's place is found in both`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    let disk = bench.disk.processKilled()
    let names = [bench.file(.firstSealed), bench.file(.middleSealed)]
    try disk.overwrite(names[0], with: bench.files[names[1]] ?? [])
    try disk.overwrite(names[1], with: bench.files[names[0]] ?? [])
    let found = try disk.verify()
    #expect(found.files.filter { $0.fault != nil }.map(\.name) == names)
    // Each is where the other should be.
    #expect(found.lost.isEmpty && found.doubtful.isEmpty)
    #expect(throws: LedgerError.self) {
      _ = try disk.open().replay()
    }
  }

  @Test func `in a sealed file is seen by everybody where it shows from outside`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    for place in [Place.firstSealed, .middleSealed, .lastSealed] {
      for damage in [Damage.cut, .missing] {
        let disk = try bench.disk(damage, place, other: bench)
        let error = #expect(throws: LedgerError.self) { _ = try disk.open().tasks() }
        #expect(error?.code == .damaged && error?.path?.hasSuffix(bench.file(place)) == true)
        #expect(throws: LedgerError.self) { try disk.open().toggle(RepairBench.task(0)) }
      }
    }
  }

  @Test func `by other people's files is told, and is no damage`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    let disk = bench.disk.processKilled()
    for file in ["notes.txt", "segments/notes.txt", "snapshots/notes.txt"] {
      try disk.overwrite(file, with: [1])
    }
    try disk.overwrite("segments/0000000000000001-00000000000000ff.active", with: [1])
    try disk.overwrite("MANIFEST-00000001", with: [1])
    let found = try disk.verify()
    #expect(found.isSound)
    func names(_ word: String) -> [String] {
      found.files.filter { $0.status.word == word }.map(\.name)
    }
    #expect(names("foreign") == ["notes.txt", "segments/notes.txt", "snapshots/notes.txt"])
    #expect(
      names("unneeded") == [
        "MANIFEST-00000001", "segments/0000000000000001-00000000000000ff.active",
      ]
    )
  }

  @Test func `by a missing LOCK is told, and is no damage`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    let disk = bench.disk.processKilled()
    try disk.remove("LOCK")
    #expect(try disk.status(of: "LOCK")?.word == "absent")
    #expect(try disk.verify().isSound)
  }

  @Test func `in a sealed file is seen by statistics, which read no events`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    let other = try RepairBench.made(bodyBytes: 51)
    for damage in [Damage.cut, .missing, .otherLedger] {
      let disk = try bench.disk(damage, .firstSealed, other: other)
      #expect(throws: LedgerError.self) { try disk.open().statistics() }
    }
  }

  @Test func `in an old segment is in the way of no newer event`() throws {
    let bench = try RepairBench.made(bodyBytes: 50)
    let disk = try bench.disk(.flip, .firstSealed, other: bench)
    var last: [UInt64] = []
    try disk.open().forEachEvent(EventFilter(after: 27)) { event in
      last.append(event.sequence)
      return true
    }
    #expect(last == [28, 29])
  }
}
