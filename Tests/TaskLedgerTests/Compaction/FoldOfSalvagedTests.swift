import LedgerTestSupport
import TaskLedger
import Testing

/// Of a salvaged segment some events are lost, so that it holds fewer than its numbers say.
@Suite struct `A fold of a ledger with a salvaged segment` {
  @Test func `that is refused names the next place where it can be`() throws {
    let clock = try TestClock()
    let configuration = LedgerConfiguration.forTests(clock: clock, sealEvents: 100)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    func upsert(_ numbers: ClosedRange<Int>) throws {
      for number in numbers {
        clock.advance(milliseconds: 1000)
        try ledger.upsert(TaskItem(id: "milk", body: .unpressable(40 + number)))
      }
    }
    try upsert(1...2)
    try ledger.sealNow()
    let second = clock.now
    try upsert(3...7)
    // Late: older than event 2.
    let command = Command(
      .update, "milk", try ChangeSet([FieldChange(.body, "late")]),
      time: try LedgerTime(milliseconds: second.milliseconds - 500), author: "ann")
    try ledger.transaction { _ = try $0.perform(command) }
    try upsert(9...9)
    try loseFrame(2, on: disk)
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.lost == SequenceRanges([4...4]))
    let repaired = try disk.open(configuration: configuration)
    #expect(try repaired.statistics().segments.map(\.kind) == ["sealed", "salvaged", "active"])
    let error = #expect(throws: LedgerError.self) {
      try repaired.compact(.fold(before: .sequence(2)))
    }
    #expect(error?.sentence.contains("event 8, which came later, is older") == true)
    #expect(error?.hint?.contains("event 9 is the next up to which it can be folded") == true)
    #expect(try repaired.compact(.fold(before: .sequence(9))).plan.horizon == 9)
  }

  /// A ledger of nine events: two sealed ones, six of which one or all are lost, one after them.
  private func lossy(
    isWhole: Bool
  ) throws -> (ledger: Ledger, clock: TestClock, times: [LedgerTime]) {
    let clock = try TestClock()
    let configuration = LedgerConfiguration.forTests(clock: clock, sealEvents: 100)
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    var times: [LedgerTime] = []
    for number in 1...9 {
      clock.advance(milliseconds: 1000)
      times.append(clock.now)
      try ledger.upsert(TaskItem(id: "milk", body: .unpressable(40 + number)))
      if number == 2 || (isWhole && number == 8) { try ledger.sealNow() }
    }
    if isWhole {
      try disk.remove(try #require(disk.files.keys.filter { $0.hasSuffix(".sealed") }.max()))
    } else {
      try loseFrame(3, on: disk)
    }
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.lost == SequenceRanges([isWhole ? 3...8 : 5...5]))
    return (try disk.open(configuration: configuration), clock, times)
  }

  @Test(arguments: [true, false])
  func `up to an event inside of that is refused, and names the places around it`(
    isWhole: Bool
  ) throws {
    let (ledger, _, times) = try lossy(isWhole: isWhole)
    let last: UInt64 = isWhole ? 8 : 9
    func expectRefused(_ moment: Moment, sourceLocation: SourceLocation = #_sourceLocation) throws {
      for attempt in [
        { _ = try ledger.compact(.fold(before: moment)) },
        { _ = try ledger.compactionPlan(.fold(before: moment)) },
      ] {
        let error = #expect(throws: LedgerError.self, sourceLocation: sourceLocation) {
          try attempt()
        }
        #expect(error?.code == .invalid, sourceLocation: sourceLocation)
        #expect(
          error?.sentence.contains("the log digest there is unknown") == true,
          "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(
          error?.hint?.contains("it can be folded up to event 2 or event \(last)") == true,
          "\(String(describing: error))", sourceLocation: sourceLocation)
      }
    }
    for number: UInt64 in [3, 5, 7] { try expectRefused(.sequence(number)) }
    // Of what is lost whole no time is known but the newest.
    if !isWhole { try expectRefused(.time(times[5])) }
    // A moment before all of it is none inside.
    #expect(try ledger.compact(.fold(before: .time(times[1]))).plan.horizon == 2)
    let error = #expect(throws: LedgerError.self) {
      try ledger.compact(.fold(before: .sequence(5)))
    }
    #expect(error?.hint?.contains("event \(last) is the nearest") == true)
    #expect(try ledger.compact(.fold(before: .sequence(last))).plan.horizon == last)
  }

  /// Flips a bit in the payload of the nth frame of the active segment.
  private func loseFrame(_ number: Int, on disk: TestDisk) throws {
    let name = try #require(disk.files.keys.filter { $0.hasSuffix(".active") }.max())
    var bytes = try #require(disk.files[name])
    let magic = Array("TLF1".utf8)
    let starts = stride(from: 112, to: bytes.count - 88, by: 8).filter {
      bytes[$0...].starts(with: magic)
    }
    bytes[starts[number - 1] + 90] ^= 0x10
    try disk.overwrite(name, with: bytes)
  }
}
