import LedgerFormat
import LedgerStorage

/// Rewriting sealed segments.
extension Ledger {
  /// What ``compact(_:progress:)`` would do now; it writes nothing.
  ///
  /// ```swift
  /// let plan = try ledger.compactionPlan()
  /// print(plan.segments, plan.bytes, plan.expectedBytes)
  /// ```
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when a segment cannot be read; for ``CompactionPolicy/fold(before:)``
  ///   `beyondEnd` and `invalid` as ``compact(_:progress:)``.
  public func compactionPlan(
    _ policy: CompactionPolicy = .merge
  ) throws(LedgerError) -> CompactionPlan {
    switch policy {
    case .merge: CompactionPlan(try compactor().mergePlan())
    case .fold(let moment): CompactionPlan(try compactor().foldPlan(moment.cut))
    }
  }

  /// Rewrites sealed segments, so that there are fewer and smaller ones.
  ///
  /// Others can read and write meanwhile: a writer waits no longer than for the exchange of the files. Each segment that is
  /// written is read back and compared with those it was made of before they are let go. The work is recorded in the
  /// ledger, step by step. When it is interrupted, the steps that were finished stay, and the next compaction goes on from
  /// there.
  ///
  /// ```swift
  /// let compaction = try ledger.compact()
  /// print(compaction.plan.segments, "segments,", compaction.freedBytes, "bytes freed")
  /// ```
  /// - Parameter progress: called with the number of events rewritten so far.
  /// - Returns: what was done; nothing to do is no error.
  /// - Throws: ``LedgerError`` with code `busy` when another process rewrites segments for too long, `invalid` inside a
  ///   transaction of this ledger, and for a horizon after which there is an event that is older than one before it,
  ///   `beyondEnd` for a horizon that no event has yet, `io` or `damaged` when a file cannot be read or written: the events are as they
  ///   were, in the old segments or the new ones.
  @discardableResult
  public func compact(
    _ policy: CompactionPolicy = .merge, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> Compaction {
    try currentView().manifest.checkIsNoBackup(path)
    // Inside a transaction this would wait for itself.
    try letGoOfFiles()
    defer { sealIfDue() }
    switch policy {
    case .merge:
      let (plan, bytes) = try compactor().merge(progress: progress, letGo: letGoOfFiles)
      return Compaction(CompactionPlan(plan), bytes)
    case .fold(let moment):
      if try compactor().foldPlan(moment.cut).needsSealing {
        try sealNow()
      }
      let (plan, bytes) = try compactor().fold(moment.cut, letGo: letGoOfFiles)
      progress?(plan.events)
      return Compaction(CompactionPlan(plan), bytes)
    }
  }

  func compactor() -> Compactor {
    Compactor(
      directory, options: configuration.storeOptions, pool: pool, clock: configuration.clock
    ) { [self] in noteSealed() }
  }
}
