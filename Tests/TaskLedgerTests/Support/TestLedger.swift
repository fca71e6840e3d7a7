import LedgerStorage

@testable import TaskLedger

/// A ledger in a folder in memory, with a clock of its own, that can be opened by several handles and again later.
///
///     let bench = try TestLedger(sealEvents: 3)
///     let ledger = try bench.open()
struct TestLedger {
  let clock = MillisecondClock()
  let directory: MemoryDirectory
  let configuration: LedgerConfiguration

  /// - Parameter sealEvents: after how many events a segment is sealed; nil: never in a test.
  init(sealEvents: UInt64? = nil) throws {
    let clock = clock
    var configuration = LedgerConfiguration()
    configuration.clock = { clock.time }
    // The zeros of a new file are most of what a test would write.
    configuration.extensionBytes = 4096
    if let sealEvents { configuration.sealEvents = sealEvents }
    self.configuration = configuration
    directory = MemoryDirectory()
    try LedgerCreation.create(
      in: directory, options: configuration.storeOptions, clock: configuration.clock)
  }

  /// A new handle, as another process would have it.
  func open(author: String = "tester") throws -> Ledger {
    try Ledger(directory, author: author, configuration: configuration)
  }
}
