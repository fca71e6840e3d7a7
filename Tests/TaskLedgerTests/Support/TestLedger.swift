import LedgerStorage
import LedgerTestSupport

@testable import TaskLedger

/// A ledger in a folder in memory, with a clock of its own, that can be opened by several handles and again later.
///
///     let bench = try TestLedger(sealEvents: 3)
///     let ledger = try bench.open()
struct TestLedger {
  let clock = TestClock(LedgerTime(unchecked: noon))
  let directory = MemoryDirectory()
  let configuration: LedgerConfiguration

  /// - Parameters:
  ///   - sealEvents: after how many events a segment is sealed; nil: never in a test.
  ///   - sealsInBackground: whether another thread seals.
  ///   - snapshotEvents: after how many events a snapshot is made; nil: never in a test.
  init(
    sealEvents: UInt64? = nil, sealsInBackground: Bool = false, snapshotEvents: UInt64? = nil
  ) throws {
    let usual = LedgerConfiguration().sealEvents
    var configuration = LedgerConfiguration.forTests(clock: clock, sealEvents: sealEvents ?? usual)
    configuration.sealsInBackground = sealsInBackground
    if let snapshotEvents { configuration.snapshotEvents = snapshotEvents }
    self.configuration = configuration
    try LedgerCreation.create(
      in: directory, options: configuration.storeOptions, clock: configuration.clock)
  }

  /// Sets the clock, in Unix milliseconds.
  func setClock(_ milliseconds: Int64) { clock.set(LedgerTime(unchecked: milliseconds)) }

  /// A new handle, as another process would have it.
  func open(author: String = "tester") throws -> Ledger {
    try Ledger(directory, author: author, configuration: configuration)
  }
}
