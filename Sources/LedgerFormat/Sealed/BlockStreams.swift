import LedgerCore

/// The streams of a block, in the order in which they stand in it: events as columns, so that a reader skips what it
/// does not need.
package enum BlockStream: Int, CaseIterable, Sendable {
  /// Per task: length and form of its key, bytes shared with the key before it, the other bytes.
  case keys
  /// Per task: the number of its events in this block.
  case counts
  /// Per event: the number of its shape.
  case shapes
  /// Per event: the sequence number. The first of a task: zigzag difference to the first of the task before; others: difference to the
  /// event before.
  case sequences
  /// Per event: the time in Unix milliseconds, as zigzag difference to the same event as the sequence number's.
  case times
  /// Per event: the number of its context.
  case contexts
  /// Per event: what its context says is there.
  case details
  /// Per value: integers, zigzag.
  case integers
  /// Per value: doubles, eight bytes.
  case doubles
  /// Per value: numbers of interned values.
  case interned
  /// Per value: days, zigzag.
  case dates
  /// Per value: lengths of texts.
  case lengths
  /// Per value: bytes of texts.
  case texts
  /// Per value: arrays, without their tag.
  case arrays
}
