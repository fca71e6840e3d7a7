import LedgerCore
import LedgerFormat

/// Looks for the first place behind a refused cut where the history can be folded.
///
/// Invariants:
/// - a place found is the end of a transaction, or of a salvaged segment, and no event passed behind it is as old as one that stands before it;
/// - the end of the log is always such a place.
struct LaterCut {
  /// What is told of one event.
  private struct Head {
    var sequence: UInt64
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

  /// Takes a sealed segment, which has its events in another order. Of a salvaged one nothing tells the log digest inside: it can be
  /// folded as a whole, or not at all.
  mutating func pass(_ segment: SealedSegment, _ pool: ZstdPool) throws(LedgerError) {
    let run = try segment.run(pool)
    let isWhole = segment.entry.kind != .sealed
    // Of a salvaged segment the footer counts what is left: its numbers reach further.
    var heads: [Head] = []
    heads.reserveCapacity(Int(run.footer.eventCount))
    try pool.with { (zstd) throws(LedgerError) in
      try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in
        heads.append(
          Head(
            sequence: event.sequence, stamp: event.stamp, endsTransaction: event.endsTransaction))
      }
    }
    heads.sort { $0.sequence < $1.sequence }
    for head in heads {
      pass(head.sequence, head.stamp, endsTransaction: head.endsTransaction && !isWhole)
    }
    guard isWhole, sequence == nil, segment.entry.lastSequence > start else { return }
    sequence = segment.entry.lastSequence
    newestBefore = newest
  }
}
