import LedgerCore
import LedgerFormat

/// Writes the events of neighbouring sealed segments into one, in memory that does not grow with them.
///
/// Invariants:
/// - of each segment one block is in memory, of the new one at most two;
/// - the new segment holds the same events, which the log digest proves: it is read back and compared before anybody is
///   told of it;
/// - until the manifest names it, it is a file that nobody needs.
struct SegmentMerge {
  private let directory: any LedgerDirectory
  private let ledger: ReplicaID
  private let level: Int32
  /// A new segment with so many events gets a filter.
  private let filterEventsMin: UInt64
  private let pool: ZstdPool
  /// Called now and then between two events.
  private let pause: () throws -> Void

  /// So many events are passed by between two pauses.
  private static let pauseEvents = 4096
  /// As many bytes are handed to the system at once.
  private static let writeBytesMin = 64 << 10

  init(
    _ directory: any LedgerDirectory, ledger: ReplicaID, level: Int32, filterEventsMin: UInt64,
    pool: ZstdPool, pause: @escaping () throws -> Void
  ) {
    self.directory = directory
    self.ledger = ledger
    self.level = level
    self.filterEventsMin = filterEventsMin
    self.pool = pool
    self.pause = pause
  }

  /// Writes the new segment and reads it back.
  ///
  /// - Parameters:
  ///   - segments: neighbours, in order, at least one.
  ///   - cut: leaves out the events up to a sequence number that lies in the first segment; the log digest there.
  /// - Returns: what a manifest has to say of the new segment.
  func write(
    _ segments: [SealedSegment], after cut: (sequence: UInt64, digest: Digest)? = nil
  ) throws -> SegmentEntry {
    let runs = try segments.map { try $0.run(pool) }
    let entries = segments.map(\.entry)
    var entry = Self.entry(of: entries, after: cut)
    let name = LedgerNames.inSegments(entry.file)
    let zstd = try Zstd()
    var draft = try SegmentDraft(name, in: directory)
    do {
      let footer = try write(runs, entry, zstd, to: &draft)
      entry.newest = footer.newest
      try draft.finish()
      entry.end = draft.byteCount
      entry.checksum = footer.checksum
      try check(entry)
      return entry
    } catch {
      draft.discard()
      throw error
    }
  }

  /// How many bytes the new segment would have. It is made for that, and not kept.
  ///
  /// - Parameters: as those of ``write(_:after:)``.
  func measure(
    _ segments: [SealedSegment], after cut: (sequence: UInt64, digest: Digest)
  ) throws -> UInt64 {
    var draft = SegmentDraft()
    _ = try write(
      try segments.map { try $0.run(pool) }, Self.entry(of: segments.map(\.entry), after: cut),
      try Zstd(), to: &draft)
    return draft.byteCount
  }

  /// What the segments have to say together; length and checksum are those of the file to be written.
  private static func entry(
    of old: [SegmentEntry], after cut: (sequence: UInt64, digest: Digest)?
  ) -> SegmentEntry {
    var entry = old[old.count - 1]
    let last = entry.lastSequence
    entry.firstSequence = cut.map { $0.sequence + 1 } ?? old[0].firstSequence
    entry.eventCount = last - entry.firstSequence + 1
    entry.digestBefore = cut?.digest ?? old[0].digestBefore
    entry.file = LedgerNames.sealedSegment(
      first: entry.firstSequence, last: entry.lastSequence,
      unique: .unique())
    return entry
  }

  private func write(
    _ runs: [SealedRun], _ entry: SegmentEntry, _ zstd: Zstd, to draft: inout SegmentDraft
  ) throws -> RunFooter {
    var writer = RunWriter(
      ledger: ledger, digestBefore: entry.digestBefore,
      common: try commonValues(runs, from: entry.firstSequence, zstd),
      level: level, zstd: zstd, hasFilter: entry.eventCount >= filterEventsMin)
    var count = 0
    var task: TaskID?
    try RunUnion(runs, zstd: zstd).visit { step in
      switch step {
      case .task(let next): task = next
      case .event(let event):
        guard event.sequence >= entry.firstSequence else { return }
        if let next = task { try writer.startTask(next) }
        task = nil
        try writer.add(event)
        count += 1
        if count.isMultiple(of: Self.pauseEvents) { try pause() }
      }
      if let bytes = writer.drain(atLeast: Self.writeBytesMin) { try draft.append(bytes) }
    }
    let footer = try writer.finish(
      digestAfter: entry.digestAfter, ascends: RunFooter.ascend(runs.map(\.footer)))
    try draft.append(writer.drain())
    return footer
  }

  /// What is frequent among the events that are written: a table must not have more rows than they need.
  private func commonValues(
    _ runs: [SealedRun], from first: UInt64, _ zstd: Zstd
  ) throws -> CommonValues {
    var counter = CommonValueCounter()
    var count = 0
    for run in runs {
      let cursor = EventCursor(run, zstd: zstd)
      while try cursor.advance() {
        while let event = try cursor.nextEvent() {
          if event.sequence >= first { counter.note(event) }
          count += 1
          if count.isMultiple(of: Self.pauseEvents) { try pause() }
        }
      }
    }
    return counter.common
  }

  /// Reads the new segment and makes sure that it says what the old ones said.
  private func check(_ entry: SegmentEntry) throws {
    let segment = SealedSegment(entry, ledger: ledger, in: directory)
    let run = try segment.run(pool)
    let digest = try pool.with { (zstd) throws(LedgerError) in
      _ = try run.clocks(zstd: zstd)
      return try RunDigest.compute(run, zstd: zstd)
    }
    guard digest == entry.logDigestAfter else {
      throw LedgerError(
        .damaged, "a merged segment reads back otherwise than the ones it was made of",
        path: segment.path,
        hint: "run `ledger verify`: the ledger itself is as it was")
    }
  }
}
