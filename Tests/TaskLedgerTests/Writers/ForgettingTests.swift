import LedgerTestSupport
import Testing

@testable import TaskLedger

@Suite struct `A writer that keeps few tasks` {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `makes of commands what one makes that keeps all of them`(seed: UInt64) throws {
    let few = try history(seed: seed, keeping: 3)
    let all = try history(seed: seed, keeping: .max)
    #expect(few == all)
    #expect(all.count > 100)
  }

  /// The events that several streams make, the same for one seed but for how many tasks are kept.
  private func history(seed: UInt64, keeping most: Int) throws -> [Event] {
    let clock = TestClock(LedgerTime(unchecked: noon))
    var configuration = LedgerConfiguration.forTests(clock: clock, sealEvents: 40)
    configuration.keptTasksMax = most
    configuration.snapshotEvents = 60
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    var state = seed
    func random(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    for _ in 0..<12 {
      clock.advance(milliseconds: 1000)
      let lines = (0..<30).map { _ in
        // One in five happened earlier.
        let late = random(5) == 0 ? Int64(random(8000)) : 0
        let time = LedgerTime(unchecked: clock.now.milliseconds - late)
        return #"{"kind":"upsert","task":"\#(random(25))","#
          + #""set":{"body":"\#(random(3))","due":\#(random(2) == 0 ? "null" : "\"2026-12-24\"")},"#
          + #""time":"\#(time)"}"#
      }
      let applied = try ledger.apply(try Lines.split(lines))
      if let error = applied.errors.first { throw error }
    }
    #expect(try disk.verify().isSound)
    var events: [Event] = []
    try ledger.forEachEvent { event in
      var event = event
      event.stamp.replica = ReplicaID(high: 0, low: 1)
      events.append(event)
      return true
    }
    return events
  }
}
