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
  /// - Parameter note: called with the log digest after each event; of what was folded only with the last.
  /// - Throws: `damaged` where the file is not what the manifest says.
  package func run(
    _ entry: SegmentEntry, note: (LogDigest) -> Void = { _ in }
  ) throws(LedgerError) {
    let end =
      switch entry.kind {
      case .baseline: try baseline(entry, note)
      case .sealed: try sealed(entry, note)
      case .frozen, .active: try frames(entry, note)
      }
    guard end.value == entry.digestAfter, end.sequence == entry.lastSequence else {
      throw LedgerError(
        .damaged,
        "the log digest after event \(end.sequence) is \(end.value.hex), expected \(entry.digestAfter.hex) after event \(entry.lastSequence)",
        path: directory.pathOf(LedgerNames.inSegments(entry.file)),
        hint: "run `ledger verify` to see what is intact")
    }
  }

  /// What was folded cannot be hashed again: its checksums fit, and the log digest is the one that was kept.
  private func baseline(
    _ entry: SegmentEntry, _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    let run = try SealedSegment(entry, ledger: ledger, in: directory).run(pool)
    try pool.with { (zstd) throws(LedgerError) in
      _ = try run.clocks(zstd: zstd)
      try run.forEachEvent(zstd: zstd) { _ throws(LedgerError) in }
    }
    let end = LogDigest(value: run.footer.digestAfter, sequence: entry.lastSequence)
    note(end)
    return end
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
    var digest = LogDigest(value: entry.digestBefore, sequence: entry.firstSequence - 1)
    var scratch: [UInt8] = []
    let path = directory.pathOf(LedgerNames.inSegments(entry.file))
    try segment.forEachFrame(pool, path: path) { events in
      for event in events {
        digest.append(event, scratch: &scratch)
        note(digest)
      }
    }
    return digest
  }
}
