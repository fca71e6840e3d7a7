import LedgerCore
import LedgerFormat

/// Looks for the first place behind a refused cut where the history can be folded.
///
/// Invariants:
/// - a place found is the end of a transaction, and no event passed behind it is as old as one that stands before it;
/// - the end of the log is always such a place.
struct LaterCut {
  /// What is told of one event.
  private struct Head {
    var stamp: Stamp
    var endsTransaction: Bool
  }

  /// The last event before the place; nil where there is none so far.
  private(set) var sequence: UInt64?
  /// The newest stamp before the place that was found.
  private var newestBefore: Stamp
  /// The newest stamp of all that was passed.
  private var newest: Stamp
  private let start: UInt64

  /// - Parameter cut: the place that is refused.
  init(after cut: FoldPlan.Cut) {
    start = cut.sequence
    newest = cut.newest
    newestBefore = cut.newest
  }

  /// Takes the event that follows those passed so far.
  mutating func pass(_ number: UInt64, _ stamp: Stamp, endsTransaction: Bool) {
    guard number > start else { return }
    if sequence != nil, stamp <= newestBefore { sequence = nil }
    newest = max(newest, stamp)
    guard sequence == nil, endsTransaction else { return }
    sequence = number
    newestBefore = newest
  }

  /// Takes a sealed segment, which has its events in another order.
  mutating func pass(_ run: SealedRun, _ pool: ZstdPool) throws(LedgerError) {
    let first = run.footer.firstSequence
    var heads = [Head?](repeating: nil, count: Int(run.footer.eventCount))
    try pool.with { (zstd) throws(LedgerError) in
      try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in
        // A block reader lets no number pass that lies outside the segment.
        heads[Int(event.sequence - first)] = Head(
          stamp: event.stamp, endsTransaction: event.endsTransaction)
      }
    }
    for (place, head) in heads.enumerated() {
      guard let head else { continue }
      pass(first + UInt64(place), head.stamp, endsTransaction: head.endsTransaction)
    }
  }
}
