import LedgerFormat
import Testing

@testable import TaskLedger

/// Thousands of commands on hundreds of tasks, many of them late, taken in by large parts: here tasks are read
/// together, histories are kept, and the hottest task has many events.
struct `A few thousand events` {
  @Test(arguments: TestSettings.seeds(2))
  func `come out as the plain model says, by two handles in turn`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, refusedPercent: 0, taskCount: 200)
    let steps = (0..<TestSettings.steps(2500)).compactMap { _ in stream.next() }
    let now = try #require(steps.map(\.now).max())
    let bench = try TestLedger(sealEvents: seed % 2 == 0 ? 700 : 250)
    bench.setClock(now)
    var handles = [try bench.open(author: "model"), try bench.open(author: "model")]
    var model = PlainModel(replica: PlainText(try handles[0].statistics().replica))
    var random = SplitMix64(seed: seed)
    var rest = steps[...]
    while !rest.isEmpty {
      let part = rest.prefix(1 + random.below(600))
      rest = rest.dropFirst(part.count)
      let lines = part.flatMap(\.applyLines)
      let read = PlainLines.read(Array(lines.joined(separator: "\n").utf8)) { "new" }
      let expected = model.apply(read, now: now, continuing: true)
      let summary = try handles[0].apply(try Lines.split(lines), continues: true)
      #expect(summary.lines == expected.linesIn, "seed \(seed)")
      #expect(summary.events == expected.events, "seed \(seed)")
      #expect(summary.unchanged == expected.linesWithoutChange, "seed \(seed)")
      #expect(try handles[0].replay().digest == model.digest(), "seed \(seed)")
      handles.swapAt(0, 1)
    }
    try expectSameHistories(handles[0], model, "seed \(seed)")
    for number in stride(from: 0, through: model.events.count, by: 400) {
      let moment = PlainModel.Moment.sequence(number)
      #expect(
        try handles[1].replay(at: moment.ofLedger).digest == model.digest(at: moment),
        "seed \(seed), \(number)")
    }
    for event in random.shuffle(model.events).prefix(5) {
      let moment = PlainModel.Moment.time(event.stamp.time)
      #expect(
        try handles[1].replay(at: moment.ofLedger).digest == model.digest(at: moment),
        "seed \(seed), \(moment)")
    }
  }

  private func expectSameHistories(
    _ ledger: Ledger, _ model: PlainModel, _ label: String
  ) throws {
    var entries: [PlainText: [PlainModel.HistoryEntry]] = [:]
    try ledger.forEachEntry { entry in
      entries[PlainText(entry.event.task), default: []].append(.init(entry))
      return true
    }
    for id in model.ids {
      // The model has no author where none was given, and keeps an empty message.
      let expected = model.history(of: id)
      let found = entries[id] ?? []
      #expect(difference(found.map(\.stamp), expected.map(\.stamp)) == nil, "\(label), \(id)")
      #expect(difference(found.map(\.changes), expected.map(\.changes)) == nil, "\(label), \(id)")
      #expect(difference(found.map(\.lost), expected.map(\.lost)) == nil, "\(label), \(id)")
    }
  }
}
