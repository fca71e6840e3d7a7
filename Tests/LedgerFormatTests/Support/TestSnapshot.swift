import LedgerCore

@testable import LedgerFormat

/// Snapshots of given events, made without a folder.
enum TestSnapshot {
  /// The bytes of a snapshot of events from 1 on, which are given in order of sequence.
  static func bytes(
    _ events: [Event], target: Int = RunWriter.blockBytesTarget,
    ledger: ReplicaID = TestRun.ledger
  ) throws -> [UInt8] {
    let state = PlainState(events)
    let stamps = events.map(\.stamp)
    guard let oldest = stamps.min(), let newest = stamps.max() else { return [] }
    let mark = StateMark(tasks: UInt64(state.items.count), digest: Digest(of: state.lines))
    var writer = RunWriter(
      ledger: ledger, digestBefore: .zero, common: CommonValues(of: events),
      zstd: try Zstd(), blockBytesTarget: target,
      span: StateSpan(
        horizon: UInt64(events.count), oldest: oldest, newest: newest))
    for task in Set(events.map(\.task)).sorted() {
      var baseline = TaskBaseline()
      for event in events where event.task == task { baseline.fold(event) }
      baseline.reduce()
      try writer.startTask(task)
      for var event in baseline.events {
        event.author = ""
        try writer.add(event)
      }
    }
    let ascends = zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 }
    _ = try writer.finish(digestAfter: TestRun.digest(of: events), ascends: ascends, mark: mark)
    return writer.drain()
  }

  static func open(_ bytes: [UInt8]) throws -> SealedRun {
    try SealedRun(
      MemorySource(bytes, path: "test.snapshot"), zstd: try Zstd(), kind: .snapshot)
  }
}
