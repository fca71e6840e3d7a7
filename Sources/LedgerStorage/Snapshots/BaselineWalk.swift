import LedgerCore
import LedgerFormat

/// What still counts of the events of each task up to an event, task by task in order of ids. One block of each run is in
/// memory.
struct BaselineWalk {
  /// A run and which of its events are taken.
  private struct Part {
    var cursor: EventCursor
    var range: ClosedRange<UInt64>
    /// Its place among the runs: of the same task the events of the earlier one come first.
    var order: Int
  }

  /// The part with the first task last.
  private var waiting: [Part] = []

  /// - Parameters:
  ///   - base: a snapshot from which to go on.
  ///   - runs: in order of their sequence numbers; what the snapshot stands for is passed over.
  ///   - last: the last event that is taken.
  init(
    _ runs: [SealedRun], onto base: SealedRun?, through last: UInt64, zstd: Zstd
  ) throws(LedgerError) {
    if let base {
      try insert(Part(cursor: EventCursor(base, zstd: zstd), range: 1...last, order: 0))
    }
    let first = (base?.footer.lastSequence ?? 0) + 1
    for (place, run) in runs.enumerated() where run.footer.lastSequence >= first && first <= last {
      try insert(
        Part(cursor: EventCursor(run, zstd: zstd), range: first...last, order: place + 1))
    }
  }

  /// The next task with any events; nil after the last.
  mutating func next() throws(LedgerError) -> (task: TaskID, baseline: TaskBaseline)? {
    while let task = waiting.last?.cursor.task {
      var baseline = TaskBaseline()
      while let part = waiting.last, part.cursor.task == task {
        waiting.removeLast()
        while let event = try part.cursor.nextEvent() {
          if part.range.contains(event.sequence) { baseline.fold(event) }
        }
        try insert(part)
      }
      baseline.reduce()
      if !baseline.events.isEmpty { return (task, baseline) }
    }
    return nil
  }

  /// Moves a part to its next task, and puts it where it belongs.
  private mutating func insert(_ part: Part) throws(LedgerError) {
    guard try part.cursor.advance() else { return }
    var low = 0
    var high = waiting.count
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(part, waiting[middle]) { low = middle + 1 } else { high = middle }
    }
    waiting.insert(part, at: low)
  }

  private static func precedes(_ left: Part, _ right: Part) -> Bool {
    guard let a = left.cursor.task, let b = right.cursor.task else { return false }
    return a == b ? left.order < right.order : a < b
  }
}
