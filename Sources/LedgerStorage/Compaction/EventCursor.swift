import LedgerCore
import LedgerFormat

/// Walks a run task by task, event by event, with one block of it in memory.
///
/// Invariants:
/// - `task` is the task whose events are read next; nil before the first and after the last;
/// - `upcoming` is the head of a task in the current block whose events were not begun;
/// - a task that goes on in the next block is one task here.
final class EventCursor {
  let run: SealedRun
  /// Its place among the runs: of the same task the events of the earlier one come first.
  let order: Int
  private let zstd: Zstd
  private(set) var task: TaskID?
  private var left = 0
  private var upcoming: (id: TaskID, eventCount: Int)?
  private var block = -1
  private var reader: BlockReader?

  init(_ run: SealedRun, order: Int = 0, zstd: Zstd) {
    self.run = run
    self.order = order
    self.zstd = zstd
  }

  /// Moves to the next task, once the events of the one before were read; false after the last.
  func advance() throws(LedgerError) -> Bool {
    try findUpcoming()
    guard let next = upcoming else {
      task = nil
      return false
    }
    begin(next)
    return true
  }

  /// The next event of the task; nil after its last.
  func nextEvent() throws(LedgerError) -> Event? {
    if left == 0 {
      try findUpcoming()
      guard let next = upcoming, next.id == task else { return nil }
      begin(next)
    }
    left -= 1
    return try located { () throws(LedgerError) in try reader?.nextEvent() }
  }

  private func begin(_ next: (id: TaskID, eventCount: Int)) {
    task = next.id
    left = next.eventCount
    upcoming = nil
  }

  private func findUpcoming() throws(LedgerError) {
    while upcoming == nil {
      if reader != nil {
        upcoming = try located { () throws(LedgerError) in try reader?.nextTask() }
        if upcoming != nil { return }
        reader = nil
      }
      guard block + 1 < run.index.entries.count else { return }
      block += 1
      reader = try run.reader(ofBlock: block, zstd: zstd)
    }
  }

  /// Runs the body, which reads in place, so that no stream is copied; its errors say in which block.
  private func located<R>(_ body: () throws(LedgerError) -> R) throws(LedgerError) -> R {
    do throws(LedgerError) {
      return try body()
    } catch {
      throw error.located(in: run.source.path, offset: run.index.entries[block].offset)
    }
  }
}
