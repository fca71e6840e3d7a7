import LedgerCore
import LedgerFormat

/// How a ledger's files are kept; every value is a choice of speed or size, none of meaning.
package struct StoreOptions: Sendable {
  /// The active segment is closed and sealed when it holds as many events…
  package var sealEvents: UInt64 = 8192
  /// …or as many bytes of frames.
  package var sealBytes: UInt64 = 4 << 20
  /// One that is full within a second of the one before goes on to so many times as much of both: a steady load makes few large
  /// segments, which are sealed and merged for less.
  package var quickSegmentFactor: UInt64 = 1
  /// No segment holds more events, so that each can be sealed.
  package var segmentEventsMax = UInt64(RunWriter.eventCountMax)
  /// The active file grows by steps of as many bytes of zeros.
  package var extensionBytes: UInt64 = 1 << 20
  /// How long a writer waits for another process's lock, in milliseconds.
  package var lockTimeoutMilliseconds: UInt64 = 10_000
  /// How long a writer that let others in waits for them to come, in milliseconds.
  package var lockPatienceMilliseconds = LockTurns.patienceMilliseconds
  /// A snapshot is made when so many events were sealed since the last one, and at least half as many as that one holds.
  package var snapshotEvents: UInt64 = 1 << 16
  /// The zstd level of sealed segments.
  package var sealLevel: Int32 = 3
  /// The zstd level of segments that a compaction writes.
  package var compactionLevel: Int32 = 19

  /// A segment that is sealed or merged gets a filter of its ids when it holds as many events: a smaller one is read in one go.
  package var filterEventsMin: UInt64 = 4096

  package init() {}
}

/// The machine's clock, so that tests can put their own in its place.
package typealias LedgerClock = @Sendable () -> LedgerTime
