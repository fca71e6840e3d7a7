import LedgerCore
import LedgerFormat

/// A snapshot of a ledger, opened and compared with what must be true of it.
package struct SnapshotFile: Sendable {
  package let entry: SnapshotEntry
  package let run: SealedRun

  package var footer: RunFooter { run.footer }

  /// Opens a snapshot.
  ///
  /// - Parameter last: the last event of the log.
  /// - Throws: `LedgerError` that says why it cannot be used: its bytes are not what was written, it belongs to another ledger
  ///   or another log, or it was folded by other rules.
  package init(
    _ entry: SnapshotEntry, _ manifest: Manifest, in directory: any LedgerDirectory, pool: ZstdPool,
    through last: UInt64 = .max
  ) throws(LedgerError) {
    self.entry = entry
    let source = FileSource(directory, LedgerNames.inSnapshots(entry.file))
    run = try Self.openRun(source, pool)
    do throws(LedgerError) {
      guard entry.sequence <= last else {
        throw LedgerError(
          .damaged, "the snapshot is of event \(entry.sequence), the log ends with event \(last)")
      }
      try check(manifest)
    } catch {
      var error = error
      error.path = source.path
      throw error
    }
  }

  /// Opens the file once for all parts that are read now; it is opened again for each block.
  static func openRun(_ source: FileSource, _ pool: ZstdPool) throws(LedgerError) -> SealedRun {
    try source.withFile { (file) throws(LedgerError) in
      try pool.with { (zstd) throws(LedgerError) in
        let run = try SealedRun(
          source, opened: file, zstd: zstd, kind: .snapshot, readsTables: false)
        // No reader needs them: what is wrong there would go unnoticed.
        _ = try run.clocks(in: file, zstd: zstd)
        return run
      }
    }
  }

  static func foldedByOtherRules(_ rules: UInt64) -> LedgerError {
    LedgerError(
      .unsupported,
      "the snapshot was folded by version \(rules) of the rules, this is version \(TaskState.rulesVersion)"
    )
  }

  /// Makes sure that every block is as it was written.
  func checkBlocks(_ pool: ZstdPool) throws(LedgerError) { try run.checkBlocks(pool) }

  /// Whether its tasks are as many, and have the digest, as it says.
  func addsUp() throws(LedgerError) -> Bool {
    guard let mark = footer.state else { return false }
    return mark.fits(try RunMerge.fold([], onto: run))
  }

  private func check(_ manifest: Manifest) throws(LedgerError) {
    guard footer.ledger == manifest.ledger else {
      throw LedgerError(.damaged, "the snapshot belongs to another ledger")
    }
    guard footer.lastSequence == entry.sequence, footer.checksum == entry.checksum else {
      throw LedgerError(
        .damaged,
        "the file is a snapshot of event \(footer.lastSequence), the manifest names another one of event \(entry.sequence)"
      )
    }
    let rules = footer.state?.rules ?? 0
    guard rules == TaskState.rulesVersion else { throw Self.foldedByOtherRules(rules) }
    // Where a segment ends at the same event, the log says what its digest there is.
    let ends = manifest.segments.first {
      $0.kind != .active && $0.lastSequence == entry.sequence
    }
    guard ends.map({ $0.digestAfter == footer.digestAfter }) ?? true else {
      throw LedgerError(
        .damaged, "the snapshot was made of another log: the digests at its event differ")
    }
  }
}

extension StateMark {
  /// Whether a state is the one that is told of: as many tasks, with the same digest.
  func fits(_ state: FoldedState) -> Bool {
    digest == state.digest() && tasks == UInt64(state.count)
  }
}
