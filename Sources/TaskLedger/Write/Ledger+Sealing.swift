import LedgerFormat
import LedgerStorage

/// Sealing what was closed, and what follows from that: merging, removing, snapshots. Runs beside the writers.
extension Ledger {
  func sealSoon() {
    // Too far behind, the writers wait: frozen segments are held in memory.
    background.wait { [self] in
      shared.withLock { $0.view.frameSegments.count > Self.frozenSegmentsMax }
    }
    guard configuration.sealsInBackground, background.start({ [weak self] in self?.seal() }) else {
      return seal()
    }
  }

  /// As many segments can wait to be sealed.
  private static let frozenSegmentsMax = 3

  /// A writer that seals for itself merges no more events: nobody waits for seconds after a small change.
  private static let foregroundMergeEventsMax: UInt64 = 1 << 16
  /// Nor does it make a snapshot of a longer log.
  private static let foregroundSnapshotEventsMax: UInt64 = 1 << 18

  /// Seals frozen segments, and tidies up, but for what a bulk load leaves for its end. A failure costs nothing but space: what was there
  /// stays, and the next writer tries again.
  func seal() {
    do throws(LedgerError) {
      _ = try sealer().sealAll()
    } catch {
      return note("a segment is not sealed yet: \(error.message)")
    }
    noteSealed()
    guard configuration.tidiesWhileSealing else { return }
    tidyUp(
      mergeEventsMax: configuration.sealsInBackground ? .max : Self.foregroundMergeEventsMax,
      snapshotEventsMax: configuration.sealsInBackground ? .max : Self.foregroundSnapshotEventsMax)
  }

  func sealer() -> Sealer {
    Sealer(
      directory, options: configuration.storeOptions, pool: pool,
      removesEach: !configuration.tidiesWhileSealing
    ) { [self] in
      shared.withLock { $0.view.frameSegments }
    } afterEach: { [self] in
      noteSealed()
      guard !configuration.tidiesWhileSealing else { return }
      _ = snapshotting.start { [weak self] in
        self?.makeSnapshotIfDue(eventsMax: .max, whileLoading: true)
      }
    }
  }

  /// Merges small segments where there are many, removes files that are no longer needed, and makes a snapshot when one is due.
  private func tidyUp(
    mergeEventsMax: UInt64, snapshotEventsMax: UInt64, progress: ((UInt64) -> Void)? = nil
  ) {
    do throws(LedgerError) {
      _ = try compactor().mergeTiers(eventsMax: mergeEventsMax)
      _ = try currentView()
      try sealer().removeUnneededFiles()
    } catch {
      return note("small segments are not merged yet: \(error.message)")
    }
    makeSnapshotIfDue(eventsMax: snapshotEventsMax, progress: progress)
  }

  /// Does what a bulk load has left for its end. Large segments stay for a compaction: who has waited for the load need not wait
  /// for that.
  ///
  /// - Parameters:
  ///   - isLong: whether the active segment is closed and sealed, however little it holds.
  ///   - progress: called now and then with the number of events read so far.
  /// - Throws: as ``sealNow()``.
  package func finishLoad(
    isLong: Bool, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) {
    if isLong {
      try closeSegment()
      // What is left to seal comes after the middle.
      _ = DetachedThread.both(if: true) {
        snapshotting.wait()
        makeSnapshotOfMiddleIfDue(progress: progress)
      } _: { [self] in
        background.wait()
        seal()
      }
    }
    finishBackgroundWork()
    tidyUp(
      mergeEventsMax: Self.foregroundMergeEventsMax, snapshotEventsMax: .max, progress: progress)
  }

  /// Reads what was sealed, so that its frames need not stay in memory and writers that wait for that go on.
  func noteSealed() {
    // Who reads next reads it again and reports what is wrong.
    _ = try? currentView()
    background.signal()
  }

  /// Has segments sealed that were closed while others were not to seal.
  func sealIfDue() {
    if shared.withLock({ $0.view.frameSegments.count > 1 }) { sealSoon() }
  }

  /// Closes and seals the active segment, however little it holds, and removes files that are no longer needed.
  ///
  /// - Throws: `LedgerError` with code `busy` or `io` when the ledger cannot be written, or the segment cannot be closed: it stays open. What was
  ///   acknowledged is there.
  package func sealNow() throws(LedgerError) {
    try closeSegment()
    background.wait()
    seal()
  }

  func note(_ notice: String) {
    shared.withLock { $0.notices.append(notice) }
  }
}
