import LedgerCore
import LedgerFormat

/// All events of a log, a segment at a time.
extension LogView {
  /// Calls `body` with the events after a sequence number, in order, in portions of about one segment; what is left of folded
  /// events is not among them.
  package func forEachPortion(
    after sequence: UInt64, _ body: ([Event]) throws(LedgerError) -> Bool
  ) throws(LedgerError) {
    for segment in sealed
    where segment.entry.kind != .baseline && segment.entry.lastSequence > sequence {
      guard try body(try events(of: segment, after: sequence)) else { return }
    }
    for segment in frameSegments where segment.lastSequence > sequence {
      let events = try segment.events(pool, path: path(of: segment))
      guard try body(events.filter { $0.sequence > sequence }) else { return }
    }
  }

  /// Calls `body` with the events of one segment after the other, the last one first, each segment's in order of sequence, until it
  /// returns false; what is left of folded events is not among them.
  ///
  /// - Parameter isWanted: whether a segment is read at all.
  package func forEachSegmentBackwards(
    where isWanted: (SegmentEntry) -> Bool = { _ in true },
    _ body: ([Event]) throws(LedgerError) -> Bool
  ) throws(LedgerError) {
    for segment in frameSegments.reversed() where isWanted(segment.entry) {
      guard try body(try segment.events(pool, path: path(of: segment))) else { return }
    }
    for segment in sealed.reversed()
    where segment.entry.kind != .baseline && isWanted(segment.entry) {
      guard try body(try events(of: segment, after: 0)) else { return }
    }
  }

  /// The events of a sealed segment after a sequence number, in order.
  func events(
    of segment: SealedSegment, after sequence: UInt64
  ) throws(LedgerError) -> [Event] {
    let run = try segment.run(pool)
    var events: [Event] = []
    events.reserveCapacity(Int(clamping: segment.entry.eventCount))
    try pool.with { (zstd) throws(LedgerError) in
      try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in
        if event.sequence > sequence { events.append(event) }
      }
    }
    events.sort { $0.sequence < $1.sequence }
    return events
  }

  /// Calls `body` with what is left of the history of each task up to the horizon, where there is one.
  package func forEachFoldedTask(
    _ body: (TaskID, TaskState) -> Void
  ) throws(LedgerError) {
    guard let baseline = sealed.first, baseline.entry.kind == .baseline else { return }
    let run = try baseline.run(pool)
    try pool.with { (zstd) throws(LedgerError) in
      let cursor = EventCursor(run, zstd: zstd)
      while try cursor.advance() {
        var state = TaskState()
        guard let task = cursor.task else { return }
        while let event = try cursor.nextEvent() { state.fold(event) }
        body(task, state)
      }
    }
  }
}
