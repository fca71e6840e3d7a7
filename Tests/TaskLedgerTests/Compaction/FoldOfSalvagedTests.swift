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
