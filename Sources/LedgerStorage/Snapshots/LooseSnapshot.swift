import LedgerCore
import LedgerFormat

/// A snapshot's file that no manifest names, such as one that a repair moved aside.
///
/// Nothing but its own checksums speaks for it: that its bytes are those of a snapshot that was made once, of some ledger.
package struct LooseSnapshot: Sendable {
  private let run: SealedRun
  private let mark: StateMark

  /// The last event that it stands for.
  package var sequence: UInt64 { run.footer.lastSequence }
  /// Whose state it is.
  var ledger: ReplicaID { run.footer.ledger }
  /// How many tasks exist in it.
  var tasks: UInt64 { mark.tasks }

  /// Opens it, and checks every byte.
  ///
  /// - Throws: `LedgerError` with code `damaged` for a file that is no snapshot, or not what was written; `unsupported` for one that
  ///   other rules folded; `io`.
  package init(
    _ name: String, in directory: any LedgerDirectory, pool: ZstdPool
  ) throws(LedgerError) {
    let source = FileSource(directory, name)
    run = try SnapshotFile.openRun(source, pool)
    try run.checkBlocks(pool)
    guard let mark = run.footer.state else {
      throw LedgerError(.damaged, "the file says nothing of a state", path: source.path)
    }
    guard mark.rules == TaskState.rulesVersion else {
      throw SnapshotFile.foldedByOtherRules(mark.rules)
    }
    self.mark = mark
  }

  /// What its events add up to.
  package func state() throws(LedgerError) -> FoldedState {
    let state = try RunMerge.fold([], onto: run)
    guard mark.fits(state) else {
      throw LedgerError(
        .damaged, "its tasks do not have the digest that it says", path: run.source.path)
    }
    return state
  }
}
