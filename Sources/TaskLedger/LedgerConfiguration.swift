import LedgerStorage

/// What a ledger takes from the world around it, and how its files are kept.
public struct LedgerConfiguration: Sendable {
  /// Tells the time; the machine's clock unless a test gives another.
  public var clock: @Sendable () -> LedgerTime
  /// Makes ids for commands that make a task and name none, as lines of a stream can; random UUIDs unless a test gives another.
  /// A ``TaskItem`` has its id from the start.
  public var makeID: @Sendable () -> TaskID
  /// The active segment is closed and sealed when it holds as many events.
  public var sealEvents: UInt64
  /// The active segment is closed and sealed when it holds as many bytes of frames.
  public var sealBytes: UInt64
  /// The active file grows by steps of as many bytes of zeros, at least 512.
  public var extensionBytes: UInt64
  /// Whether full segments are sealed on a thread of their own, so that no writer waits for it; otherwise by the writer that
  /// filled the segment, after its changes are durable.
  public var sealsInBackground: Bool
  /// Whether small segments are merged and snapshots made beside sealing. A bulk load leaves the merging for its end, and makes few
  /// snapshots on its way: none of fewer than a million events, then each time that the log has doubled.
  package var tidiesWhileSealing: Bool
  /// A snapshot is made, beside sealing, when so many events were sealed since the last one, or half as many as that one
  /// holds.
  public var snapshotEvents: UInt64
  /// A writer keeps no more tasks from one group of commands to the next, those that were used last; each takes one to two kilobytes.
  package var keptTasksMax = 400_000
  /// How long a writer waits for another process, in milliseconds, before it throws `busy`.
  public var lockTimeoutMilliseconds: UInt64
  /// How long a writer that let others in waits for them to come, in milliseconds.
  package var lockPatienceMilliseconds: UInt64

  /// The defaults.
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
    lockTimeoutMilliseconds = options.lockTimeoutMilliseconds
    lockPatienceMilliseconds = options.lockPatienceMilliseconds
  }

  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.sealEvents = max(1, sealEvents)
    options.sealBytes = max(1, sealBytes)
    options.extensionBytes = extensionBytes
    options.snapshotEvents = max(1, snapshotEvents)
    options.lockTimeoutMilliseconds = lockTimeoutMilliseconds
    options.lockPatienceMilliseconds = lockPatienceMilliseconds
    return options
  }
}
