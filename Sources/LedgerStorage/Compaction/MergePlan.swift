import LedgerCore
import LedgerFormat

/// What the policy `merge` does to the sealed segments of a ledger: which neighbours become one.
package struct MergePlan: Sendable {
  /// Neighbours that become one segment.
  package struct Group: Sendable {
    package var entries: [SegmentEntry]
    /// The bytes that the new segment is expected to have.
    package var expectedBytes: UInt64

    package var bytes: UInt64 { entries.reduce(0) { $0 + $1.end } }
    package var events: UInt64 { entries.reduce(0) { $0 + $1.eventCount } }
    package var firstSequence: UInt64 { entries[0].firstSequence }
    package var lastSequence: UInt64 { entries[entries.count - 1].lastSequence }
  }

  package var groups: [Group] = []
  /// How many sealed segments stay as they are.
  package var untouched = 0
}

/// Plans a merge: as few segments as hold the events, each of them at the level of compaction.
///
/// From the first segment on, neighbours go together as long as one segment holds their events and reading them side by
/// side does not take too much memory. A segment that stays alone, one of an earlier format version, too, is written anew only
/// where that is expected to save something.
struct MergePlanner {
  private let directory: any LedgerDirectory
  private let options: StoreOptions
  private let pool: ZstdPool

  /// A segment that stays alone is written anew when it becomes smaller by one part in so many.
  private static let savingMin: UInt64 = 20
  /// So many blocks of a group are compressed to see how small they become.
  private static let samples = 4

  init(_ directory: any LedgerDirectory, options: StoreOptions, pool: ZstdPool) {
    self.directory = directory
    self.options = options
    self.pool = pool
  }

  func plan(_ manifest: Manifest) throws(LedgerError) -> MergePlan {
    var plan = MergePlan()
    for segments in try groups(manifest) {
      let entries = segments.map(\.entry)
      let group = MergePlan.Group(
        entries: entries, expectedBytes: try expectedBytes(segments.map { ($0.entry, $0.run) }))
      if entries.count > 1 || group.expectedBytes <= group.bytes - group.bytes / Self.savingMin {
        plan.groups.append(group)
      } else {
        plan.untouched += 1
      }
    }
    return plan
  }

  private typealias Opened = (entry: SegmentEntry, run: SealedRun)

  private func groups(_ manifest: Manifest) throws(LedgerError) -> [[Opened]] {
    var groups: [[Opened]] = []
    var events: UInt64 = 0
    var memory = 0
    var last: UInt64 = 0
    for entry in manifest.segments where entry.kind == .sealed {
      let run = try SealedSegment(entry, ledger: manifest.ledger, in: directory).run(pool)
      // What was salvaged lies between segments that are no neighbours, and stays as it is.
      let isNeighbour = last > 0 && entry.firstSequence == last + 1
      last = entry.lastSequence
      let needed = MergeMemory.bytes(run)
      let fits =
        isNeighbour && entry.eventCount + events <= options.segmentEventsMax
        && needed <= MergeMemory.bytesMax - min(memory, MergeMemory.bytesMax)
        && groups.last.map { $0.count < MergeMemory.segmentsMax } ?? false
      if fits {
        groups[groups.count - 1].append((entry, run))
      } else {
        groups.append([(entry, run)])
        (events, memory) = (0, 0)
      }
      events += entry.eventCount
      memory += needed
    }
    return groups
  }

  /// The blocks as small as some of them become, the other sections once, and a filter.
  private func expectedBytes(_ segments: [Opened]) throws(LedgerError) -> UInt64 {
    let blocks = segments.flatMap { segment in
      segment.run.index.entries.indices.map { (segment.run, $0) }
    }
    var stored: UInt64 = 0
    var compressed: UInt64 = 0
    for sample in 0..<min(Self.samples, blocks.count) {
      let (run, number) = blocks[(2 * sample + 1) * blocks.count / (2 * Self.samples)]
      let size = try pool.with { (zstd) throws(LedgerError) in
        try zstd.compressBlock(
          try run.recodedBlock(number, zstd: zstd), level: options.compactionLevel
        ).count
      }
      stored += UInt64(run.index.entries[number].storedLength)
      compressed += UInt64(size)
    }
    var blockBytes: UInt64 = 0
    var rest: UInt64 = 0
    var tasks: UInt64 = 0
    for segment in segments {
      let bytes = segment.run.footer.tables.offset
      blockBytes += bytes
      let filter = segment.run.footer.filter?.storedLength ?? 0
      rest = max(rest, segment.entry.end - bytes - filter)
      tasks += segment.run.footer.taskCount
    }
    if segments.reduce(0, { $0 + $1.entry.eventCount }) >= options.filterEventsMin {
      rest += RunFilter.byteCount(tasks: tasks)
    }
    guard stored > 0 else { return blockBytes + rest }
    return UInt64(Double(blockBytes) * (Double(compressed) / Double(stored))) + rest
  }
}
