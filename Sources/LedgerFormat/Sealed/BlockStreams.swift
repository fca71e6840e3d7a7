import LedgerCore

/// The streams of a block, in the order in which they stand in it: events as columns, so that a reader skips what it
/// does not need.
package enum BlockStream: Int, CaseIterable, Sendable {
  /// Per task: its key, where `marks` and `tails` do not have it. Up to version 3: length and form, bytes shared with the key before
  /// it, the other bytes.
  case keys
  /// Per task: the number of its events in this block.
  case counts
  /// Per event: the number of its shape.
  case shapes
  /// Per event: the sequence number. The first of a task: zigzag difference to the first of the task before; others: difference to the
  /// event before.
  case sequences
  /// Per event: the time in Unix milliseconds, as zigzag difference to what the anchors guess, without its lowest byte. Up to
  /// version 3: as zigzag difference to the same event as the sequence number's.
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
  /// Per packed key, from version 4 on: the bits of a UUID that say how it was made, and two more.
  case marks
  /// Per packed key, from version 4 on: ten bytes of which nothing can be known.
  case tails
  /// Per event, from version 4 on: the lowest byte of what `times` has the rest of.
  case moments
}

/// How keys and times stand in the blocks of a run: by the version that is needed to read it.
package enum BlockLayout: Sendable {
  /// Keys in one stream, times in one.
  case version1
  /// Both in parts, so that what cannot be compressed lies by itself.
  case version4

  init(oldestReader: UInt16) { self = oldestReader < 4 ? .version1 : .version4 }

  /// A block has the first so many streams.
  var streamCount: Int { self == .version1 ? 14 : BlockStream.allCases.count }
}
