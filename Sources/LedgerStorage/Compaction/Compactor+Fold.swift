import LedgerCore
import LedgerFormat

// The policy `fold`.
extension Compactor {
  /// What ``fold(_:letGo:)`` would do now. It writes nothing.
  package func foldPlan(_ moment: FoldCut) throws(LedgerError) -> FoldPlan {
    let view = try LogOpening.open(directory, pool: pool).view
    var plan = try FoldPlanner(view).plan(moment)
    guard let cut = plan.cut, !plan.needsSealing else { return plan }
    try LedgerError.typing { try measure(&plan, cut, view) }
    return plan
  }

  /// Up to so many events a baseline is compressed to see how small it becomes as it will be compressed.
  private static let measuredEventsMax: UInt64 = 1 << 16

  /// Makes everything that a fold would write, to see how many bytes it has. What still counts of an event has more to it than
  /// most events, and small files more around it than in it: shares of what is there now would promise too much.
  private func measure(_ plan: inout FoldPlan, _ cut: FoldPlan.Cut, _ view: LogView) throws {
    let runs = try runs(plan, view)
    let isSmall = runs.reduce(0) { $0 + $1.footer.eventCount } <= Self.measuredEventsMax
    let level = isSmall ? options.compactionLevel : options.sealLevel
    let ledger = view.manifest.ledger
    let measured = try BaselineWriter(directory, ledger: ledger, level: level) {}
      .measure(runs, cut)
    let gain = isSmall ? 1 : try compressionGain(runs)
    var bytes = UInt64(Double(measured.bytes) * gain)
    if let last = plan.entries.last, last.lastSequence > cut.sequence {
      let segment = SealedSegment(last, ledger: ledger, in: directory)
      bytes += try segmentMerge(ledger, level: options.sealLevel, pause: {})
        .measure([segment], after: (cut.sequence, cut.digest))
    }
    plan.kept = measured.kept
    plan.expectedBytes = bytes
  }

  /// How small some blocks become at the level of compaction, in parts of what they are at that of sealing.
  private func compressionGain(_ runs: [SealedRun]) throws -> Double {
    var (sealed, compacted) = (0, 0)
    for run in runs {
      let raw = try pool.with { (zstd) throws(LedgerError) in
        try run.recodedBlock(run.index.entries.count / 2, zstd: zstd)
      }
      sealed += try pool.with { (zstd) throws(LedgerError) in
        try zstd.compressBlock(raw, level: options.sealLevel).count
      }
      compacted += try pool.with { (zstd) throws(LedgerError) in
        try zstd.compressBlock(raw, level: options.compactionLevel).count
      }
      // A few blocks tell.
      if sealed >= 1 << 18 { break }
    }
    return Double(compacted) / Double(max(1, sealed))
  }

  private func runs(_ plan: FoldPlan, _ view: LogView) throws(LedgerError) -> [SealedRun] {
    var runs: [SealedRun] = []
    for segment in view.sealed.prefix(plan.entries.count(where: \.hasFile)) {
      runs.append(try segment.run(pool))
    }
    return runs
  }

  /// Makes a baseline of the history up to a moment. What is folded must be sealed.
  ///
  /// - Parameter letGo: called before old segments are removed: whoever holds them can let them go.
  /// - Throws: `busy` when another process is at it for too long, or what was to be folded is not sealed yet; else as
  ///   `FoldPlanner`.
  package func fold(
    _ moment: FoldCut, letGo: () throws -> Void = {}
  ) throws(LedgerError) -> (plan: FoldPlan, bytes: ReplacedBytes) {
    try underLock {
      let (plan, after) = try foldUnderLock(moment)
      return (plan, try remove(plan.entries, after: after, letGo))
    }
  }

  private func foldUnderLock(_ moment: FoldCut) throws -> (plan: FoldPlan, bytesAfter: UInt64) {
    let view = try LogOpening.open(directory, pool: pool).view
    var plan = try FoldPlanner(view).plan(moment)
    guard let cut = plan.cut else { return (plan, 0) }
    guard !plan.needsSealing else {
      throw LedgerError(
        .busy, "events up to \(cut.sequence) are not sealed yet", path: directory.path,
        hint: "try again; nothing was changed")
    }
    let runs = try runs(plan, view)
    let (new, kept) = try write(plan, runs, cut, view)
    plan.kept = kept
    plan.expectedBytes = new.reduce(0) { $0 + $1.end }
    try ManifestStep.removing(new.map { LedgerNames.inSegments($0.file) }, in: directory) {
      try SegmentExchange(directory, options: options).put(
        new, inPlaceOf: plan.entries,
        checking: { try checkNothingOlder(since: view, cut) },
        noting: { $0.append(record(plan, cut, new, follows: view.lastSequence)) })
    }
    return (plan, new.reduce(0) { $0 + $1.end })
  }

  /// The baseline, and what is left of the segment in which the horizon lies.
  private func write(
    _ plan: FoldPlan, _ runs: [SealedRun], _ cut: FoldPlan.Cut, _ view: LogView
  ) throws -> (new: [SegmentEntry], kept: UInt64) {
    let ledger = view.manifest.ledger
    let level = options.compactionLevel
    var (baseline, kept) = try BaselineWriter(
      directory, ledger: ledger, level: level, pause: pause
    ).write(runs, cut)
    baseline.lost = SequenceRanges(plan.entries.flatMap(\.lost.ranges))
      .clamped(to: 1...cut.sequence)
    guard let last = plan.entries.last, last.lastSequence > cut.sequence else {
      return ([baseline], kept)
    }
    do {
      let rest = try segmentMerge(ledger, level: options.sealLevel).write(
        [SealedSegment(last, ledger: ledger, in: directory)], after: (cut.sequence, cut.digest))
      return ([baseline, rest], kept)
    } catch {
      try? directory.unlink(LedgerNames.inSegments(baseline.file))
      throw error
    }
  }

  /// What was appended since the plan was made must not be older than what is folded.
  private func checkNothingOlder(since view: LogView, _ cut: FoldPlan.Cut) throws {
    let now = try LogOpening.refresh(view).view
    try now.forEachPortion(after: view.lastSequence) { (events) throws(LedgerError) in
      for event in events { try FoldPlanner.check(event, cut) }
      return true
    }
  }

  private func record(
    _ plan: FoldPlan, _ cut: FoldPlan.Cut, _ new: [SegmentEntry], follows: UInt64
  ) -> MaintenanceRecord {
    MaintenanceRecord(
      kind: "folded", follows: follows, time: clock(),
      details: [
        .init("policy", "fold"), .init("horizon", String(cut.sequence)),
        .init("newest", cut.newest.time.description), .init("digest", cut.digest.hex),
        .init("events", String(plan.events)), .init("kept", String(plan.kept ?? 0)),
        .init("segments", String(plan.entries.count)),
        .init("before", String(plan.bytes)),
        .init("after", String(new.reduce(0) { $0 + $1.end })),
      ])
  }
}
