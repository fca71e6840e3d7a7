import LedgerFormat
import Testing

@testable import TaskLedger

/// Real histories, taken in by every road there is, must give what is written down.
struct `Real histories` {
  /// Later than all of them.
  private static let now: Int64 = 1_900_000_000_000

  private static func bench(sealEvents: UInt64? = nil) throws -> TestLedger {
    let bench = try TestLedger(sealEvents: sealEvents)
    bench.setClock(now)
    return bench
  }

  private func expect(
    _ ledger: Ledger, is history: RealHistory, _ how: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let replay = try ledger.replay()
    #expect(replay.events == UInt64(history.events), "\(how)", sourceLocation: sourceLocation)
    #expect(replay.tasks == history.tasks, "\(how)", sourceLocation: sourceLocation)
    #expect(replay.digest == history.digest, "\(how)", sourceLocation: sourceLocation)
  }

  @Test(arguments: RealHistory.all, [nil, 100] as [UInt64?])
  func `come out exactly, unsealed, sealed and opened again`(
    history: RealHistory, sealEvents: UInt64?
  ) throws {
    let bench = try Self.bench(sealEvents: sealEvents)
    let ledger = try bench.open()
    let summary = try ledger.apply(try history.split)
    #expect(summary.errors.isEmpty)
    #expect(summary.lines == history.lines)
    #expect(summary.events == history.events)
    #expect(summary.unchanged == history.lines - history.events)
    try expect(ledger, is: history, "as applied")
    try expect(try bench.open(), is: history, "opened again")
    try ledger.sealNow()
    try expect(ledger, is: history, "sealed")
    try expect(try bench.open(), is: history, "sealed and opened again")
    #expect(try ledger.statistics().segments.dropLast().allSatisfy { $0.kind == "sealed" })
    let verified = try Ledger.verify(bench.directory)
    #expect(verified.isSound && verified.digest == history.digest)
  }

  @Test(arguments: RealHistory.all)
  func `come out exactly from two handles in turn`(history: RealHistory) throws {
    for longest in [40, 500] {
      let bench = try Self.bench(sealEvents: 150)
      var handles = [try bench.open(author: "one"), try bench.open(author: "two")]
      var random = SplitMix64(seed: UInt64(longest))
      var rest = try history.split[...]
      while !rest.isEmpty {
        let part = rest.prefix(1 + random.below(longest))
        rest = rest.dropFirst(part.count)
        try handles[0].apply(part)
        handles.swapAt(0, 1)
      }
      for handle in handles { try expect(handle, is: history, "parts of up to \(longest)") }
    }
  }

  @Test(arguments: RealHistory.all)
  func `come out exactly from two halves`(history: RealHistory) throws {
    let bench = try Self.bench()
    let lines = try history.split
    try bench.open(author: "one").apply(lines[..<(lines.count / 2)])
    let second = try bench.open(author: "two")
    try second.apply(lines[(lines.count / 2)...])
    try expect(second, is: history)
  }

  /// Every line gives its time, so a line acts on its own task only: tasks may be interleaved in any way, as long as
  /// each keeps the order of its lines.
  @Test(arguments: RealHistory.all)
  func `come out exactly when tasks are interleaved in another way`(history: RealHistory) throws {
    let lines = try history.split
    let byTask = Dictionary(grouping: lines) { try? ApplyLine($0).task }
    let tasks = byTask.keys.compactMap(\.self).sorted()
    var orders = [
      "task by task": tasks.flatMap { byTask[$0] ?? [] },
      "last task first": tasks.reversed().flatMap { byTask[$0] ?? [] },
    ]
    for seed in TestSettings.seeds(3) {
      var random = SplitMix64(seed: seed)
      var rest = tasks.compactMap { byTask[$0]?[...] }
      var order: [LineSplitter.Line] = []
      while !rest.isEmpty {
        let index = random.below(rest.count)
        order.append(rest[index].removeFirst())
        if rest[index].isEmpty { rest.remove(at: index) }
      }
      orders["interleaved with seed \(seed)"] = order
    }
    let applied = try Self.bench().open(author: "tester")
    try applied.apply(lines)
    for (how, order) in orders.sorted(by: { $0.key < $1.key }) {
      #expect(order.count == lines.count)
      let ledger = try Self.bench(sealEvents: 256).open(author: "tester")
      try ledger.apply(order)
      try expect(ledger, is: history, how)
      // What was known at a time is the same as well, and so is what each event changed.
      for place in [100, 300, 500] {
        let moment = Moment.time(try #require(try ApplyLine(lines[place]).time))
        #expect(
          try ledger.replay(at: moment).digest == applied.replay(at: moment).digest,
          "\(how), \(moment)")
      }
      for task in tasks.prefix(20) {
        #expect(
          try ledger.audit(task).map(\.changes) == applied.audit(task).map(\.changes),
          "\(how), \(task)")
      }
    }
  }

  @Test(arguments: RealHistory.all)
  func `are what the plain model makes of them, event by event`(history: RealHistory) throws {
    let bench = try Self.bench(sealEvents: 300)
    let ledger = try bench.open()
    try ledger.apply(try history.split)
    var model = PlainModel(replica: PlainText(try ledger.statistics().replica))
    model.apply(PlainLines.read(try history.bytes) { "none" }, now: Self.now)
    var events: [PlainEvent] = []
    var entries: [PlainText: [PlainModel.HistoryEntry]] = [:]
    try ledger.forEachEntry { entry in
      events.append(PlainEvent(entry.event))
      entries[PlainText(entry.event.task), default: []].append(.init(entry))
      return true
    }
    #expect(difference(events, model.events) == nil)
    for id in model.ids {
      #expect(difference(entries[id] ?? [], model.history(of: id)) == nil, "\(id)")
    }
    for number in stride(from: 0, through: history.events, by: 150) {
      let moment = PlainModel.Moment.sequence(number)
      #expect(
        try ledger.replay(at: moment.ofLedger).digest == model.digest(at: moment), "\(number)")
    }
  }
}
