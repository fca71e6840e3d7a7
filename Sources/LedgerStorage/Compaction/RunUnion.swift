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
    for (order, run) in runs.enumerated() {
      try waiting.advance(EventCursor(run, order: order, zstd: zstd))
    }
    var current: TaskID?
    while let cursor = waiting.popFirst() {
      if let task = cursor.task, task != current {
        current = task
        try body(.task(task))
      }
      while let event = try cursor.nextEvent() { try body(.event(event)) }
      try waiting.advance(cursor)
    }
  }
}
