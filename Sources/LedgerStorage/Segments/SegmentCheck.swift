import LedgerCore
import LedgerFormat

/// Reads every byte of a closed segment's file, and makes sure that it holds the events of which the manifest has the log digest.
package struct SegmentCheck {
  private let directory: any LedgerDirectory
  private let ledger: ReplicaID
  private let pool: ZstdPool

  package init(_ directory: any LedgerDirectory, ledger: ReplicaID, pool: ZstdPool) {
    self.directory = directory
    self.ledger = ledger
    self.pool = pool
  }

  /// Checks a segment.
  ///
  /// - Parameter note: called with the log digest after each event; of what was folded only with the last, of a salvaged segment with
  ///   those before the first that is lost and the last.
  /// - Throws: `damaged` where the file is not what the manifest says.
  package func run(
    _ entry: SegmentEntry, note: (LogDigest) -> Void = { _ in }
  ) throws(LedgerError) {
    let end =
      switch entry.kind {
      case .baseline: try baseline(entry, note)
      case .sealed: try sealed(entry, note)
      case .salvaged: try salvaged(entry, note)
      case .frozen, .active: try frames(entry, note)
      }
    guard end == entry.logDigestAfter else {
      throw LedgerError(
        .damaged,
        "the log digest after event \(end.sequence) is \(end.value.hex), expected \(entry.digestAfter.hex) after event \(entry.lastSequence)",
        path: directory.pathOf(LedgerNames.inSegments(entry.file)),
        hint: LedgerError.repairHint)
    }
  }

  /// Compares every byte of a segment's file with its checksums, without looking at the events: as good as ``run(_:note:)`` where
  /// the file was checked when it was written.
  func checksums(_ entry: SegmentEntry) throws(LedgerError) {
    guard entry.hasFile else { return }
    guard entry.isRun else {
      _ = try FrameSegmentReader(ledger: ledger, in: directory).read(entry)
      return
    }
    let run = try SealedSegment(entry, ledger: ledger, in: directory).run(pool)
    try pool.with { (zstd) throws(LedgerError) in _ = try run.clocks(zstd: zstd) }
    try run.checkBlocks(pool)
  }

  /// What was folded cannot be hashed again: its checksums fit, and the log digest is the one that was kept.
  private func baseline(
    _ entry: SegmentEntry, _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    try forEachEvent(of: entry) { _ in }
    let end = entry.logDigestAfter
    note(end)
    return end
  }

  /// What is lost cannot be hashed any more: all else is there, and the log digest at the end is the one that was kept.
  private func salvaged(
    _ entry: SegmentEntry, _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    var numbers: [UInt64] = []
    var scratch: [UInt8] = []
    var leaves: [(sequence: UInt64, digest: Digest)] = []
    let firstLost = entry.lost.ranges.first?.lowerBound ?? .max
    try forEachEvent(of: entry) { event in
      numbers.append(event.sequence)
      guard event.sequence < firstLost else { return }
      leaves.append((event.sequence, EventDigest.leaf(event, scratch: &scratch)))
    }
    let lost = SequenceRanges(ascending: numbers.sorted())
      .missing(in: entry.firstSequence...entry.lastSequence)
    guard lost == entry.lost, UInt64(numbers.count) == entry.eventCount - lost.count else {
      throw LedgerError(
        .damaged, "a salvaged segment has lost other events than the manifest says",
        path: directory.pathOf(LedgerNames.inSegments(entry.file)), hint: LedgerError.repairHint)
    }
    var digest = entry.logDigestBefore
    for leaf in leaves.sorted(by: { $0.sequence < $1.sequence }) {
      digest.append(leaf: leaf.digest)
      note(digest)
    }
    let end = entry.logDigestAfter
    note(end)
    return end
  }

  /// Reads every byte of a run; of what is lost whole there is none.
  private func forEachEvent(
    of entry: SegmentEntry, _ body: (Event) -> Void
  ) throws(LedgerError) {
    guard entry.hasFile else { return }
    let run = try SealedSegment(entry, ledger: ledger, in: directory).run(pool)
    try pool.with { (zstd) throws(LedgerError) in
      _ = try run.clocks(zstd: zstd)
      try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in body(event) }
    }
  }

  private func sealed(
    _ entry: SegmentEntry, _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    let run = try SealedSegment(entry, ledger: ledger, in: directory).run(pool)
    return try pool.with { (zstd) throws(LedgerError) in
      _ = try run.clocks(zstd: zstd)
      return try RunDigest.compute(run, zstd: zstd, note: note)
    }
  }

  private func frames(
    _ entry: SegmentEntry, _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    let segment = try FrameSegmentReader(ledger: ledger, in: directory).read(entry).segment
    let path = directory.pathOf(LedgerNames.inSegments(entry.file))
    return try segment.digest(pool, path: path, note: note).digest
  }
}

extension SealedRun {
  /// Makes sure that tables, filter and every block are as they were written.
  func checkBlocks(_ pool: ZstdPool) throws(LedgerError) {
    try pool.with { (zstd) throws(LedgerError) in
      _ = try tables(zstd: zstd)
      try checkFilter()
      for number in index.entries.indices { _ = try block(number, zstd: zstd) }
    }
  }
}
