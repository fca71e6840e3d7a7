import LedgerStorage

/// What a ledger takes from the world around it, and how its files are kept.
///
/// ```swift
/// var configuration = LedgerConfiguration()
/// configuration.lockTimeoutMilliseconds = 2000
/// let ledger = try Ledger.open(at: path, author: "ann", configuration: configuration)
/// ```
/// Only ``clock`` and ``makeID`` have a say in what a ledger means; all else is a choice of speed or size, and may be another each time
/// that a ledger is opened. A value outside of its limits counts as the nearest one inside.
public struct LedgerConfiguration: Sendable {
  /// Tells the time; the machine's clock unless a test gives another.
  public var clock: @Sendable () -> LedgerTime
  /// Makes ids for commands that make a task and name none, as lines of a stream can; random UUIDs unless a test gives another.
  /// A ``TaskItem`` has its id from the start.
  public var makeID: @Sendable () -> TaskID
  /// The active segment is closed and sealed when it holds as many events: 8,192 unless said, at least 1.
  ///
  /// No transaction is divided: the last one may make a segment hold more, but never more than 1,048,576 (2^20), whatever stands
  /// here. Where segments are sealed in the background, one that is full within a second of the one before goes on to eight times as
  /// many events or bytes.
  public var sealEvents: UInt64
  /// The active segment is closed and sealed when it holds as many bytes of frames: 4,194,304 (4 MiB) unless said, at least 1.
  public var sealBytes: UInt64
  /// The active file grows by steps of as many bytes of zeros: 1,048,576 (1 MiB) unless said, from 512 to 67,108,864 (64 MiB).
  ///
  /// Where the disk has no room for a step, smaller ones are tried.
  public var extensionBytes: UInt64
  /// Whether full segments are sealed on a thread of their own, so that no writer waits for it; otherwise by the writer that
  /// filled the segment, after its changes are durable. True unless said.
  public var sealsInBackground: Bool
  /// Whether small segments are merged and snapshots made beside sealing. A bulk load leaves the merging for its end, and makes few
  /// snapshots on its way: none of fewer than a million events, then each time that the log has doubled.
  package var tidiesWhileSealing: Bool
  /// How many times as much a segment takes that is full within a second of the one before; only where others seal it and tidy up.
  package var quickSegmentFactor: UInt64 = 8
  /// A snapshot is made, beside sealing, when so many events were sealed since the last one, and at least half as many as that one
  /// holds: 65,536 events unless said, at least 1. In a log of four times as many one of its middle is made, too.
  /// ``Ledger/snapshot(progress:)`` makes one at any time.
  public var snapshotEvents: UInt64
  /// A segment that is sealed gets a filter of its ids when it holds as many events: 4,096 unless said.
  package var filterEventsMin: UInt64
  /// A writer keeps no more tasks from one group of commands to the next, those that were used last: 400,000 unless said; each takes
  /// one to two kilobytes.
  package var keptTasksMax = 400_000
  /// How long a writer, or a job of maintenance, waits for another process, in milliseconds, before it throws `busy`: 10,000 unless
  /// said. With 0 it does not wait; there is no upper limit.
  public var lockTimeoutMilliseconds: UInt64
  /// How long a writer that let others in waits for them to come, in milliseconds: 1,000 unless said.
  package var lockPatienceMilliseconds: UInt64

  /// Where a step lies that a new file is written in from memory.
  private static let extensionBytesRange: ClosedRange<UInt64> = 512...64 << 20

  /// The defaults, as each property says them.
  public init() {
    let options = StoreOptions()
    clock = { LedgerTime.now() }
    makeID = { TaskID.random() }
    sealEvents = options.sealEvents
    sealBytes = options.sealBytes
    extensionBytes = options.extensionBytes
    sealsInBackground = true
    tidiesWhileSealing = true
    snapshotEvents = options.snapshotEvents
    filterEventsMin = options.filterEventsMin
    lockTimeoutMilliseconds = options.lockTimeoutMilliseconds
    lockPatienceMilliseconds = options.lockPatienceMilliseconds
  }

  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.sealEvents = max(1, sealEvents)
    options.sealBytes = max(1, sealBytes)
    if sealsInBackground, tidiesWhileSealing { options.quickSegmentFactor = quickSegmentFactor }
    options.extensionBytes = min(
      max(extensionBytes, Self.extensionBytesRange.lowerBound), Self.extensionBytesRange.upperBound)
    options.snapshotEvents = max(1, snapshotEvents)
    options.filterEventsMin = filterEventsMin
    options.lockTimeoutMilliseconds = lockTimeoutMilliseconds
    options.lockPatienceMilliseconds = lockPatienceMilliseconds
    return options
  }
}
