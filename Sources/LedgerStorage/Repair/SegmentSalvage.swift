import LedgerCore
import LedgerFormat

/// What can still be read of a damaged segment.
///
/// Invariants:
/// - an event is there only when every byte that says it fits its checksum;
/// - an event is not in `events` and in `lost`; together they are the numbers from the segment's first to `lastSequence`, but in a
///   baseline, which has gaps.
package struct SegmentSalvage: Sendable {
  /// The events that are intact, in order of sequence.
  package var events: [Event] = []
  /// The events that are not.
  package var lost = SequenceRanges()
  /// How many events a baseline held; nil where that cannot be told, and of other segments.
  package var countedEvents: UInt64?
  /// Whether nothing that a baseline held is lost.
  var isWhole = false
  /// The last event that the segment held for all that is known; the one before its first where none is known of.
  package var lastSequence: UInt64
  /// Whether events after that may have been there.
  package var isEndKnown = true
  /// Whether a frame says that others before it were durable: then the segment was the one that was appended to.
  var isAppendedTo = false
  /// Whether what is lost is known to be no longer there; otherwise it is in bytes that nobody can tell apart.
  package var isCertain = true
  /// The own replica's count after the last event.
  package var ownCount: UInt64
  /// No event of the segment was stamped later.
  package var newest: Stamp?
  /// The file in the folder `segments` that holds the events, where it has another name than the manifest says.
  package var foundIn: String?

  /// Of a segment of which nothing is left.
  init(nothingOf entry: SegmentEntry) {
    lastSequence = entry.lastSequence
    ownCount = entry.ownCount
    newest = entry.newest
    isEndKnown = entry.kind != .active
    if entry.eventCount > 0 { lost = SequenceRanges(entry.firstSequence...entry.lastSequence) }
  }
}

extension SegmentSalvage {
  /// Whether these events are all among those that are intact.
  func holds(_ others: [Event]) -> Bool {
    var rest = others[...]
    for event in events where rest.first == event { rest = rest.dropFirst() }
    return rest.isEmpty
  }

  /// What the manifest does not say of the lost yet; of a baseline, what may be: that it says so already is no reason that no more is.
  func newlyLost(_ entry: SegmentEntry) -> SequenceRanges {
    if entry.kind == .baseline, entry.hasFile, !isWhole { return lost }
    return lost.without(entry.lost)
  }

  /// A log digest after the last event, where nothing says what it was: that of a lost event is zeros.
  ///
  /// - Parameter before: the log digest before the first.
  func digest(after before: Digest) -> Digest {
    let first = min(events.first?.sequence ?? .max, lost.ranges.first?.lowerBound ?? .max)
    guard first <= lastSequence else { return before }
    var digest = LogDigest(value: before, sequence: first - 1)
    var scratch: [UInt8] = []
    for event in events {
      while digest.sequence + 1 < event.sequence { digest.append(leaf: .zero) }
      digest.append(event, scratch: &scratch)
    }
    while digest.sequence < lastSequence { digest.append(leaf: .zero) }
    return digest.value
  }
}
