import LedgerCore
import LedgerFormat

/// Rewrites sealed segments beside running writers.
///
/// Invariants:
/// - it works under the maintenance lock, and takes the folder lock for each manifest step alone;
/// - a step exchanges neighbours for one segment that was read back and holds the same events: whenever the work is
///   interrupted, the ledger has the old segments or the new one;
/// - what was done is recorded in the step that does it;
/// - while it works, it seals what others closed: nobody waits for it.
package struct Compactor {
  let directory: any LedgerDirectory
  let options: StoreOptions
  let pool: ZstdPool
  let clock: LedgerClock
  private let afterSealing: () -> Void
  private let sealer: Sealer

  /// - Parameter afterSealing: called when segments were sealed in the middle of other work.
  package init(
    _ directory: any LedgerDirectory, options: StoreOptions, pool: ZstdPool,
    clock: @escaping LedgerClock, afterSealing: @escaping () -> Void = {}
  ) {
    self.directory = directory
    self.options = options
    self.pool = pool
    self.clock = clock
    self.afterSealing = afterSealing
    sealer = Sealer(directory, options: options, pool: pool)
  }

  /// Lets nobody wait for what this is doing.
  func pause() throws {
    if try sealer.sealAllUnderLock() > 0 { afterSealing() }
  }

  /// - Parameter pause: what is done now and then, under the maintenance lock; nothing, where that is not held.
  func segmentMerge(
    _ ledger: ReplicaID, level: Int32, pause: (() throws -> Void)? = nil
  ) -> SegmentMerge {
    SegmentMerge(
      directory, ledger: ledger, level: level, filterEventsMin: options.filterEventsMin, pool: pool,
      pause: pause ?? self.pause)
  }

  /// Puts one segment in the place of neighbours, in one step with what is recorded of it.
  func replace(
    _ entries: [SegmentEntry], _ ledger: ReplicaID, level: Int32,
    noting note: (inout [MaintenanceRecord], _ merged: SegmentEntry, _ follows: UInt64) -> Void
  ) throws -> SegmentEntry {
    let segments = entries.map { SealedSegment($0, ledger: ledger, in: directory) }
    let merged = try segmentMerge(ledger, level: level).write(segments)
    try ManifestStep.removing([LedgerNames.inSegments(merged.file)], in: directory) {
      let follows = try LogOpening.open(directory, pool: pool).view.lastSequence
      try SegmentExchange(directory, options: options).put(
        [merged], inPlaceOf: entries, noting: { note(&$0, merged, follows) })
    }
    return merged
  }
}

// Segments that merge by themselves.
extension Compactor {
  /// Merges small segments until there are few; does nothing when another process is at it.
  ///
  /// - Parameter eventsMax: the most events of a merged segment.
  /// - Returns: how many merges there were.
  package func mergeTiers(eventsMax: UInt64) throws(LedgerError) -> Int {
    try MaintenanceLock(directory).hold { try mergeTiersUnderLock(eventsMax: eventsMax) } ?? 0
  }

  /// Merges small segments until there are few; the maintenance lock must be held.
  func mergeTiersUnderLock(eventsMax: UInt64) throws -> Int {
    var merges = 0
    while let (ledger, entries) = try nextTier(eventsMax) {
      _ = try replace(entries, ledger, level: options.sealLevel) { records, merged, follows in
        MergeRecord.noteTier(
          of: entries, into: merged, &records, follows: follows, time: clock())
      }
      merges += 1
    }
    return merges
  }

  /// Whether there are small segments to merge.
  func isMergeDue(eventsMax: UInt64) throws -> Bool { try nextTier(eventsMax) != nil }

  private func nextTier(
    _ eventsMax: UInt64
  ) throws -> (ledger: ReplicaID, entries: [SegmentEntry])? {
    let manifest = try HeldManifest.load(from: directory).manifest
    try manifest.checkIsNoBackup(directory.path)
    let sealed = manifest.segments.filter { $0.isRun && $0.kind != .baseline }
    let plan = TierPlan(eventsMax: min(eventsMax, options.segmentEventsMax))
    // One that takes too much memory beside others counts as full.
    // What was salvaged stays as it is: what its gaps are is known of it alone.
    var counts = sealed.map { $0.kind == .sealed ? $0.eventCount : .max }
    while let range = plan.next(counts) {
      guard let heaviest = try tooHeavy(sealed[range], manifest.ledger) else {
        return (manifest.ledger, Array(sealed[range]))
      }
      counts[heaviest] = .max
    }
    return nil
  }

  /// The place of the segment that takes the most memory, where all together take too much.
  private func tooHeavy(
    _ entries: ArraySlice<SegmentEntry>, _ ledger: ReplicaID
  ) throws(LedgerError) -> Int? {
    var sum = 0
    var heaviest: (place: Int, bytes: Int)?
    for (place, entry) in zip(entries.indices, entries) {
      let run = try SealedSegment(entry, ledger: ledger, in: directory).run(pool)
      let bytes = MergeMemory.bytes(run)
      sum += min(bytes, MergeMemory.bytesMax + 1)
      if heaviest.map({ $0.bytes < bytes }) ?? true { heaviest = (place, bytes) }
    }
    return sum > MergeMemory.bytesMax || entries.count > MergeMemory.segmentsMax
      ? heaviest?.place : nil
  }
}
