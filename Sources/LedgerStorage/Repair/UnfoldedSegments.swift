import LedgerCore
import LedgerFormat

/// Segments of which a baseline can be made anew: they hold all events that it stands for.
struct UnfoldedSegments {
  /// In order: each goes on from the one before. The last may hold events after the horizon, too.
  let files: [FileBeside]

  /// - Parameters:
  ///   - files: those that lie beside the list.
  ///   - horizon: where the baseline ends.
  /// - Returns: nil where the files do not lead from the first event to there.
  init?(_ files: [FileBeside], to horizon: LogDigest, _ check: SegmentExamination) {
    let runs = files.filter { $0.entry?.kind == .sealed }
      .sorted { $0.sequence > $1.sequence }
    var found: [FileBeside] = []
    var point = LogDigest.empty
    while point.sequence < horizon.sequence {
      var next: LogDigest?
      let file = runs.first { file in
        guard let entry = file.entry, entry.firstSequence == point.sequence + 1,
          entry.digestBefore == point.value
        else { return false }
        next = Self.end(of: entry, within: horizon, check)
        return next != nil
      }
      guard let file, let next else { return nil }
      found.append(file)
      point = next
    }
    self.files = found
  }

  /// Where a segment leads, at most to the horizon; nil where it is damaged, or leads elsewhere.
  private static func end(
    of entry: SegmentEntry, within horizon: LogDigest, _ check: SegmentExamination
  ) -> LogDigest? {
    var end: LogDigest?
    let finding = check.check(entry) { if $0.sequence <= horizon.sequence { end = $0 } }
    guard !finding.status.isFault, let end else { return nil }
    return end.sequence < horizon.sequence || end.value == horizon.value ? end : nil
  }

  /// What a baseline has to hold of the events of runs, in order of sequence.
  static func baseline(
    of runs: [SealedRun], through horizon: UInt64, _ pool: ZstdPool
  ) throws(LedgerError) -> [Event] {
    var kept: [Event] = []
    var baseline = TaskBaseline()
    func end() {
      baseline.reduce()
      kept += baseline.events
      baseline = TaskBaseline()
    }
    try pool.with { (zstd) throws(LedgerError) in
      try LedgerError.typing {
        try RunUnion(runs, zstd: zstd).visit { step in
          switch step {
          case .task: end()
          case .event(let event): if event.sequence <= horizon { baseline.fold(event) }
          }
        }
      }
    }
    end()
    return kept.sorted { $0.sequence < $1.sequence }
  }
}
