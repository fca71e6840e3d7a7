import LedgerCore
import LedgerFormat

/// What the events add up to that a repair leaves.
struct RemainingState {
  private let directory: any LedgerDirectory
  private let manifest: Manifest
  private let plan: RepairPlan
  private let replaced: Set<SegmentEntry>
  private let reading: SegmentReading
  private let pool: ZstdPool

  init(
    _ directory: any LedgerDirectory, _ manifest: Manifest, _ plan: RepairPlan, pool: ZstdPool
  ) {
    self.directory = directory
    self.manifest = manifest
    self.pool = pool
    self.plan = plan
    replaced = plan.replaced
    reading = SegmentReading(directory, manifest, pool: pool, witness: plan.witness)
  }

  /// How many tasks exist then.
  func taskCount() throws(LedgerError) -> UInt64 {
    var runs: [SealedRun] = []
    for entry in manifest.segments where entry.hasFile || replaced.contains(entry) {
      if replaced.contains(entry) {
        let salvage = try plan.salvage(entry, reading)
        if let run = try run(of: salvage.events, entry) { runs.append(run) }
      } else if entry.isRun {
        runs.append(try SealedSegment(entry, ledger: manifest.ledger, in: directory).run(pool))
      } else {
        let reader = FrameSegmentReader(ledger: manifest.ledger, in: directory)
        let events = try reader.read(entry).segment.events(pool, path: path(entry))
        if let run = try run(of: events, entry) { runs.append(run) }
      }
    }
    return UInt64(try RunMerge.fold(runs).count)
  }

  /// A run in memory; nil where there are no events.
  private func run(
    of events: [Event], _ entry: SegmentEntry
  ) throws(LedgerError) -> SealedRun? {
    guard let last = events.last?.sequence else { return nil }
    let isBaseline = entry.kind == .baseline
    return try pool.with { (zstd) throws(LedgerError) in
      let bytes = try SortedRun.bytes(
        of: events, ledger: manifest.ledger, digests: nil, level: 1, zstd: zstd,
        horizon: isBaseline ? entry.lastSequence : nil,
        salvaged: isBaseline ? nil : entry.firstSequence...last)
      return try SealedRun(
        MemorySource(bytes, path: path(entry)), zstd: zstd,
        kind: isBaseline ? .baseline : .salvaged)
    }
  }

  private func path(_ entry: SegmentEntry) -> String {
    directory.pathOf(LedgerNames.inSegments(entry.file))
  }
}
