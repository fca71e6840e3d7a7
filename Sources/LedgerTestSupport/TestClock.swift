import TaskLedger

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = try TestClock("2026-11-30T12:00:00Z")
/// let ledger = try Ledger.inMemory(configuration: .forTests(clock: clock))
/// try ledger.upsert(TaskItem(body: "Get milk"))
/// clock.advance(milliseconds: 1500)
/// ```
public final class TestClock: Sendable {
  private let time: Guarded<LedgerTime>

  /// Makes a clock that shows a time.
  public init(_ start: LedgerTime) { time = Guarded(start) }

  /// Makes a clock that shows a time given as RFC 3339.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` for another text.
  public convenience init(_ start: String = "2026-11-30T12:00:00Z") throws(LedgerError) {
    self.init(try LedgerTime(start))
  }

  /// The time that it shows.
  public var now: LedgerTime { time.withLock { $0 } }

  /// Moves the clock, back when the number is negative; it stops at the ends of the years 0000 to 9999.
  public func advance(milliseconds: Int64) {
    time.withLock { time in
      let (sum, overflow) = time.milliseconds.addingReportingOverflow(milliseconds)
      let end: LedgerTime = milliseconds < 0 ? .earliest : .latest
      time = overflow ? end : (try? LedgerTime(milliseconds: sum)) ?? end
    }
  }

  /// Sets the clock.
  public func set(_ time: LedgerTime) { self.time.withLock { $0 = time } }
}
