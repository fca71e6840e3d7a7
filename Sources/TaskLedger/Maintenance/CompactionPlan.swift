import LedgerStorage

/// How a compaction rewrites sealed segments.
public enum CompactionPolicy: Hashable, Sendable {
  /// Neighbouring segments become one, of at most 2^20 events, compressed as well as it goes. Lossless: every event and
  /// every digest stays as it is.
  case merge
  /// The history up to a moment becomes a baseline: of each task only what still counts stays. A sequence number means the events
  /// up to it, a time the longest part of the log in which no event is later; a transaction is folded whole or not at all.
  /// The history before that horizon is lost, and so are moments before it; the present, every later event and every later
  /// moment stay as they are.
  case fold(before: Moment)
}

/// What a compaction is going to do, or did.
public struct CompactionPlan: Hashable, Sendable {
  /// Neighbouring segments that become one, or of which a history up to a horizon becomes a baseline.
  public struct Step: Hashable, Sendable {
    /// The sequence number of the first event.
    public var firstSequence: UInt64
    /// The sequence number of the last event.
    public var lastSequence: UInt64
    /// How many segments there are before it; 1 where a segment is only compressed better.
    public var segments: Int
    /// How many events are rewritten or folded.
    public var events: UInt64
    /// How many events stay, of those folded before and now those that still count; nil where that cannot be told before the
    /// newest events are sealed.
    public var keptEvents: UInt64?
    /// Their length in bytes.
    public var bytes: UInt64
    /// The length that the one segment is expected to have, estimated from a few blocks; of a fold that of what it would write, which
    /// for a short history can be more than there is now; nil where that cannot be told.
    public var expectedBytes: UInt64?
  }

  /// The steps, in order of sequence; empty when there is nothing to do.
  public var steps: [Step]
  /// How many sealed segments stay as they are.
  public var untouchedSegments: Int
  /// The last event that is folded; nil where none is.
  public var horizon: UInt64?

  /// How many segments are rewritten.
  public var segments: Int { steps.reduce(0) { $0 + $1.segments } }
  /// How many events they hold.
  public var events: UInt64 { steps.reduce(0) { $0 + $1.events } }
  /// Their length in bytes.
  public var bytes: UInt64 { steps.reduce(0) { $0 + $1.bytes } }
  /// The length that is expected in their place; nil where that cannot be told.
  public var expectedBytes: UInt64? {
    steps.reduce(0) { sum, step in
      guard let sum, let bytes = step.expectedBytes else { return nil }
      return sum + bytes
    }
  }

  init(_ plan: MergePlan) {
    untouchedSegments = plan.untouched
    steps = plan.groups.map { group in
      Step(
        firstSequence: group.firstSequence, lastSequence: group.lastSequence,
        segments: group.entries.count, events: group.events, keptEvents: group.events,
        bytes: group.bytes,
        expectedBytes: group.expectedBytes)
    }
  }
}

extension CompactionPlan {
  init(_ plan: FoldPlan) {
    untouchedSegments = 0
    horizon = plan.cut?.sequence
    steps = []
    guard let cut = plan.cut else { return }
    steps.append(
      Step(
        firstSequence: 1, lastSequence: cut.sequence, segments: plan.entries.count,
        events: plan.events, keptEvents: plan.kept, bytes: plan.bytes,
        expectedBytes: plan.expectedBytes))
  }
}

/// What came of a compaction.
public struct Compaction: Hashable, Sendable {
  /// What was done.
  public var plan: CompactionPlan
  /// The length of the new segments in bytes.
  public var bytes: UInt64
  /// The length of the old segments that are gone.
  public var removedBytes: UInt64
  /// The length of the old segments that are still there, because somebody reads them: they are removed after the next
  /// sealing or compaction that finds them unread.
  public var heldBytes: UInt64

  /// By how many bytes the ledger's folder has become smaller; negative while old segments are held.
  public var freedBytes: Int64 { Int64(clamping: removedBytes) - Int64(clamping: bytes) }

  init(_ plan: CompactionPlan, _ replaced: ReplacedBytes) {
    self.plan = plan
    bytes = replaced.after
    removedBytes = replaced.removed
    heldBytes = replaced.held
  }
}
