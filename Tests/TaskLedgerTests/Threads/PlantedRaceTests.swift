import Foundation
import LedgerTestSupport
import Testing

/// A race on purpose: `tools/test-threads` runs this last, to show that the tool that found none before would have seen one.
@Suite(
  .enabled(
    if: ProcessInfo.processInfo.environment["LEDGER_PLANT_RACE"] == "1",
    "only for ThreadSanitizer, which must report it"))
struct `A planted race` {
  @Test func `of two threads on one counter is reported`() {
    let counter = Unguarded()
    inParallel(2) { _ in for _ in 1...1000 { counter.count += 1 } }
    #expect(counter.count > 0)
  }

  private final class Unguarded: @unchecked Sendable {
    // Unchecked, and wrong: that is the point.
    var count = 0
  }
}
