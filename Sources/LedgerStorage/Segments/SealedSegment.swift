import LedgerCore
import LedgerFormat

/// A sealed segment, or the baseline, of a manifest; its file is opened when it is first read.
package final class SealedSegment: Sendable {
  package let entry: SegmentEntry
  private let directory: any LedgerDirectory
  private let ledger: ReplicaID
  private let opened = Guarded<SealedRun?>(nil)
  private let readEnds = Guarded<RunEnds?>(nil)

  package init(_ entry: SegmentEntry, ledger: ReplicaID, in directory: any LedgerDirectory) {
    self.entry = entry
    self.ledger = ledger
    self.directory = directory
  }

  package var path: String { directory.pathOf(LedgerNames.inSegments(entry.file)) }

  /// The run, checked against what the manifest says of it.
  package func run(_ pool: ZstdPool) throws(LedgerError) -> SealedRun {
    if let run = opened.withLock({ $0 }) {
      try pool.with { (zstd) throws(LedgerError) in _ = try run.tables(zstd: zstd) }
      return run
    }
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    // Opened once for all parts that are read now, and again for each block.
    return try source.withFile { (file) throws(LedgerError) in
      try pool.with { (zstd) throws(LedgerError) in
        let run = try runWithoutTables(source, file, zstd)
        _ = try run.tables(in: file, zstd: zstd)
        return run
      }
    }
  }

  /// The events of a task. The file is opened once for all that is read of it, and no more is than they need.
  func events(of task: TaskID, _ pool: ZstdPool) throws(LedgerError) -> [Event] {
    if let run = opened.withLock({ $0 }), run.index.blocks(of: task).isEmpty { return [] }
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    return try source.withFile { (file) throws(LedgerError) in
      try pool.with { (zstd) throws(LedgerError) in
        try runWithoutTables(source, file, zstd).events(of: task, in: file, zstd: zstd)
      }
    }
  }

  /// Whether the segment can hold events of a task, as far as that can be told without its index; nil where it cannot.
  ///
  /// - Throws: `damaged` where the filter is: then whoever reads the events finds out.
  func mayHold(_ task: TaskID) throws(LedgerError) -> Bool? {
    if let run = opened.withLock({ $0 }), run.index.blocks(of: task).isEmpty { return false }
    if let ends = readEnds.withLock({ $0 }), ends.footer.filter == nil { return nil }
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    return try source.withFile { (file) throws(LedgerError) in
      try ends(file).mayHold(task, in: file)
    }
  }

  /// The run, whose tables are read on first use.
  private func runWithoutTables(
    _ source: FileSource, _ file: OpenedFile, _ zstd: Zstd
  ) throws(LedgerError) -> SealedRun {
    if let run = opened.withLock({ $0 }) { return run }
    let run = try SealedRun(
      source, opened: file, ends: try ends(file), zstd: zstd, kind: entry.fileKind,
      readsTables: false)
    opened.withLock { $0 = run }
    return run
  }

  /// Header and footer, checked against what the manifest says of the segment.
  private func ends(_ file: OpenedFile) throws(LedgerError) -> RunEnds {
    if let ends = readEnds.withLock({ $0 }) { return ends }
    let ends = try RunEnds(file, kind: entry.fileKind)
    let footer = ends.footer
    guard footer.ledger == ledger else {
      throw mismatch("the file belongs to another ledger")
    }
    guard footer.firstSequence == entry.firstSequence, footer.lastSequence == entry.lastSequence,
      footer.digestBefore == entry.digestBefore, footer.digestAfter == entry.digestAfter,
      footer.checksum == entry.checksum, ends.byteCount == entry.end
    else {
      throw mismatch(
        "the file holds events \(footer.firstSequence) to \(footer.lastSequence), the manifest names another file of \(entry.firstSequence) to \(entry.lastSequence)"
      )
    }
    readEnds.withLock { $0 = ends }
    return ends
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
