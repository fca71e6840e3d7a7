import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// Segments are known by what they hold, whatever their names are.
@Suite struct `A segment under another name` {
  private typealias Place = RepairBench.Place

  @Test(arguments: RepairBench.Place.allCases.filter(\.isSegment))
  func `is found by a repair, with every event`(_ place: RepairBench.Place) throws {
    let bench = try RepairBench.made(bodyBytes: 40, folds: place.needsFold)
    let file = bench.file(place)
    for name in ["segments/ffff-" + file.dropFirst(9), "segments/saved.bak"] {
      let disk = bench.disk.processKilled()
      try disk.overwrite(name, with: bench.files[file] ?? [])
      try disk.remove(file)
      let found = try disk.verify()
      #expect(!found.isSound && found.lost.isEmpty && found.doubtful.isEmpty, "\(name)")
      let repair = try disk.repair(configuration: bench.configuration)
      #expect(repair.lost.isEmpty && repair.uncertainAfter == nil, "\(name)")
      let step = try #require(repair.steps.first { $0.part == .segment })
      #expect(step.file == file && step.foundIn == name)
      try expectWhole(disk, bench)
    }
  }

  private func expectWhole(_ disk: TestDisk, _ bench: RepairBench) throws {
    let after = try disk.verify()
    #expect(after.isSound && after.lostBefore.isEmpty)
    let ledger = try disk.open(configuration: bench.configuration)
    let whole = try bench.disk.processKilled().open(configuration: bench.configuration)
    #expect(try LedgerCheck.allEvents(of: ledger) == LedgerCheck.allEvents(of: whole))
    #expect(try ledger.replay().digest == whole.replay().digest)
    #expect(try ledger.statistics().replica == whole.statistics().replica)
    try ledger.toggle(RepairBench.task(0))
    #expect(try ledger.lastSequence == 30)
  }

  @Test(arguments: [
    [RepairBench.Place.firstSealed, .middleSealed], [.middleSealed, .lastSealed],
    [.frozen, .active],
  ])
  func `that of the other is found, too`(_ places: [RepairBench.Place]) throws {
    let bench = try RepairBench.made(bodyBytes: 40)
    let disk = bench.disk.processKilled()
    let names = places.map(bench.file)
    try disk.overwrite(names[0], with: bench.files[names[1]] ?? [])
    try disk.overwrite(names[1], with: bench.files[names[0]] ?? [])
    #expect(try disk.verify().files.filter { $0.fault != nil }.map(\.name) == names)
    let repair = try disk.repair(configuration: bench.configuration)
    #expect(repair.lost.isEmpty)
    #expect(repair.steps.filter { $0.part == .segment }.map(\.foundIn) == [names[1], names[0]])
    try expectWhole(disk, bench)
  }

  @Test func `is read where the one in its place is damaged`() throws {
    let bench = try RepairBench.made(bodyBytes: 40)
    let disk = try bench.disk(.flip, .middleSealed, other: bench)
    try disk.overwrite("segments/copy.sealed", with: bench.files[bench.file(.middleSealed)] ?? [])
    #expect(try disk.repair(configuration: bench.configuration).lost.isEmpty)
    try expectWhole(disk, bench)
  }

  /// Without LOCK's word a torn tail is all that the damaged one shows.
  @Test(arguments: [false, true], [false, true])
  func `has the end that the one in its place lacks`(
    losesWord: Bool, isCut: Bool
  ) throws {
    let bench = try RepairBench.made(bodyBytes: 40)
    let disk = bench.disk.processKilled()
    let file = bench.file(.active)
    try disk.overwrite("segments/copy.active", with: bench.files[file] ?? [])
    if isCut {
      var bytes = try #require(disk.files[file])
      let end = try #require(bytes.lastIndex { $0 != 0 })
      for place in end - 60...end { bytes[place] = 0 }
      try disk.overwrite(file, with: bytes)
    } else {
      try disk.damageEnd(of: file)
    }
    if losesWord { try disk.remove("LOCK") }
    #expect(try !disk.verify().isSound)
    let repair = try disk.repair(configuration: bench.configuration)
    #expect(repair.lost.isEmpty && repair.droppedEvents == 0 && repair.uncertainAfter == nil)
    try expectWhole(disk, bench)
  }
}
