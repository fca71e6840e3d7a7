import Testing

@testable import TaskLedger

/// The list of live tasks is folded once and kept up to date, whoever writes.
struct `The live list` {
  static let seeds = TestSettings.seeds(6)

  @Test(arguments: seeds)
  func `stays right while other handles write`(seed: UInt64) throws {
    let bench = try TestLedger(sealEvents: [7, nil, 30][Int(seed % 3)])
    let readers = [try bench.open(), try bench.open(), try bench.open()]
    let writers = [try bench.open(), readers[2]]
    var model = PlainModel()
    var random = SplitMix64(seed: seed)
    // The first reader looks after each step, the second now and then, after few events or after more than a live
    // list catches up with.
    for (index, step) in RandomStream(seed: seed, refusedPercent: 0)
      .prefix(TestSettings.steps(300)).enumerated()
    {
      bench.setClock(step.now)
      model.run(transaction: step.commands, now: step.now)
      try random.pick(writers).apply(try Lines.split(step.applyLines))
      try expect(readers[0], model, "seed \(seed), step \(index)")
      if random.chance(4) { try expect(readers[1], model, "seed \(seed), step \(index)") }
      if random.chance(8) { try expect(readers[2], model, "seed \(seed), step \(index)") }
      if random.chance(1) { try writers[0].sealNow() }
    }
    for reader in readers { try expect(reader, model, "seed \(seed), at the end") }
  }

  private func expect(_ ledger: Ledger, _ model: PlainModel, _ label: String) throws {
    let found = try ledger.tasks(TaskListOptions(includesDeleted: true))
    let expected = try #require(model.documents())
    #expect(difference(found.map(PlainModel.Document.init), expected) == nil, "\(label)")
    for id in model.ids {
      let item = try ledger.task(try TaskID(id.string))
      #expect(item.map(PlainModel.Document.init) == expected.first { $0.id == id }, "\(label)")
    }
  }

  @Test func `is folded anew when very many tasks changed`() throws {
    let ledger = try TestLedger().open()
    let ids = try (0..<10_050).map { try TaskID("task \($0)") }
    #expect(try ledger.tasks().isEmpty)
    for part in stride(from: 0, to: ids.count, by: 1000) {
      try ledger.transaction { transaction in
        for id in ids[part..<min(part + 1000, ids.count)] {
          try transaction.upsert(TaskItem(id: id))
        }
      }
      if part % 3000 == 0 { #expect(try ledger.tasks().count == min(part + 1000, ids.count)) }
    }
    try ledger.evict(ids[5])
    #expect(try ledger.tasks().count == ids.count - 1)
    #expect(try ledger.task(ids[5]) == nil)
    #expect(try ledger.task(ids[6]) != nil)
  }

  @Test func `is right for readers on other threads while writers are at work`() async throws {
    let ledger = try TestLedger(sealEvents: 40, sealsInBackground: true).open()
    let ids = try (0..<5).map { try TaskID("task \($0)") }
    for id in ids { try ledger.upsert(TaskItem(id: id)) }
    await withTaskGroup(of: Void.self) { group in
      for id in ids {
        group.addTask {
          do {
            for number in 1...60 {
              try ledger.update(id) { $0["n"] = .int(Int64(number)) }
              // Whoever wrote sees what was written.
              let seen = try ledger.tasks().first { $0.id == id }?["n"]
              #expect(seen == .int(Int64(number)), "\(id)")
            }
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    #expect(try ledger.tasks().allSatisfy { $0["n"] == 60 })
    ledger.finishBackgroundWork()
    let state = try ledger.replay()
    #expect(try ledger.tasks() == (0..<state.tasks).map { state.task(at: $0) })
  }
}
