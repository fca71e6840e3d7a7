import LedgerFormat

/// What is undone.
public enum UndoTarget: Hashable, Sendable {
  /// The author's newest transaction that is in effect.
  case last
  /// The transaction with this number, the sequence number of its first event, whoever made it. One that is an undo is redone.
  case transaction(UInt64)
  /// What the newest transaction in effect did to this task, whoever made it; what it did to others stays.
  case task(TaskID)
  /// Everything after a moment, whoever did it.
  case moment(Moment)
}
