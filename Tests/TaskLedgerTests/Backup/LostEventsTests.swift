import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A ledger, or its backup, that has lost events by damage, which a repair put on record.
@Suite struct `A backup beside lost events` {
  /// Where the events are that are lost, and how much of that.
  struct Case: CustomTestStringConvertible, Sendable {
    var place: RepairBench.Place
    var damage: RepairBench.Damage

    var testDescription: String { "\(damage) \(place)" }
    /// A segment that is cut or gone has nothing left; of the active one nobody knows then how long it was.
    static let all: [Case] = [
      .init(place: .firstSealed, damage: .flip), .init(place: .firstSealed, damage: .missing),
      .init(place: .middleSealed, damage: .flip), .init(place: .lastSealed, damage: .missing),
      .init(place: .baseline, damage: .flip), .init(place: .baseline, damage: .missing),
      .init(place: .frozen, damage: .flip), .init(place: .frozen, damage: .missing),
      .init(place: .active, damage: .flip),
    ]
  }

  private let target = TestDisk()

  private func bench(_ place: RepairBench.Place) throws -> RepairBench {
    try .made(folds: place.needsFold)
  }

  /// The ledger without some events, and which they are.
  private func lossy(
    _ bench: RepairBench, _ loss: Case
  ) throws -> (disk: TestDisk, lost: SequenceRanges) {
    let disk = try bench.disk(loss.damage, loss.place, other: bench)
    let repair = try disk.repair(configuration: bench.configuration)
    #expect(!repair.lost.isEmpty)
    return (disk, repair.lost)
  }

  private func open(_ disk: TestDisk, _ bench: RepairBench) throws -> Ledger {
    try disk.open(configuration: bench.configuration)
  }

  private func events(_ disk: TestDisk, _ bench: RepairBench) throws -> [UInt64] {
    try LedgerCheck.allEvents(of: try open(disk, bench)).map(\.sequence)
  }

  /// Expects that the ledger is refused, and the backup stays as it is.
  @discardableResult
  private func expectRefused(
    _ disk: TestDisk, _ bench: RepairBench, followsFold: Bool = false, _ words: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> LedgerError {
    let before = target.lastingFiles
    let error = #expect(throws: LedgerError.self, sourceLocation: sourceLocation) {
      try open(disk, bench).backup(to: target.faults, followsFold: followsFold)
    }
    #expect(error?.code == .alreadyExists, sourceLocation: sourceLocation)
    #expect(
      error?.message.contains(words) == true, "\(String(describing: error))",
      sourceLocation: sourceLocation)
    #expect(target.holds(before), sourceLocation: sourceLocation)
    return try #require(error)
  }

  @Test(arguments: Case.all)
  func `keeps the events that the ledger has lost, and says which, and where they are`(
    _ loss: Case
  ) throws {
    let bench = try bench(loss.place)
    try open(bench.disk.processKilled(), bench).backup(to: target.faults)
    let (disk, lost) = try lossy(bench, loss)
    let error = try expectRefused(disk, bench, "events that the ledger has lost")
    #expect(error.cause?.contains(lost.text()) == true, "\(error)")
    let named = target.files.keys.filter { error.hint?.contains("\($0) ") == true }
    #expect(!named.isEmpty && named.allSatisfy { $0.hasPrefix("segments/") })
    #expect(error.hint?.contains("`ledger repair`") == true)
    // Elsewhere it can be backed up, again and again, and what was lost is lost there, too.
    let other = TestDisk()
    for _ in 1...2 {
      let ledger = try open(disk, bench)
      try ledger.backup(to: other.faults)
      #expect(try open(other, bench).lostEvents == lost)
      #expect(try events(other, bench) == events(disk, bench))
      try ledger.upsert(TaskItem(body: "One more"))
    }
  }

  @Test(arguments: Case.all)
  func `gets the events back that it has lost itself`(_ loss: Case) throws {
    let bench = try bench(loss.place)
    let ledger = bench.disk.processKilled()
    try open(ledger, bench).backup(to: target.faults)
    // The copy of frames has a longer name.
    let name = bench.file(loss.place).dropLast(7)
    let file = try #require(target.files.keys.first { $0.hasPrefix(name) })
    var bytes = try #require(target.files[file])
    if loss.damage == .missing {
      try target.remove(file)
    } else {
      bytes[file.hasSuffix(".active") ? 112 + 88 + 4 : 40] ^= 0x10
      try target.overwrite(file, with: bytes)
    }
    #expect(try !target.repair(configuration: bench.configuration).lost.isEmpty)
    try open(ledger, bench).backup(to: target.faults)
    #expect(try open(target, bench).lostEvents.isEmpty)
    #expect(try target.verify().isSound)
    #expect(try events(target, bench) == events(ledger, bench))
  }

  @Test func `that lost others keeps those that it has`() throws {
    let bench = try bench(.firstSealed)
    try open(bench.disk.processKilled(), bench).backup(to: target.faults)
    try target.remove(bench.file(.firstSealed))
    #expect(try target.repair(configuration: bench.configuration).lost.text() == "1 to 6")
    let (disk, _) = try lossy(bench, Case(place: .middleSealed, damage: .missing))
    let error = try expectRefused(disk, bench, "the ledger has lost")
    #expect(error.cause == "events 7 to 12")
  }

  @Test func `that lost the same goes on`() throws {
    let bench = try bench(.firstSealed)
    try open(bench.disk.processKilled(), bench).backup(to: target.faults)
    try target.remove(bench.file(.middleSealed))
    try target.repair(configuration: bench.configuration)
    // A part of what the backup has lost.
    let (disk, lost) = try lossy(bench, Case(place: .middleSealed, damage: .flip))
    try open(disk, bench).backup(to: target.faults)
    #expect(try open(target, bench).lostEvents == lost)
  }

  @Test(arguments: [RepairBench.Place.firstSealed, .baseline])
  func `that was made after a loss keeps what is lost later of the same segment`(
    _ place: RepairBench.Place
  ) throws {
    let bench = try bench(place)
    let (disk, first) = try lossy(bench, Case(place: place, damage: .flip))
    try open(disk, bench).backup(to: target.faults)
    let suffix = place == .baseline ? ".baseline" : ".salvaged"
    try disk.remove(try #require(disk.files.keys.first { $0.hasSuffix(suffix) }))
    #expect(try disk.repair(configuration: bench.configuration).steps.count >= 1)
    #expect(try open(disk, bench).lostEvents != first || place == .baseline)
    try expectRefused(disk, bench, "the ledger has lost")
  }

  @Test func `follows a fold of lost events only where it has lost them, too`() throws {
    let bench = try bench(.firstSealed)
    let whole = TestDisk()
    try open(bench.disk.processKilled(), bench).backup(to: whole.faults)
    let (disk, lost) = try lossy(bench, Case(place: .firstSealed, damage: .flip))
    try open(disk, bench).backup(to: target.faults)
    _ = try open(disk, bench).compact(.fold(before: .sequence(12)))
    try open(disk, bench).backup(to: target.faults, followsFold: true)
    try open(disk, bench).backup(to: target.faults)
    #expect(try open(target, bench).foldedLoss?.events == lost)
    let before = whole.lastingFiles
    let error = #expect(throws: LedgerError.self) {
      try open(disk, bench).backup(to: whole.faults, followsFold: true)
    }
    #expect(error?.cause == "some of what still counted of events \(lost.text())")
    #expect(error?.hint == "make a new backup in another folder; nothing was changed")
    #expect(whole.holds(before))
  }

  @Test(arguments: [true, false])
  func `ends in a segment that the ledger has lost events of`(isLostLater: Bool) throws {
    let configuration = LedgerConfiguration.forTests(clock: try TestClock(), sealEvents: 100)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    func add(_ numbers: ClosedRange<Int>) throws {
      for number in numbers {
        try ledger.upsert(TaskItem(id: TaskID("t\(number)"), body: "One of many"))
      }
    }
    try add(1...4)
    try ledger.backup(to: target.faults)
    try add(5...8)
    let active = try #require(disk.files.keys.first { $0.hasSuffix(".active") })
    // The first frames look the same, and so do the last: the second and the last but one.
    let frames = try frameOffsets(disk.files[active] ?? [])
    var bytes = try #require(disk.files[active])
    bytes[frames[isLostLater ? 6 : 1] + 88 + 2] ^= 1
    let damaged = disk.processKilled()
    try damaged.overwrite(active, with: bytes)
    let lost = try damaged.repair(configuration: configuration).lost.text()
    #expect(lost == (isLostLater ? "7" : "2"))
    let repaired = try damaged.open(configuration: configuration)
    if isLostLater {
      try repaired.backup(to: target.faults)
      #expect(try target.open(configuration: configuration).lastSequence == 8)
    } else {
      let error = #expect(throws: LedgerError.self) { try repaired.backup(to: target.faults) }
      #expect(error?.cause == "event 2")
      // Where the backup has lost it, too, nothing is left that would tell whether it ends with the same event.
      let copy = try #require(target.files.keys.first { $0.hasSuffix("-\(frames[4]).active") })
      var copied = try #require(target.files[copy])
      copied[frames[1] + 88 + 2] ^= 1
      try target.overwrite(copy, with: copied)
      #expect(try target.repair(configuration: configuration).lost.text() == "2")
      let unknown = #expect(throws: LedgerError.self) { try repaired.backup(to: target.faults) }
      #expect(unknown?.cause == "whether it is the same cannot be told")
    }
  }

  /// Where the frames of a segment start.
  private func frameOffsets(_ bytes: [UInt8]) throws -> [Int] {
    let magic = Array(bytes[112..<116])
    return bytes.indices.dropLast(4).filter { Array(bytes[$0..<$0 + 4]) == magic && $0 >= 112 }
  }
}
