import Testing

@testable import TaskLedger

/// What the documentation of its properties says of them.
@Suite struct `A configuration` {
  @Test func `has the defaults that its documentation names`() {
    let configuration = LedgerConfiguration()
    #expect(configuration.sealEvents == 8192)
    #expect(configuration.sealBytes == 4_194_304)
    #expect(configuration.extensionBytes == 1_048_576)
    #expect(configuration.sealsInBackground)
    #expect(configuration.snapshotEvents == 65_536)
    #expect(configuration.lockTimeoutMilliseconds == 10_000)
    #expect(configuration.lockPatienceMilliseconds == 1000)
  }

  @Test func `takes a value outside of the limits for the nearest one inside`() {
    var configuration = LedgerConfiguration()
    configuration.sealEvents = 0
    configuration.sealBytes = 0
    configuration.snapshotEvents = 0
    configuration.extensionBytes = 0
    #expect(configuration.storeOptions.sealEvents == 1)
    #expect(configuration.storeOptions.sealBytes == 1)
    #expect(configuration.storeOptions.snapshotEvents == 1)
    #expect(configuration.storeOptions.extensionBytes == 512)
    #expect(configuration.storeOptions.segmentEventsMax == 1_048_576)
    configuration.extensionBytes = .max
    #expect(configuration.storeOptions.extensionBytes == 67_108_864)
  }
}
