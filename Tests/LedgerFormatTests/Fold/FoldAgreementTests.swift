import LedgerCore
import Testing

@testable import LedgerFormat

/// The fast fold over runs against the plain one over events.
@Suite struct `Folding runs` {
  /// A random history in one to eight runs, whose blocks are small enough for tasks to go on from one to the next.
  private func history(_ seed: UInt64) throws -> (runs: [SealedRun], events: [Event]) {
    var generator = SeededGenerator(seed: seed &* 977)
    var history = RandomHistory(seed: seed)
    let events = history.events(Int.random(in: 1...50, using: &generator))
    let target = [1, 40, 200, RunWriter.blockBytesTarget].randomElement(using: &generator) ?? 1
    let parts = Int.random(in: 1...min(8, events.count), using: &generator)
    let ends = Set((1..<events.count).shuffled(using: &generator).prefix(parts - 1)).sorted()
    var runs: [SealedRun] = []
    for (start, end) in zip([0] + ends, ends + [events.count]) {
      runs.append(try TestRun.open(TestRun.bytes(Array(events[start..<end]), target: target)))
    }
    return (runs, events)
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func `gives what the events add up to, at every cut`(seed: UInt64) throws {
    let (runs, events) = try history(seed)
    try expectSameState(runs, events)
    for last in 0...events.count + 1 {
      try expectSameState(runs, events, .sequence(UInt64(last)))
    }
    try expectSameState(runs, events, .sequence(.max))
    for time in Set(events.map(\.time.milliseconds)).sorted() {
      for moment in [time - 1, time] {
        try expectSameState(runs, events, .time(LedgerTime(unchecked: moment)))
      }
    }
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `in two halves gives the same, wherever they meet`(seed: UInt64) throws {
    let (runs, events) = try history(seed)
    let middles = Set(events.map(\.task) + ["!", "~~~"]).sorted().map { TaskKey($0) }
    let snapshot = try TestSnapshot.open(
      TestSnapshot.bytes(Array(events[..<(events.count / 2 + 1)]), target: 40))
    for cut in [FoldCut.present, .sequence(UInt64(events.count * 3 / 4))] {
      let whole = try RunMerge.fold(runs, cut: cut)
      for middle in middles {
        for base in [nil, snapshot] where cut == .present || base == nil {
          let halves = try RunMerge.fold(runs, onto: base, cut: cut, splitAt: middle)
          #expect(halves.digest() == whole.digest(), "\(middle.id) \(cut)")
          #expect(halves.count == whole.count)
          #expect(halves.eventCount == whole.eventCount)
        }
      }
    }
  }

  @Test func `in two halves reports damage in either`() throws {
    var style = RandomHistory.Style()
    style.tasks = 12
    var history = RandomHistory(seed: 3, style: style)
    let events = history.events(60)
    let bytes = try TestRun.bytes(events, target: 40)
    let run = try TestRun.open(bytes)
    let middle = run.index.entries[run.index.entries.count / 2].firstKey
    for entry in run.index.entries {
      var damaged = bytes
      damaged[Int(entry.offset)] ^= 1
      let found = try TestRun.open(damaged)
      #expect(throws: LedgerError.self) { try RunMerge.fold([found], splitAt: middle) }
    }
  }

  @Test func `of no runs gives no tasks`() throws {
    try expectSameState([], [])
    try expectSameState([], [], .sequence(0))
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `of one replica trusts no order of arrival among events of one time`(seed: UInt64) throws {
    var style = RandomHistory.Style()
    style.replicas = 1
    style.moments = 2
    style.tasks = 2
    var history = RandomHistory(seed: seed, style: style)
    let events = history.events(24)
    for size in [24, 8, 1] {
      let runs = try stride(from: 0, to: events.count, by: size).map { start in
        try TestRun.open(TestRun.bytes(Array(events[start..<start + size])))
      }
      try expectSameState(runs, events)
    }
  }

  @Test func `of one replica whose later run has the smaller counts obeys the counts`() throws {
    func event(_ sequence: UInt64, count: UInt64, _ body: String) -> Event {
      let stamp = Stamp(
        time: LedgerTime(unchecked: 5), replica: ReplicaID(high: 0, low: 1), count: count)
      return Event(
        sequence: sequence, stamp: stamp, kind: .upsert, task: "milk",
        changes: [FieldChange(.body, .text(body))], author: "ann", transaction: sequence,
        endsTransaction: true, recorded: stamp.time)
    }
    let events = [event(1, count: 8, "late"), event(2, count: 3, "early")]
    let runs = try events.map { try TestRun.open(TestRun.bytes([$0])) }
    try expectSameState(runs, events)
    #expect(try RunMerge.fold(runs).item(at: 0).body == "late")
  }

  @Test func `says how far it is`() throws {
    var style = RandomHistory.Style()
    style.names = [.body]
    var history = RandomHistory(seed: 1, style: style)
    let events = history.events(300)
    let runs = try stride(from: 0, to: 300, by: 100).map { start in
      try TestRun.open(TestRun.bytes(Array(events[start..<start + 100])))
    }
    var told: [UInt64] = []
    _ = try RunMerge.fold(runs) { told.append($0) }
    #expect(told.isEmpty, "fewer than 2^17 events are no news")
  }
}
