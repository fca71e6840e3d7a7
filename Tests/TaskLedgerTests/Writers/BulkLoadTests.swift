import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// A long stream: it is sealed on its way, and what sealing leaves behind is removed at once.
@Suite struct `A bulk load` {
  private let lines: [LineSplitter.Line]
  /// The state digest after each number of events.
  private let digests: [String]
  private let clock = TestClock(LedgerTime(unchecked: noon))

  init() throws {
    lines = try Lines.split(
      (1...60).map {
        #"{"kind":"upsert","task":"task \#($0 * $0 % 13)","set":{"body":"Step \#($0)"}}"#
      })
    let plain = try TestDisk().create(configuration: .forTests(clock: clock))
    try plain.apply(lines)
    digests = try (0...60).map { try plain.replay(at: .sequence($0)).digest }
  }

  private var configuration: LedgerConfiguration {
    var configuration = LedgerConfiguration.forTests(clock: clock, sealEvents: 6)
    configuration.tidiesWhileSealing = false
    return configuration
  }

  /// Loads lines, a few at a time.
  ///
  /// - Parameter each: called after each few, with the number of events that are acknowledged.
  private func load(
    _ lines: ArraySlice<LineSplitter.Line>, into ledger: Ledger, each: (Int) throws -> Void
  ) throws {
    let applier = Applier(ledger)
    for (place, line) in lines.enumerated() {
      _ = try applier.add(line)
      guard place % 4 == 3 else { continue }
      try applier.flush()
      try each(applier.summary.events)
    }
    try each(try applier.finish().events)
    try ledger.finishLoad(isLong: true)
  }

  private func frameFiles(_ disk: TestDisk) -> Int {
    disk.files.keys.count { $0.hasSuffix(".active") }
  }

  @Test(arguments: [false, true])
  func `has few frames on the disk at any time`(inBackground: Bool) throws {
    let disk = TestDisk()
    var configuration = configuration
    configuration.sealsInBackground = inBackground
    let ledger = try disk.create(configuration: configuration)
    var most = 0
    try load(lines[...], into: ledger) { _ in
      ledger.finishBackgroundWork()
      most = max(most, frameFiles(disk))
    }
    #expect(most <= 4)
    #expect(frameFiles(disk) == 1)
    #expect(disk.files.keys.count { $0.hasPrefix("MANIFEST") } == 1)
    #expect(ledger.takeNotices() == [])
    #expect(try ledger.replay().digest == digests[60])
    #expect(try disk.verify().isSound)
  }

  @Test func `leaves to a reader the files that it reads`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try load(lines[..<10], into: ledger) { _ in }
    try load(lines[10..<14], into: ledger) { _ in }
    let then = try disk.open(configuration: configuration).at(.sequence(14))
    try load(lines[14...], into: ledger) { _ in }
    let expected = try disk.open().at(.sequence(14)).tasks().map(\.json)
    #expect(try then.tasks().map(\.json) == expected)
  }

  @Test(arguments: [FaultKind.error, .lostAnswer, .fullDisk, .lostPages])
  func `that is interrupted by a call that fails keeps what it acknowledged`(
    kind: FaultKind
  ) throws {
    let start = TestDisk()
    try load(lines[..<10], into: try start.create(configuration: configuration)) { _ in }
    var n = 1
    var isMet = true
    while isMet {
      let disk = start.processKilled()
      let ledger = try disk.open(configuration: configuration)
      disk.faults.arm(kind.plan(n))
      var acknowledged = 10
      _ = try? load(lines[10..<24], into: ledger) { acknowledged = 10 + $0 }
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      let left = [disk.processKilled(), disk.powerCut(), disk.powerCut(tearing: UInt64(n))][n % 3]
      try check(left, acknowledged, "\(kind), call \(n)")
      n += 1
    }
    #expect(n > 10)
  }

  @Test func `keeps what it acknowledged in a power cut before any call`() throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    try load(lines[..<10], into: ledger) { _ in }
    let acknowledged = Guarded(10)
    let all = Guarded<[(call: Call, acknowledged: Int, disk: TestDisk)]>([])
    disk.faults.onCall { [memory = disk.memory] call in
      guard CallKind.mutating.contains(call.kind) else { return }
      let count = acknowledged.withLock { $0 }
      all.withLock { all in
        all.append((call, count, TestDisk(memory.powerCut())))
        all.append((call, count, TestDisk(memory.powerCut(tearing: UInt64(call.number)))))
      }
    }
    try load(lines[10..<24], into: ledger) { count in acknowledged.withLock { $0 = 10 + count } }
    disk.faults.onCall(nil)
    let left = all.withLock { $0 }
    #expect(left.count > 60 && left.last?.acknowledged == 24)
    for (call, acknowledged, disk) in left { try check(disk, acknowledged, "before \(call)") }
  }

  /// The ledger is sound and holds what was acknowledged, and perhaps more of the same.
  private func check(_ disk: TestDisk, _ acknowledged: Int, _ context: Comment) throws {
    let ledger = try disk.open(configuration: configuration)
    let events = Int(try ledger.lastSequence)
    #expect(events >= acknowledged, context)
    #expect(try ledger.replay().digest == digests[events], context)
    #expect(try disk.verify().isSound, context)
    try load(lines[events...], into: ledger) { _ in }
    #expect(try ledger.replay().digest == digests[60], context)
    #expect(try disk.verify().isSound, context)
    #expect(frameFiles(disk) == 1, context)
  }

  @Test func `leaves no full segment open once all is done in the background`() throws {
    var configuration = configuration
    configuration.sealsInBackground = true
    configuration.tidiesWhileSealing = true
    configuration.quickSegmentFactor = 100
    let ledger = try TestDisk().create(configuration: configuration)
    for place in 1...40 {
      try ledger.upsert(TaskItem(id: TaskID(unchecked: "task \(place % 7)"), body: "\(place)"))
    }
    ledger.finishBackgroundWork()
    let segments = try ledger.statistics().segments
    let active = try #require(segments.last)
    #expect(active.events < 6)
    #expect(segments.dropLast().allSatisfy { $0.kind == "sealed" })
    #expect(try ledger.replay().events == 40)
  }
}
