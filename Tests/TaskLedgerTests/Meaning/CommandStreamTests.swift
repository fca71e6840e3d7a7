import LedgerFormat
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// A log that is written as commands, and applied to an empty ledger.
@Suite struct `A log as commands` {
  @Test(arguments: TestSettings.seeds(12))
  func `makes the same events and tasks again`(seed: UInt64) throws {
    var pair = try SideBySide(seed: seed, sealEvents: seed % 2 == 0 ? 6 : nil, handles: 1)
    for step in RandomStream(seed: seed).prefix(50) { try pair.take(step) }
    let ledger = pair.handles[0]
    var lines: [UInt8] = []
    var events: [Event] = []
    try ledger.forEachEvent { event in
      lines += CommandJSON.bytes(event) + [0x0a]
      events.append(event)
      return true
    }
    #expect(events.count > 10)
    let again = try RecordedLedger(lines: lines)
    try again.expect(digest: try ledger.replay().digest)
    var made = events[...]
    try again.ledger.forEachEvent { event in
      let first = made.popFirst()
      let isSame =
        first?.kind == event.kind && first?.task == event.task && first?.changes == event.changes
        && first?.time == event.time && first?.author == event.author
        && first?.message == event.message && first?.transaction == event.transaction
      #expect(isSame, "seed \(seed): \(String(describing: first)) became \(event)")
      return true
    }
    #expect(made.isEmpty, "seed \(seed)")
  }
}
