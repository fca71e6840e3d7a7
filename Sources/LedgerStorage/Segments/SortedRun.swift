import LedgerCore
import LedgerFormat

/// Sorts the events of a range into a run.
package enum SortedRun {
  /// The bytes of a sealed segment with the events.
  ///
  /// - Parameters:
  ///   - events: in order of sequence, without gaps; at least one.
  ///   - digests: the log digest before and after; nil for a run that never leaves memory.
  ///   - horizon: makes a baseline of them, which may have gaps.
  ///   - salvaged: makes a salvaged segment of them, which may have gaps: what is left of these.
  ///   - hasFilter: whether a sealed segment gets a filter of its ids.
  package static func bytes(
    of events: [Event], ledger: ReplicaID, digests: (before: Digest, after: Digest)?, level: Int32,
    zstd: Zstd, horizon: UInt64? = nil, salvaged: ClosedRange<UInt64>? = nil,
    hasFilter: Bool = false
  ) throws(LedgerError) -> [UInt8] {
    let common = CommonValues(of: events)
    var writer = RunWriter(
      ledger: ledger, digestBefore: digests?.before ?? .zero, common: common, level: level,
      zstd: zstd, horizon: horizon, salvaged: salvaged, hasFilter: hasFilter)
    try add(events, in: order(of: events), to: &writer)
    _ = try writer.finish(
      digestAfter: digests?.after ?? .zero, ascends: ascends(events))
    return writer.drain()
  }

  private static func add(
    _ events: [Event], in order: [Int], to writer: inout RunWriter
  ) throws(LedgerError) {
    try borrowing(events) { (events) throws(LedgerError) in
      var current: TaskID?
      for place in order {
        if events[place].task != current {
          current = events[place].task
          try writer.startTask(events[place].task)
        }
        try writer.add(events[place])
      }
    }
  }

  /// Lends events out in place: a copy of each, all over memory, would cost as much as writing them.
  private static func borrowing<R>(
    _ events: [Event], _ body: (UnsafeBufferPointer<Event>) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    let outcome = events.withUnsafeBufferPointer { events in
      Result { () throws(LedgerError) in try body(events) }
    }
    return try outcome.get()
  }

  /// The places of the events by task, then sequence.
  private static func order(of events: [Event]) -> [Int] {
    uuidOrder(of: events) ?? textOrder(of: events)
  }

  /// What an event is sorted by: sixteen bytes of its task's id, then its place, since events of a task keep their order.
  private struct SortKey {
    var high: UInt64
    var low: UInt64
    var place: Int
  }

  /// The places when all ids are UUIDs, which sort as their bytes do; else nil.
  private static func uuidOrder(of events: [Event]) -> [Int]? {
    var keys: [SortKey] = []
    keys.reserveCapacity(events.count)
    for place in events.indices {
      guard let uuid = events[place].task.uuid else { return nil }
      keys.append(SortKey(high: uuid.high, low: uuid.low, place: place))
    }
    keys.sort { left, right in
      if left.high != right.high { return left.high < right.high }
      return left.low != right.low ? left.low < right.low : left.place < right.place
    }
    return keys.map(\.place)
  }

  /// The first bytes of the ids decide most comparisons without touching the ids.
  private static func textOrder(of events: [Event]) -> [Int] {
    var keys = events.indices.map { place in
      events[place].task.withBytes { bytes in
        SortKey(high: number(bytes, from: 0), low: number(bytes, from: 8), place: place)
      }
    }
    keys.sort { left, right in
      if left.high != right.high { return left.high < right.high }
      if left.low != right.low { return left.low < right.low }
      let (a, b) = (events[left.place].task, events[right.place].task)
      return a == b ? left.place < right.place : a < b
    }
    return keys.map(\.place)
  }

  /// Eight bytes of an id, the most significant first, missing ones as zeros.
  private static func number(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in start..<start + 8 {
      number = number << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
    }
    return number
  }

  /// Whether a run holds these events, and its footer says of them what they are.
  ///
  /// - Parameter events: in order of sequence, without gaps; at least one.
  static func holds(
    _ run: SealedRun, _ events: [Event], zstd: Zstd
  ) throws(LedgerError) -> Bool {
    let first = events[0].sequence
    var count = 0
    var marks: [RunFilter.Mark] = []
    // No event is there twice: a reader refuses tasks and sequence numbers that do not ascend.
    try borrowing(events) { (events) throws(LedgerError) in
      func mark(_ task: TaskID) { marks.append(RunFilter.Mark(task)) }
      try run.forEachEvent(zstd: zstd, noting: mark) { event in
        let place = event.sequence &- first
        guard place < UInt64(events.count), let first = events.baseAddress else { return }
        if isSame(first + Int(place), event) { count += 1 }
      }
    }
    try run.checkFilter(marks)
    return count == events.count && run.footer.firstSequence == first
      && run.footer.eventCount == UInt64(events.count)
      && run.footer.oldest == events.lazy.map(\.stamp).min()
      && run.footer.newest == events.lazy.map(\.stamp).max()
      && run.footer.ascends == ascends(events)
  }

  /// Compares all that `==` does, part by part: a copy of the whole event would cost more than that.
  private static func isSame(_ known: UnsafePointer<Event>, _ event: Event) -> Bool {
    known.pointee.sequence == event.sequence && known.pointee.stamp == event.stamp
      && known.pointee.kind == event.kind && known.pointee.task == event.task
      && known.pointee.transaction == event.transaction
      && known.pointee.endsTransaction == event.endsTransaction
      && known.pointee.recorded == event.recorded && known.pointee.undoes == event.undoes
      && known.pointee.author.hasSameBytes(as: event.author)
      && String.haveSameBytes(known.pointee.message, event.message)
      && known.pointee.changes == event.changes
  }

  /// Whether the stamps ascend as the sequence numbers do.
  static func ascends(_ events: [Event]) -> Bool {
    events.indices.dropFirst().allSatisfy { events[$0 - 1].stamp < events[$0].stamp }
  }
}
