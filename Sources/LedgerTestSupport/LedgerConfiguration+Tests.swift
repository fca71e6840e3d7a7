import TaskLedger

extension LedgerConfiguration {
  /// A configuration under which a test needs few events: segments are sealed after a handful, files grow by the
  /// smallest step, nothing happens in the background, and time and ids are the test's own.
  ///
  /// ```swift
  /// let clock = try TestClock("2026-11-30T12:00:00Z")
  /// let ledger = try Ledger.inMemory(configuration: .forTests(clock: clock, sealEvents: 4))
  /// ```
  /// - Parameters:
  ///   - clock: tells the time; the machine's clock when left out.
  ///   - ids: makes the ids of new tasks; random ones when left out.
  ///   - sealEvents: a segment is closed and sealed when it holds as many events.
  public static func forTests(
    clock: TestClock? = nil, ids: TestIDs? = nil, sealEvents: UInt64 = 8
  ) -> LedgerConfiguration {
    var configuration = LedgerConfiguration()
    if let clock { configuration.clock = { clock.now } }
    if let ids { configuration.makeID = { ids.next() } }
    configuration.sealEvents = sealEvents
    configuration.quickSegmentFactor = 1
    configuration.extensionBytes = 512
    configuration.sealsInBackground = false
    return configuration
  }
}
