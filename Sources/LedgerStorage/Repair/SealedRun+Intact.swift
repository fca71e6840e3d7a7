import LedgerCore
import LedgerFormat

/// What is intact of a run whose tables and index can be read.
extension SealedRun {
  /// Reads the events of every block that is as it was written, in the order of the blocks.
  ///
  /// - Returns: whether all blocks are.
  func forEachIntactEvent(
    _ pool: ZstdPool, _ body: (Event) -> Void
  ) throws(LedgerError) -> Bool {
    var isWhole = true
    try pool.with { (zstd) throws(LedgerError) in
      for number in index.entries.indices {
        guard let events = try intactEvents(ofBlock: number, zstd) else {
          isWhole = false
          continue
        }
        for event in events { body(event) }
      }
    }
    return isWhole
  }

  /// The events of a block; nil when it is damaged.
  private func intactEvents(
    ofBlock number: Int, _ zstd: Zstd
  ) throws(LedgerError) -> [Event]? {
    var events: [Event] = []
    do throws(LedgerError) {
      var reader = try reader(ofBlock: number, zstd: zstd)
      while let next = try reader.nextTask() {
        for _ in 0..<next.eventCount { events.append(try reader.nextEvent()) }
      }
      return events
    } catch {
      guard error.code == .damaged else { throw error }
      return nil
    }
  }
}
