import LedgerCore
import Testing

@testable import LedgerFormat

/// A snapshot instead of the events that it stands for.
@Suite struct `A snapshot` {
  /// A history, and runs of it, of which no end need be that of the snapshot.
  private func history(_ seed: UInt64) throws -> (events: [Event], runs: [SealedRun]) {
    var generator = SeededGenerator(seed: seed &* 31)
    var history = RandomHistory(seed: seed)
    let events = history.events(Int.random(in: 2...40, using: &generator))
    let size = Int.random(in: 1...events.count, using: &generator)
    let runs = try stride(from: 0, to: events.count, by: size).map { start in
      let end = min(events.count, start + size)
      return try TestRun.open(TestRun.bytes(Array(events[start..<end]), target: 60))
    }
    return (events, runs)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `and the events after it fold to what all events add up to, at every cut`(
    seed: UInt64
  ) throws {
    let (events, runs) = try history(seed)
    let times = Set(events.map(\.time)).sorted()
    for last in stride(from: 1, through: events.count, by: 3) {
      let bytes = try TestSnapshot.bytes(Array(events[..<last]), target: 60)
      let base = try TestSnapshot.open(bytes)
      let cuts =
        [FoldCut.present] + (last...events.count).map { .sequence(UInt64($0)) }
        + times.map(FoldCut.time)
      for cut in cuts where cut.includesAll(of: base.footer) {
        let state = try RunMerge.fold(runs, onto: base, cut: cut)
        let difference = PlainState(events, cut).difference(from: state)
        #expect(difference == nil, "a snapshot of \(last) of \(events.count), \(cut)")
      }
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `holds of each task what a late event needs`(seed: UInt64) throws {
    let (events, _) = try history(seed)
    let base = try TestSnapshot.open(TestSnapshot.bytes(events, target: 60))
    let zstd = try Zstd()
    for task in Set(events.map(\.task)) {
      let whole = TaskState(events.filter { $0.task == task })
      let kept = TaskState(try base.events(of: task, zstd: zstd))
      #expect(kept == whole, "\(task)")
    }
  }

  @Test func `of more tasks than are asked for is read no further than it must be`() throws {
    var style = RandomHistory.Style()
    style.tasks = 12
    var history = RandomHistory(seed: 5, style: style)
    let events = history.events(120)
    let base = try TestSnapshot.open(TestSnapshot.bytes(events, target: 1))
    let walk = try FoldWalk([], onto: base)
    let first = try walk.next(2)
    #expect(!walk.isAtEnd && first.count <= 2)
    #expect(first.eventCount < UInt64(events.count))
    let rest = try walk.next()
    #expect(walk.isAtEnd)
    let all = PlainState(events).items
    #expect((0..<first.count).map(first.item(at:)) + (0..<rest.count).map(rest.item(at:)) == all)
  }

  @Test func `that is damaged in any byte or cut anywhere never folds to another state`() throws {
    var style = RandomHistory.Style()
    style.tasks = 3
    style.names = [.body, .isCompleted, FieldName(unchecked: "due")]
    var history = RandomHistory(seed: 12, style: style)
    let events = history.events(12)
    let bytes = try TestSnapshot.bytes(events, target: 20)
    let zstd = try Zstd()
    refusedWhenDamaged(bytes) { damaged in
      let run = try SealedRun(MemorySource(damaged), zstd: zstd, kind: .snapshot)
      _ = try run.clocks(zstd: zstd)
      try run.forEachEvent(zstd: zstd) { _ throws(LedgerError) in }
    }
    for bit in 0..<8 * bytes.count {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      let run = try? SealedRun(MemorySource(damaged), zstd: zstd, kind: .snapshot)
      guard let run, let state = try? RunMerge.fold([], onto: run) else { continue }
      #expect(PlainState(events).difference(from: state) == nil, "bit \(bit)")
    }
  }

  @Test func `is no sealed segment, nor the other way round`() throws {
    var history = RandomHistory(seed: 3)
    let events = history.events(10)
    let sealed = #expect(throws: LedgerError.self) {
      try TestRun.open(TestSnapshot.bytes(events))
    }
    #expect(sealed?.sentence == "expected a sealed segment, found a snapshot")
    let snapshot = #expect(throws: LedgerError.self) {
      try TestSnapshot.open(TestRun.bytes(events))
    }
    #expect(snapshot?.sentence == "expected a snapshot, found a sealed segment")
  }

  @Test func `claims no counts that are impossible`() throws {
    var history = RandomHistory(seed: 4)
    let events = history.events(10)
    let bytes = try TestSnapshot.bytes(events)
    let honest = try TestSnapshot.open(bytes).footer
    func refuse(_ change: (inout RunFooter) -> Void) throws {
      var footer = honest
      change(&footer)
      let header = Array(bytes[..<FileHeader.byteCount])
      let start = Int(honest.index.offset + honest.index.storedLength)
      let forged = bytes[..<start] + footer.encode(after: header)
      #expect(throws: LedgerError.self) { try TestSnapshot.open(Array(forged)) }
    }
    try refuse { $0.horizon = 0 }
    try refuse { $0.horizon = UInt64(Int64.max) }
    try refuse { $0.eventCount = $0.lastSequence + 1 }
    try refuse { $0.firstSequence = 2 }
    try refuse { $0.taskCount = $0.eventCount + 1 }
    try refuse { $0.state?.tasks = $0.taskCount + 1 }
    try refuse { $0.state?.tasks = .max }
    try refuse { swap(&$0.oldest, &$0.newest) }
    try refuse { $0.index.storedLength = .max }
    try refuse { $0.tables.rawLength = .max }
  }
}
