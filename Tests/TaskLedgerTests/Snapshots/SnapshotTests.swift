import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What a snapshot is for, and that it never changes an answer.
@Suite struct `A ledger with snapshots` {
  private let bench: SnapshotBench

  init() throws { bench = try SnapshotBench() }

  @Test func `answers as one without, at every moment, late events included`() throws {
    let ledger = try bench.open()
    #expect(try SnapshotBench.answers(ledger) == bench.plainAnswers())
    #expect(ledger.takeNotices() == [])
    let replay = try ledger.replay(fromSnapshot: true, comparesSnapshot: true)
    #expect(replay.snapshot == 8 && replay.comparison?.agrees == true)
    let last = try ledger.lastSequence
    #expect(replay.events == last - 8 && replay.comparison?.events == last)
    let other = try ledger.replay(comparesSnapshot: true)
    #expect(other.events == last && other.comparison?.events == last - 8)
  }

  @Test func `reads only the events after the snapshot`() throws {
    let disk = bench.disk.processKilled()
    let ledger = try bench.open(disk)
    let expected = try SnapshotBench.answers(try bench.open())
    // Whoever opened the sealed segment would fail.
    let sealed = try #require(disk.files.keys.filter { $0.hasSuffix(".sealed") }.min())
    disk.faults.onCall { call in
      guard call.kind != .status, call.name == sealed else { return }
      throw LedgerError(.io, "nobody is to open it")
    }
    let all = TaskListOptions(includesDeleted: true)
    #expect(expected.contains("\(try ledger.tasks(all).map(\.json))"))
    #expect(try ledger.task("milk")?.body == "Get oat milk")
    #expect(try ledger.tasks(TaskListOptions(limit: 1)).count == 1)
    #expect(try ledger.resolve("milk") == "milk")
    #expect(try ledger.resolve("late") == "late")
    #expect(try ledger.resolve(["milk", "eggs"]) == ["milk", "eggs"])
    #expect(throws: LedgerError.self) { try ledger.resolve("never") }
    #expect(throws: LedgerError.self) { try ledger.replay() }
    #expect(throws: LedgerError.self) { try ledger.audit("milk") }
    try ledger.toggle("milk")
    #expect(try !ledger.update("milk") { $0.body = "Get oat milk" })
    try ledger.upsert(TaskItem(id: "bread", body: "Get bread"))
    #expect(try ledger.task("milk")?.isCompleted == true)
    #expect(try ledger.task("bread")?.body == "Get bread")
  }

  @Test func `keeps one and the same of an event, and makes it anew when it is damaged`() throws {
    let disk = bench.disk.processKilled()
    let ledger = try bench.open(disk)
    var seen: [UInt64] = []
    let first = try #require(try ledger.snapshot { seen.append($0) })
    #expect(seen == [try ledger.lastSequence])
    let last = try ledger.lastSequence
    #expect(first.isNew && first.sequence == last)
    #expect(first.digest == (try ledger.replay().digest))
    #expect(first.tasks == 4)
    let again = try #require(try ledger.snapshot())
    #expect(!again.isNew && again.file == first.file && again.bytes == first.bytes)
    var bytes = try #require(disk.files[first.file])
    bytes[40] ^= 1
    try disk.overwrite(first.file, with: bytes)
    let anew = try #require(try ledger.snapshot())
    #expect(anew.isNew && anew.sequence == first.sequence && anew.digest == first.digest)
    #expect(try Ledger.verify(disk.faults).files.allSatisfy { $0.isSoundOrUnneeded })
  }

  @Test func `has one of its middle once it is long, inside of a segment or not`() throws {
    var bench = bench
    bench.snapshotEvents = 4
    let disk = bench.disk.processKilled()
    for number in 0..<40 {
      let ledger = try bench.open(disk)
      bench.clock.advance(milliseconds: 1000)
      try ledger.update("milk") { $0["priority"] = .int(Int64(number)) }
      // A few events are not in closed segments.
      let middle = try ledger.lastSequence / 2
      let known = try ledger.statistics().snapshots.map(\.sequence)
      guard number > 20 else { continue }
      #expect(known.contains { $0 <= middle && 6 * $0 + 15 >= 5 * middle }, "\(middle): \(known)")
      #expect(known.count <= 8)
    }
    #expect(try Ledger.verify(disk.faults).files.allSatisfy { $0.isSoundOrUnneeded })
    let plain = disk.processKilled()
    for file in SnapshotBench.snapshots(plain) { try plain.remove(file) }
    let expected = try SnapshotBench.answers(try bench.open(plain))
    #expect(try SnapshotBench.answers(try bench.open(disk)) == expected)
  }

  @Test func `needs none of them`() throws {
    let disk = bench.disk.processKilled()
    for file in SnapshotBench.snapshots(disk) { try disk.remove(file) }
    let ledger = try bench.open(disk)
    #expect(try SnapshotBench.answers(ledger) == bench.plainAnswers())
    #expect(ledger.takeNotices() == [])
    #expect(try Ledger.verify(disk.faults).files.allSatisfy { $0.isSoundOrUnneeded })
    #expect(try ledger.statistics().snapshots.isEmpty)
    #expect(try ledger.snapshot()?.isNew == true)
    #expect(try SnapshotBench.answers(ledger) == bench.plainAnswers())
  }

  @Test func `makes none while another process does, and goes on without`() throws {
    var bench = bench
    bench.snapshotEvents = 1
    let disk = bench.disk.processKilled()
    let ledger = try bench.open(disk)
    let other = try disk.memory.open(LedgerNames.snapshots, .folder)
    #expect(try other.tryLock(.exclusive))
    let error = #expect(throws: LedgerError.self) { try ledger.snapshot() }
    #expect(error?.code == .busy)
    for _ in 0..<20 { try ledger.toggle("milk") }
    #expect(try ledger.statistics().snapshots.map(\.sequence) == [8])
    #expect(ledger.takeNotices() == [])
    other.close()
    #expect(try ledger.snapshot()?.isNew == true)
  }

  @Test func `goes on where a file stands in the way of the folder`() throws {
    let disk = TestDisk()
    var configuration = LedgerConfiguration.forTests(clock: bench.clock, sealEvents: 4)
    configuration.snapshotEvents = 1
    let ledger = try disk.create(configuration: configuration)
    try disk.overwrite("snapshots", with: [1, 2, 3])
    for number in 0..<9 { try ledger.upsert(TaskItem(id: try TaskID("\(number)"))) }
    #expect(try ledger.tasks().count == 9)
    #expect(ledger.takeNotices().allSatisfy { $0.hasPrefix("a snapshot is not made: ") })
    #expect(throws: LedgerError.self) { try ledger.snapshot() }
    #expect(try disk.verify().isSound)
    #expect(try ledger.task("3") != nil && ledger.replay(fromSnapshot: true).snapshot == nil)
  }

  @Test func `of no events makes none`() throws {
    let disk = TestDisk()
    let ledger = try disk.create()
    #expect(try ledger.snapshot() == nil)
    #expect(SnapshotBench.snapshots(disk).isEmpty)
  }

  @Test func `refuses to make one inside a transaction`() throws {
    let ledger = try bench.open(bench.disk.processKilled())
    let error = #expect(throws: LedgerError.self) {
      try ledger.transaction { _ in _ = try ledger.snapshot() }
    }
    #expect(error?.code == .invalid)
  }

  @Test func `makes them by itself, and keeps the newest two and powers of two apart`() throws {
    var bench = bench
    bench.snapshotEvents = 5
    let disk = bench.disk.processKilled()
    let ledger = try bench.open(disk)
    for number in 0..<60 {
      try ledger.upsert(TaskItem(id: try TaskID("task \(number % 9)"), body: "\(number)"))
    }
    let snapshots = try ledger.statistics().snapshots
    #expect(snapshots.count >= 3)
    #expect(snapshots.allSatisfy { $0.problem == nil })
    let newest = try #require(snapshots.last).sequence
    let last = try ledger.lastSequence
    #expect(last - newest < 20)
    let powers = snapshots.dropLast(2).map { (newest - $0.sequence).leadingZeroBitCount }
    #expect(Set(powers).count == powers.count)
    #expect(SnapshotBench.snapshots(disk).count <= snapshots.count + 2)
    let replay = try ledger.replay(comparesSnapshot: true)
    #expect(replay.comparison?.agrees == true)
    let found = try Ledger.verify(disk.faults)
    #expect(found.isSound && found.files.allSatisfy { $0.isSoundOrUnneeded })
  }

  @Test func `goes on from a snapshot in the middle of a segment`() throws {
    let disk = TestDisk()
    var configuration = LedgerConfiguration.forTests(clock: bench.clock, sealEvents: 4)
    let ledger = try disk.create(configuration: configuration)
    for number in 0..<8 { try ledger.upsert(TaskItem(id: try TaskID("\(number)"))) }
    _ = try ledger.snapshot()
    for number in 0..<4 { try ledger.toggle(try TaskID("\(number)")) }
    _ = try ledger.snapshot()
    _ = try ledger.compact()
    configuration.snapshotEvents = 1
    let merged = try disk.open(configuration: configuration)
    #expect(try merged.statistics().segments.count == 2)
    let replay = try merged.replay(fromSnapshot: true, comparesSnapshot: true)
    #expect(replay.snapshot == 12 && replay.comparison?.agrees == true)
    for number in 0...12 {
      let moment = Moment.sequence(UInt64(number))
      let then = try merged.replay(at: moment, fromSnapshot: true, comparesSnapshot: true)
      #expect(then.snapshot == (number < 8 ? nil : number < 12 ? 8 : 12))
      #expect(then.comparison?.agrees ?? true)
      #expect(then.events == UInt64(number) - (then.snapshot ?? 0))
      #expect((then.comparison?.events ?? then.events) == UInt64(number))
      let toggled = try merged.at(moment).tasks().count { $0.isCompleted }
      #expect(toggled == max(0, number - 8))
    }
    // The next one is made of the snapshot and the rest of that segment.
    for number in 0..<8 { try merged.toggle(try TaskID("\(number)")) }
    #expect(try merged.statistics().snapshots.last?.sequence == 20)
    #expect(try merged.replay(comparesSnapshot: true).comparison?.agrees == true)
    #expect(try Ledger.verify(disk.faults).files.allSatisfy { $0.isSoundOrUnneeded })
  }
}

extension Verification.File {
  /// Whether nothing is wrong with it.
  var isSoundOrUnneeded: Bool {
    switch status {
    case .sound, .absent, .unneeded: true
    case .tornTail, .damaged, .missing, .otherLedger, .unreadable, .leftOut, .unlisted, .foreign:
      false
    }
  }

  /// Why it is not used, in a sentence.
  var leftOut: String? {
    if case .leftOut(let error) = status { error.sentence } else { nil }
  }
}
