/// What was lost of folded history: of the events that still counted, a part or all. Nobody can tell which numbers they had, for
/// those that did not count any more are gone as well.
public struct FoldedLoss: Sendable, Hashable {
  /// The sequence numbers of the folded events among which the lost ones were.
  public var events: SequenceRanges
  /// Whether nothing is left of what still counted.
  public var isComplete: Bool

  public init(_ events: SequenceRanges, isComplete: Bool) {
    self.events = events
    self.isComplete = isComplete
  }
}
