import LedgerCore

/// Decodes the events of single tasks of a run, asked for in ascending order of their ids: for those whose stamps are
/// not in order of arrival.
struct SlowCursor {
  private let run: SealedRun
  private let zstd: Zstd
  private var blockNumber = -1
  private var reader: BlockReader?
  /// A task that was read from the block but lies beyond the one asked for.
  private var pending: (id: TaskID, eventCount: Int)?

  init(_ run: SealedRun, zstd: Zstd) {
    self.run = run
    self.zstd = zstd
  }

  /// Calls `body` for the events of a task, in order of sequence; ids must ascend from call to call.
  mutating func forEachEvent(
    of task: TaskID, _ body: (Event) -> Void
  ) throws(LedgerError) {
    for number in run.index.blocks(of: task) where number >= blockNumber {
      if number > blockNumber {
        blockNumber = number
        reader = try run.reader(ofBlock: number, zstd: zstd)
        pending = nil
      }
      do throws(LedgerError) {
        try readEvents(of: task, body)
      } catch {
        throw error.located(in: run.source.path, offset: run.index.entries[number].offset)
      }
    }
  }

  private mutating func readEvents(
    of task: TaskID, _ body: (Event) -> Void
  ) throws(LedgerError) {
    guard var reader else { return }
    self.reader = nil
    defer { self.reader = reader }
    while true {
      if pending == nil { pending = try reader.nextTask() }
      guard let next = pending, next.id <= task else { return }
      pending = nil
      if next.id == task {
        for _ in 0..<next.eventCount { body(try reader.nextEvent()) }
      } else {
        try reader.skipTask()
      }
    }
  }
}
