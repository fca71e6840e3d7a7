import LedgerCore
import LedgerFormat

/// A sealed segment, or the baseline, of a manifest; its file is opened when it is first read.
package final class SealedSegment: Sendable {
  package let entry: SegmentEntry
  private let directory: any LedgerDirectory
  private let ledger: ReplicaID
  private let opened = Guarded<SealedRun?>(nil)

  package init(_ entry: SegmentEntry, ledger: ReplicaID, in directory: any LedgerDirectory) {
    self.entry = entry
    self.ledger = ledger
    self.directory = directory
  }

  package var path: String { directory.pathOf(LedgerNames.inSegments(entry.file)) }

  /// The run, checked against what the manifest says of it.
  package func run(_ pool: ZstdPool) throws(LedgerError) -> SealedRun {
    let run = try runWithoutTables(pool)
    try pool.with { (zstd) throws(LedgerError) in _ = try run.tables(zstd: zstd) }
    return run
  }

  /// The same, but that its tables are read on first use.
  func runWithoutTables(_ pool: ZstdPool) throws(LedgerError) -> SealedRun {
    if let run = opened.withLock({ $0 }) { return run }
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    // Opened once for all parts that are read now, and again for each block.
    let (run, size) = try source.withFile { (file) throws(LedgerError) in
      let run = try pool.with { (zstd) throws(LedgerError) in
        try SealedRun(
          source, opened: file, zstd: zstd, kind: entry.fileKind, readsTables: false)
      }
      return (run, try file.size())
    }
    let footer = run.footer
    guard footer.ledger == ledger else {
      throw mismatch("the file belongs to another ledger")
    }
    guard footer.firstSequence == entry.firstSequence, footer.lastSequence == entry.lastSequence,
      footer.digestBefore == entry.digestBefore, footer.digestAfter == entry.digestAfter,
      footer.checksum == entry.checksum, size == entry.end
    else {
      throw mismatch(
        "the file holds events \(footer.firstSequence) to \(footer.lastSequence), the manifest names another file of \(entry.firstSequence) to \(entry.lastSequence)"
      )
    }
    opened.withLock { $0 = run }
    return run
  }

  private func mismatch(_ sentence: String) -> LedgerError {
    LedgerError(
      .damaged, sentence, path: path, hint: LedgerError.repairHint)
  }
}

extension SegmentEntry {
  /// What the header of its file says that it is.
  var fileKind: FileHeader.Kind {
    switch kind {
    case .baseline: .baseline
    case .sealed: .sealed
    case .salvaged: .salvaged
    case .frozen, .active: .active
    }
  }
}
