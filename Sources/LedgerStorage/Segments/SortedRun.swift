import LedgerCore
import LedgerFormat

/// Sorts the events of a range into a run.
package enum SortedRun {
  /// The bytes of a sealed segment with the events.
  ///
  /// - Parameters:
  ///   - events: in order of sequence, without gaps; at least one.
  ///   - digests: the log digest before and after; nil for a run that never leaves memory.
  package static func bytes(
    of events: [Event], ledger: ReplicaID, digests: (before: Digest, after: Digest)?, level: Int32,
    zstd: Zstd
  ) throws(LedgerError) -> [UInt8] {
    let common = CommonValues(of: events)
    var writer = RunWriter(
      ledger: ledger, digestBefore: digests?.before ?? .zero, common: common, level: level,
      zstd: zstd)
    var current: TaskID?
    for index in order(of: events) {
      let event = events[index]
      if event.task != current {
        try writer.startTask(event.task)
        current = event.task
      }
      try writer.add(event)
    }
    _ = try writer.finish(
      digestAfter: digests?.after ?? .zero, ascends: ascends(events))
    return writer.drain()
  }

  /// The places of the events by task, then sequence.
  private static func order(of events: [Event]) -> [Int] {
    // Events of a task keep their order when sorted by task and place; the first bytes of the ids decide most
    // comparisons without touching the ids.
    let keys = events.indices.map { SortKey(events[$0].task, place: $0) }
    return keys.sorted { left, right in
      if left.first != right.first { return left.first < right.first }
      if left.second != right.second { return left.second < right.second }
      let (a, b) = (events[left.place].task, events[right.place].task)
      return a == b ? left.place < right.place : a < b
    }.map(\.place)
  }

  /// The first sixteen bytes of an id, missing ones as zeros, and the place of its event.
  private struct SortKey {
    var first: UInt64
    var second: UInt64
    var place: Int

    init(_ id: TaskID, place: Int) {
      (first, second) = id.withBytes { bytes in
        (Self.number(bytes, from: 0), Self.number(bytes, from: 8))
      }
      self.place = place
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
      var number: UInt64 = 0
      for index in start..<start + 8 {
        number = number << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
      }
      return number
    }
  }

  /// Whether a run holds these events, and its footer says of them what they are.
  ///
  /// - Parameter events: in order of sequence, without gaps; at least one.
  static func holds(
    _ run: SealedRun, _ events: [Event], zstd: Zstd
  ) throws(LedgerError) -> Bool {
    let first = events[0].sequence
    var count = 0
    // No event is there twice: a reader refuses tasks and sequence numbers that do not ascend.
    try run.forEachEvent(zstd: zstd) { event in
      let place = event.sequence &- first
      if place < UInt64(events.count), events[Int(place)] == event { count += 1 }
    }
    return count == events.count && run.footer.firstSequence == first
      && run.footer.eventCount == UInt64(events.count)
      && run.footer.oldest == events.lazy.map(\.stamp).min()
      && run.footer.newest == events.lazy.map(\.stamp).max()
      && run.footer.ascends == ascends(events)
  }

  /// Whether the stamps ascend as the sequence numbers do.
  static func ascends(_ events: [Event]) -> Bool {
    events.indices.dropFirst().allSatisfy { events[$0 - 1].stamp < events[$0].stamp }
  }
}
