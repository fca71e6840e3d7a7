import LedgerCore
import LedgerFormat

/// What still counts of the events of each task up to an event, task by task in order of ids. One block of each run is in
/// memory.
struct BaselineWalk {
  private let base: SealedRun?
  /// The events that are taken of the runs; of the snapshot all are.
  private let range: Range<UInt64>
  private var waiting = CursorQueue()
  /// How many events were read so far.
  private(set) var seenCount: UInt64 = 0

  /// - Parameters:
  ///   - base: a snapshot from which to go on, of no event after the last.
  ///   - runs: in order of their sequence numbers; what the snapshot stands for is passed over.
  ///   - last: the last event that is taken.
  init(
    _ runs: [SealedRun], onto base: SealedRun?, through last: UInt64, zstd: Zstd
  ) throws(LedgerError) {
    let after = min(base?.footer.lastSequence ?? 0, last)
    self.base = base
    range = after + 1..<last + 1
    let taken = range.isEmpty ? [] : runs.filter { $0.footer.lastSequence > after }
    for (order, run) in ((base.map { [$0] } ?? []) + taken).enumerated() {
      try waiting.advance(EventCursor(run, order: order, zstd: zstd))
    }
  }

  /// The next task with any events; nil after the last.
  mutating func next() throws(LedgerError) -> (task: TaskID, baseline: TaskBaseline)? {
    while let task = waiting.task {
      var baseline = TaskBaseline()
      while waiting.task == task, let cursor = waiting.popFirst() {
        while let event = try cursor.nextEvent() {
          seenCount += 1
          if cursor.run === base || range.contains(event.sequence) { baseline.fold(event) }
        }
        try waiting.advance(cursor)
      }
      baseline.reduce()
      if !baseline.events.isEmpty { return (task, baseline) }
    }
    return nil
  }
}
