import LedgerCore
import LedgerFormat

/// The events of several runs in the order of a run: by task, then sequence. One block of each run is in memory.
struct RunUnion {
  /// What is done with the events, in order.
  enum Step {
    case task(TaskID)
    case event(Event)
  }

  private let zstd: Zstd
  private let runs: [SealedRun]

  /// - Parameter runs: in order of their sequence numbers, without overlap.
  init(_ runs: [SealedRun], zstd: Zstd) {
    self.runs = runs
    self.zstd = zstd
  }

  /// Calls `body` with each task, and then with each of its events.
  func visit(_ body: (Step) throws -> Void) throws {
    var waiting = CursorQueue()
    for run in runs {
      let cursor = EventCursor(run, zstd: zstd)
      if try cursor.advance() { waiting.insert(cursor) }
    }
    var current: TaskID?
    while let cursor = waiting.popFirst() {
      if let task = cursor.task, task != current {
        current = task
        try body(.task(task))
      }
      while let event = try cursor.nextEvent() { try body(.event(event)) }
      if try cursor.advance() { waiting.insert(cursor) }
    }
  }
}

/// Cursors in order of their tasks; of the same task that of the earlier run first.
private struct CursorQueue {
  /// The next one last.
  private var cursors: [EventCursor] = []

  mutating func popFirst() -> EventCursor? { cursors.popLast() }

  mutating func insert(_ cursor: EventCursor) {
    var low = 0
    var high = cursors.count
    while low < high {
      let middle = (low + high) / 2
      if precedes(cursor, cursors[middle]) { low = middle + 1 } else { high = middle }
    }
    cursors.insert(cursor, at: low)
  }

  private func precedes(_ left: EventCursor, _ right: EventCursor) -> Bool {
    guard let a = left.task, let b = right.task else { return false }
    if a == b { return left.run.footer.firstSequence < right.run.footer.firstSequence }
    return a < b
  }
}
