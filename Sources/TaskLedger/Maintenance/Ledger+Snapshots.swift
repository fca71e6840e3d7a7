import LedgerFormat
import LedgerStorage

/// The state of a ledger at an event, kept on disk so that reading can start from it.
public struct LedgerSnapshot: Sendable {
  /// The last event that it stands for.
  public let sequence: UInt64
  /// How many tasks exist in it.
  public let tasks: UInt64
  /// The state digest, 64 hexadecimal digits.
  public let digest: String
  /// The name of its file inside the ledger's folder.
  public let file: String
  /// The length of the file.
  public let bytes: UInt64
  /// Whether it was made now; false where there was one of the same event.
  public let isNew: Bool
}

extension Ledger {
  /// Keeps the state on disk, so that reading starts from there.
  ///
  /// Snapshots are made by themselves as a ledger grows; this makes one now, from the events alone. All that a snapshot says is in
  /// the events, too: it can be deleted at any time, and one that does not fit the events is never used.
  ///
  /// ```swift
  /// if let snapshot = try ledger.snapshot() { print(snapshot.sequence, snapshot.digest) }
  /// ```
  /// - Parameter progress: called now and then with the number of events read so far.
  /// - Returns: the snapshot of the last event; nil when there are no events.
  /// - Throws: ``LedgerError`` with code `busy` when another process makes one or holds the ledger, `invalid` inside a transaction of
  ///   this ledger, `io` or `damaged` when a file cannot be written or read: the events are as they were.
  public func snapshot(
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> LedgerSnapshot? {
    shared.withLock { $0.snapshotsAskedFor += 1 }
    defer { shared.withLock { $0.snapshotsAskedFor -= 1 } }
    // What a snapshot stands for must be durable: a closed segment is.
    try sealNow()
    let maker = snapshotMaker()
    guard let made = try maker.make(progress: progress) else { return nil }
    _ = try currentView()
    try maker.removeUnneeded()
    return LedgerSnapshot(made.file, isNew: made.isNew)
  }

  /// Makes a snapshot when enough events came since the last one, and one of the middle where none is near it. A failure costs
  /// nothing but time later.
  ///
  /// - Parameters: as those of `SnapshotMaker.makeIfDue`.
  func makeSnapshotIfDue(
    eventsMax: UInt64, whileLoading: Bool = false, progress: ((UInt64) -> Void)? = nil
  ) {
    makeSnapshots { (maker) throws(LedgerError) in
      // That of the end goes on from that of the middle.
      let hasMiddle =
        whileLoading
        ? false : try maker.makeOfMiddleIfDue(eventsMax: eventsMax, progress: progress)
      let hasEnd = try maker.makeIfDue(
        eventsMax: eventsMax, whileLoading: whileLoading, progress: progress)
      return hasMiddle || hasEnd
    }
  }

  /// Makes a snapshot of the middle where none is near it. A failure costs nothing but time later.
  func makeSnapshotOfMiddleIfDue(progress: ((UInt64) -> Void)?) {
    makeSnapshots { (maker) throws(LedgerError) in
      try maker.makeOfMiddleIfDue(eventsMax: .max, progress: progress)
    }
  }

  /// - Parameter make: returns whether it made any.
  private func makeSnapshots(_ make: (SnapshotMaker) throws(LedgerError) -> Bool) {
    guard shared.withLock({ $0.snapshotsAskedFor == 0 }) else { return }
    do throws(LedgerError) {
      let maker = snapshotMaker()
      guard try make(maker) else { return }
      _ = try currentView()
      try maker.removeUnneeded()
    } catch {
      let notice = "a snapshot is not made: \(error.message)"
      shared.withLock { $0.notices.append(notice) }
    }
  }

  /// - Parameter events: after how many events a snapshot is due; nil: what the configuration says.
  func snapshotMaker(every events: UInt64? = nil) -> SnapshotMaker {
    var options = configuration.storeOptions
    if let events { options.snapshotEvents = max(1, events) }
    return SnapshotMaker(
      directory, options: options, pool: pool, clock: configuration.clock
    ) { [self] in shared.withLock { $0.view } }
  }
}

extension LedgerSnapshot {
  init(_ snapshot: SnapshotFile, isNew: Bool) {
    sequence = snapshot.entry.sequence
    tasks = snapshot.footer.state?.tasks ?? 0
    digest = snapshot.footer.state?.digest.hex ?? ""
    file = LedgerNames.inSnapshots(snapshot.entry.file)
    bytes = (try? snapshot.run.source.size()) ?? 0
    self.isNew = isNew
  }
}
