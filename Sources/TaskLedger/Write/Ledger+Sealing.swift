import LedgerCore
import LedgerFormat
import LedgerStorage

/// Sealing what was closed, and what follows from that: merging, removing, snapshots. Runs beside the writers.
extension Ledger {
  func sealSoon() {
    // Too far behind, the writers wait: frozen segments are held in memory.
    background.wait { [self] in
      shared.withLock { $0.view.frameSegments.count > Self.frozenSegmentsMax }
    }
    // Whoever closed a segment sees to it, though nobody uses this handle any more. When that is done nothing keeps the handle.
    let kept = Guarded<Ledger?>(self)
    let work: @Sendable () -> Void = {
      let ledger = kept.withLock { kept in
        defer { kept = nil }
        return kept
      }
      ledger?.seal()
    }
    guard configuration.sealsInBackground, background.start(work) else { return seal() }
  }

  /// As many segments can wait to be sealed.
  private static let frozenSegmentsMax = 3

  /// A writer that seals for itself merges no more events: nobody waits for seconds after a small change.
  private static let foregroundMergeEventsMax: UInt64 = 1 << 16
  /// Nor does it make a snapshot of a longer log.
  private static let foregroundSnapshotEventsMax: UInt64 = 1 << 18
  /// Nor does it go on for long with what others close meanwhile.
  private static let foregroundRoundsMax = 3

  /// Seals frozen segments, and tidies up, but for what a bulk load leaves for its end. A failure costs nothing but space: what was there
  /// stays, and the next writer tries again.
  func seal() {
    let isBackground = configuration.sealsInBackground
    guard configuration.tidiesWhileSealing else { return keepUp(mergeEventsMax: nil) {} }
    keepUp(
      mergeEventsMax: isBackground ? .max : Self.foregroundMergeEventsMax,
      roundsMax: isBackground ? .max : Self.foregroundRoundsMax
    ) {
      makeSnapshotIfDue(eventsMax: isBackground ? .max : Self.foregroundSnapshotEventsMax)
    }
  }

  /// So many times as long as a writer waits the sealer of a load for the writer of the same load.
  private static let loadPatience: UInt64 = 6

  func sealer() -> Sealer {
    var options = configuration.storeOptions
    if !configuration.tidiesWhileSealing {
      // That writer has the lock for most of the time, and nobody waits for what is sealed.
      let timeout = min(options.lockTimeoutMilliseconds, .max / Self.loadPatience)
      options.lockTimeoutMilliseconds = timeout * Self.loadPatience
    }
    return Sealer(
      directory, options: options, pool: pool,
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

  /// Seals, and merges small segments where there are many and removes files that are no longer needed; then runs the body, unless
  /// something failed.
  ///
  /// - Parameters: as those of `SegmentUpkeep`.
  private func keepUp(mergeEventsMax: UInt64?, roundsMax: Int = .max, then body: () -> Void) {
    let upkeep = SegmentUpkeep(
      sealer(), compactor(), mergeEventsMax: mergeEventsMax, roundsMax: roundsMax
    ) { [self] in
      _ = try currentView()
    }
    let failure = upkeep.run()
    noteSealed()
    guard let failure else { return body() }
    let what =
      switch failure.part {
      case .sealing: "a segment is not sealed yet"
      case .merging: "small segments are not merged yet"
      }
    note("\(what): \(failure.error.message)")
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
    keepUp(mergeEventsMax: Self.foregroundMergeEventsMax) {
      makeSnapshotIfDue(eventsMax: .max, progress: progress)
    }
  }

  /// Reads what was sealed, so that its frames need not stay in memory and writers that wait for that go on.
  func noteSealed() {
    // Who reads next reads it again and reports what is wrong.
    _ = try? currentView()
    background.signal()
  }

  /// Closes a segment that was full while it was filled too quickly to be closed, and has it sealed. Where that cannot be, the next
  /// writer closes it.
  func sealQuickSegment() {
    guard shared.withLock({ $0.isClosingPutOff }), (try? closeSegment()) != nil else { return }
    sealSoon()
  }

  /// Has segments sealed that were closed, here or elsewhere, while others were not to seal.
  func sealIfDue() {
    if let view = try? currentView(), view.frameSegments.count > 1 { sealSoon() }
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
