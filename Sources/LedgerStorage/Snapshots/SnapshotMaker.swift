import LedgerCore
import LedgerFormat

/// Makes snapshots beside running writers, and removes those that are no longer kept.
///
/// Invariants:
/// - at most one process does so at a time: it holds a lock of the folder `snapshots`;
/// - a snapshot is of an event of a closed segment, which is durable;
/// - it is durable before the manifest names it, in one step under the folder lock;
/// - a file goes only when neither the ledger's manifest names it nor one that somebody reads.
package struct SnapshotMaker {
  private let directory: any LedgerDirectory
  private let options: StoreOptions
  private let pool: ZstdPool
  private let clock: LedgerClock
  private let known: () -> LogView?

  /// - Parameter known: what is in memory and need not be read again, but for a snapshot that is asked for.
  package init(
    _ directory: any LedgerDirectory, options: StoreOptions, pool: ZstdPool,
    clock: @escaping LedgerClock, known: @escaping () -> LogView? = { nil }
  ) {
    self.directory = directory
    self.options = options
    self.pool = pool
    self.clock = clock
    self.known = known
  }

  /// The log as it is now.
  private func view() throws(LedgerError) -> LogView {
    try LogOpening.open(HeldManifest.load(from: directory), directory, pool: pool, known: known())
      .view
  }

  /// Makes a snapshot of the end of the last closed segment, from the events alone.
  ///
  /// - Parameter progress: called now and then with the number of events read so far.
  /// - Returns: the snapshot and whether it is new: where one of the same event is there that adds up, that is kept. Nil without events.
  /// - Throws: `busy` when another process makes one.
  package func make(
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> (file: SnapshotFile, isNew: Bool)? {
    let outcome = try underLock { () -> Outcome in
      let view = try LogOpening.open(directory, pool: pool).view
      let last = view.manifest.lastFixedSequence
      // Where all events are lost there is nothing to make one of.
      guard last > 0, view.manifest.segments.contains(where: { $0.kind != .active && $0.hasFile })
      else { return .nothing }
      if let known = newest(view), known.entry.sequence == last,
        (try? known.checkBlocks(pool)) != nil, (try? known.addsUp()) == true
      {
        return .made(known, isNew: false)
      }
      let file = try write(view, through: view.manifest.closedEnd, onto: nil, progress)
      return .made(file, isNew: true)
    }
    switch outcome {
    case .nothing?: return nil
    case .made(let file, let isNew)?: return (file, isNew)
    case nil:
      throw LedgerError(
        .busy, "another process is making a snapshot", path: directory.path,
        hint: "try again when it is done; nothing was changed")
    }
  }

  private enum Outcome {
    case nothing
    case made(SnapshotFile, isNew: Bool)
  }

  /// Makes a snapshot when so many events were closed since the last one that it is worth it; does nothing when another
  /// process is at it.
  ///
  /// It goes on from the last one: its cost is that of the tasks and the events since.
  ///
  /// - Parameters:
  ///   - eventsMax: does nothing where the log has more events.
  ///   - whileLoading: waits until the log is twice as long as at the last one, and a million events long: often enough while it
  ///     grows fast, and before that whoever loads it has its tasks in memory.
  ///   - progress: called now and then with the number of events read so far.
  /// - Returns: whether one was made.
  package func makeIfDue(
    eventsMax: UInt64, whileLoading: Bool = false, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Bool {
    let last = try HeldManifest.load(from: directory).manifest.lastFixedSequence
    let least = max(options.snapshotEvents, whileLoading ? Self.loadedEventsMin : 0)
    guard last >= least, last <= eventsMax else { return false }
    return try underLock {
      let view = try view()
      let known = newest(view)
      var due = due(view, since: known)
      if whileLoading { due.threshold = max(Self.loadedEventsMin, known?.entry.sequence ?? 0) }
      guard due.isDue else { return false }
      _ = try write(view, through: view.manifest.closedEnd, onto: known, progress)
      return true
    } ?? false
  }

  private static let loadedEventsMin: UInt64 = 1 << 20

  /// A log shorter than so many times what makes a snapshot due is folded to its middle in no time.
  private static let middleFactor: UInt64 = 4

  /// Makes a snapshot of the middle of a long log when the last one before it is far from it: a fold to the middle starts there.
  ///
  /// Far is a sixth of the way. It goes on from the one before.
  ///
  /// - Parameters: as those of ``makeIfDue(eventsMax:whileLoading:progress:)``.
  /// - Returns: whether one was made.
  package func makeOfMiddleIfDue(
    eventsMax: UInt64, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Bool {
    let last = try HeldManifest.load(from: directory).manifest.lastFixedSequence
    guard last / Self.middleFactor >= options.snapshotEvents, last <= eventsMax else {
      return false
    }
    return try underLock {
      let view = try view()
      let middle = view.manifest.lastFixedSequence / 2
      let known = view.snapshots.newest(
        for: .sequence(middle), in: view.manifest, through: view.lastSequence)
      guard middle - (known?.entry.sequence ?? 0) > middle / 6,
        // Where events are folded away or lost, there may be none.
        let digest = try view.logDigest(at: middle)
      else { return false }
      let end = LogDigest(value: digest, sequence: middle)
      _ = try write(view, through: end, onto: known, progress)
      return true
    } ?? false
  }

  /// How far the log is from its next snapshot.
  package struct Due: Sendable {
    /// How many events were closed since the last one.
    package var events: UInt64
    /// How many make one due.
    package var threshold: UInt64

    package var isDue: Bool { events >= threshold }
  }

  /// How far a log is from its next snapshot.
  package func due(_ view: LogView) -> Due { due(view, since: newest(view)) }

  private func due(_ view: LogView, since known: SnapshotFile?) -> Due {
    Due(
      events: view.manifest.lastFixedSequence - (known?.entry.sequence ?? 0),
      threshold: max(options.snapshotEvents, (known?.footer.eventCount ?? 0) / 2))
  }

  private func newest(_ view: LogView) -> SnapshotFile? {
    let last = view.manifest.lastFixedSequence
    return view.snapshots.newest(for: .sequence(last), in: view.manifest, through: last)
  }

  private func underLock<R>(_ body: () throws -> R) throws(LedgerError) -> R? {
    do throws(LedgerError) {
      try LedgerError.typing { try directory.ensureFolder(LedgerNames.snapshots) }
      return try MaintenanceLock(directory, of: LedgerNames.snapshots).hold(body)
    } catch {
      var error = error
      if error.isOfOtherKind {
        error.hint = "snapshots can be made again: take away what stands in the place of the folder"
      }
      throw error
    }
  }

  private func write(
    _ view: LogView, through end: LogDigest, onto base: SnapshotFile?,
    _ progress: ((UInt64) -> Void)? = nil
  ) throws -> SnapshotFile {
    let writer = SnapshotWriter(
      view, level: options.sealLevel, through: end, progress: progress)
    let (entry, file) = try writer.write(onto: base)
    try ManifestStep.removing([LedgerNames.inSnapshots(entry.file)], in: directory) {
      try name(entry, beside: usable(beside: entry))
    }
    return file
  }

  /// The other snapshots that are whole. They are read before the folder lock is taken: nobody waits for it.
  private func usable(beside new: SnapshotEntry) throws -> Set<SnapshotEntry> {
    let manifest = try HeldManifest.load(from: directory).manifest
    return Set(
      SnapshotEntry.all(in: manifest).filter { entry in
        guard entry.sequence != new.sequence, entry.sequence <= manifest.lastFixedSequence else {
          return false
        }
        let file = try? SnapshotFile(entry, manifest, in: directory, pool: pool)
        return (try? file?.checkBlocks(pool)) != nil
      })
  }

  /// The manifest step: it names the new snapshot, and those of the usable ones that are kept.
  private func name(_ new: SnapshotEntry, beside usable: Set<SnapshotEntry>) throws {
    let lock = FolderLock(directory)
    try lock.acquire(timeout: options.lockTimeoutMilliseconds)
    defer { lock.release() }
    var manifest = try HeldManifest.load(from: directory).manifest
    let known = SnapshotEntry.all(in: manifest).filter(usable.contains)
    manifest.number += 1
    let all = (known + [new]).sorted { $0.sequence < $1.sequence }
    SnapshotEntry.record(
      SnapshotPruning.kept(all, through: manifest.lastFixedSequence), in: &manifest.records,
      follows: all.last?.sequence ?? 0, time: clock())
    try ManifestStep.takeNamingFiles(manifest, in: directory)
  }

  /// Removes the files that no manifest names which is in use; does nothing when another process is making a snapshot, nor where
  /// something else stands in their place.
  ///
  /// - Returns: how many were removed.
  @discardableResult
  package func removeUnneeded() throws(LedgerError) -> Int {
    do throws(LedgerError) {
      return try remove()
    } catch {
      guard error.isOfCachePlace else { throw error }
      return 0
    }
  }

  private func remove() throws(LedgerError) -> Int {
    try underLock {
      var removed = 0
      let needed = try FileCleaner(directory, options: options).filesNeeded { manifest in
        SnapshotEntry.all(in: manifest).map { ByteText($0.file) }
      }
      let ledger = try HeldManifest.load(from: directory).manifest.ledger
      for file in try directory.list(LedgerNames.snapshots)
      where !needed.contains(ByteText(file)) && LedgerNames.isSnapshot(file) {
        let name = LedgerNames.inSnapshots(file)
        // A folder of such a name is none of ours.
        guard try directory.status(name)?.isFolder == false,
          directory.isNoneOfOthers(name, than: ledger)
        else { continue }
        try ManifestStep.removeIfThere(name, in: directory)
        removed += 1
      }
      return removed
    } ?? 0
  }
}
