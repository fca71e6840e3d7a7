import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `A sealed segment` {
  @Test(arguments: 1...120 as ClosedRange<UInt64>)
  func `gives its events back as they were`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &* 31)
    var style = RandomHistory.Style.random(using: &generator)
    style.firstSequence = [1, 77, UInt64(Int64.max) - 1000].randomElement(using: &generator) ?? 1
    var history = RandomHistory(seed: seed, style: style)
    let events = history.events(Int.random(in: 1...60, using: &generator))
    for target in [1, 100, RunWriter.blockBytesTarget] {
      let run = try TestRun.open(TestRun.bytes(events, target: target))
      #expect(try TestRun.events(of: run) == events)
      try expectFooter(of: run, events)
      try expectHistories(of: run, events)
    }
  }

  private func expectFooter(of run: SealedRun, _ events: [Event]) throws {
    let footer = run.footer
    #expect(footer.ledger == TestRun.ledger)
    #expect(footer.firstSequence == events.first?.sequence)
    #expect(footer.lastSequence == events.last?.sequence)
    #expect(footer.eventCount == UInt64(events.count))
    #expect(footer.taskCount == UInt64(Set(events.map(\.task)).count))
    #expect(footer.oldest == events.map(\.stamp).min())
    #expect(footer.newest == events.map(\.stamp).max())
    #expect(footer.digestAfter == TestRun.digest(of: events))
  }

  private func expectHistories(of run: SealedRun, _ events: [Event]) throws {
    let zstd = try Zstd()
    for task in Set(events.map(\.task)) {
      let history = events.filter { $0.task == task }
      #expect(try run.events(of: task, zstd: zstd) == history)
      #expect(try run.lastSequence(of: task, zstd: zstd) == history.last?.sequence)
    }
    for absent in ["!", "~", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "\u{10ffff}"] as [TaskID]
    where !events.contains(where: { $0.task == absent }) {
      #expect(try run.events(of: absent, zstd: zstd).isEmpty)
      #expect(try run.lastSequence(of: absent, zstd: zstd) == nil)
    }
    let ids = Set(events.map(\.task)).sorted()
    let some = ids.enumerated().filter { !$0.offset.isMultiple(of: 3) }.map(\.element)
    let wanted = Set(some)
    #expect(
      try run.events(of: some, zstd: zstd)
        == Dictionary(grouping: events.filter { wanted.contains($0.task) }, by: \.task))
    #expect(try run.ids(startingWith: "", limit: .max, zstd: zstd) == ids)
    if let last = ids.last {
      #expect(try run.ids(startingWith: last.text, limit: 1, zstd: zstd) == [last])
    }
  }

  private func event(_ sequence: UInt64, _ task: TaskID, _ changes: [FieldChange]) -> Event {
    let time = LedgerTime(unchecked: Int64(sequence))
    return Event(
      sequence: sequence,
      stamp: Stamp(time: time, replica: ReplicaID(high: 0, low: 1), count: sequence),
      kind: .upsert, task: task, changes: changes, author: "ann", transaction: sequence,
      endsTransaction: true, recorded: time)
  }

  @Test func `of a task with a long history has it in several blocks`() throws {
    let events = (1...400 as ClosedRange<UInt64>).map { sequence in
      event(
        sequence, sequence % 20 == 0 ? "a" : sequence % 21 == 0 ? "z" : "hot",
        [FieldChange(.body, .text("\(sequence)"))])
    }
    let run = try TestRun.open(TestRun.bytes(events, target: 200))
    #expect(run.index.entries.filter(\.continues).count > 3)
    #expect(try TestRun.events(of: run) == events)
    try expectHistories(of: run, events)
    try expectSameState([run], events)
    try expectSameState([run], events, .sequence(200))
  }

  @Test func `holds the largest values`() throws {
    let huge = Value.text(String(repeating: "x\u{e9}", count: 349_525))
    let events = (1...4 as ClosedRange<UInt64>).map { sequence in
      event(
        sequence, "milk",
        [
          FieldChange(.body, huge),
          FieldChange(FieldName(unchecked: "deep"), RandomValue.nested(32)),
        ])
    }
    let run = try TestRun.open(TestRun.bytes(events))
    #expect(try TestRun.events(of: run) == events)
    try expectSameState([run], events)
  }

  @Test func `holds the largest event in one block`() throws {
    let half = Value.array([Value](repeating: .double(0.5), count: 262_143))
    let names = ["a", "b", "c"].map { FieldName(unchecked: $0) }
    let largest = event(1, "milk", names.map { FieldChange($0, half) })
    #expect(largest.canonicalSize < Limits.eventBytesMax)
    let run = try TestRun.open(TestRun.bytes([largest]))
    #expect(run.index.entries[0].rawLength > 7_000_000)
    #expect(try TestRun.events(of: run) == [largest])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `of the same events has the same bytes`(seed: UInt64) throws {
    var history = RandomHistory(seed: seed)
    let events = history.events(80)
    let bytes = try TestRun.bytes(events)
    for _ in 0..<3 { #expect(try TestRun.bytes(events) == bytes) }
  }

  @Test func `can be drained while it is written`() throws {
    var history = RandomHistory(seed: 5)
    let events = history.events(60)
    let whole = try TestRun.bytes(events, target: 64)
    var writer = RunWriter(
      ledger: TestRun.ledger, digestBefore: .zero, common: CommonValues(of: events),
      zstd: try Zstd(), blockBytesTarget: 64)
    var bytes: [UInt8] = []
    var task: TaskID?
    for event in events.sorted(by: { ($0.task, $0.sequence) < ($1.task, $1.sequence) }) {
      if event.task != task { try writer.startTask(event.task) }
      task = event.task
      try writer.add(event)
      bytes += writer.drain()
    }
    let ascends = zip(events, events.dropFirst()).allSatisfy { $0.stamp < $1.stamp }
    let footer = try writer.finish(digestAfter: TestRun.digest(of: events), ascends: ascends)
    bytes += writer.drain()
    #expect(bytes == whole)
    #expect(try TestRun.open(bytes).footer == footer)
  }

  @Test func `shares messages among its events, and no more of them than fit in memory`() throws {
    let shared = (0..<3).map { "\($0)" + String(repeating: "m", count: 3 << 20) }
    let rare = (3..<8).map { "\($0)" + String(repeating: "m", count: 3 << 20) }
    let messages = (shared + shared + shared + rare + rare)
    let events = messages.enumerated().map { place, message in
      var event = event(UInt64(place) + 1, "milk", [])
      event.message = message
      return event
    }
    let run = try TestRun.open(TestRun.bytes(events))
    let table = try run.tables().messages
    #expect(table.count == 5 && table.prefix(3) == shared[...])
    #expect(try TestRun.events(of: run) == events)
  }

  @Test func `that nobody could read is not written`() throws {
    let wide = event(
      1, "milk",
      (0..<20).map { number in
        FieldChange(
          FieldName(unchecked: "f\(10 + number)"), .text(String(repeating: "x", count: 1 << 20)))
      })
    #expect(
      refused(.invalid) { try TestRun.bytes([wide]) }
        == "a block of a sealed segment has 20971612 bytes, expected at most 16777216")
  }
}
