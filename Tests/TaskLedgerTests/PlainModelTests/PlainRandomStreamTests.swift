import Testing

struct `Random streams in the plain model` {
  static let seeds = TestSettings.seeds(10)
  static let stepCount = TestSettings.steps(120)

  private func model(_ seed: UInt64) -> PlainModel {
    var model = PlainModel()
    for step in RandomStream(seed: seed).prefix(Self.stepCount) {
      model.run(transaction: step.commands, now: step.now)
    }
    return model
  }

  @Test(arguments: seeds)
  func `give the same documents in any order of arrival`(seed: UInt64) {
    let model = model(seed)
    let times = Set(model.events.map(\.stamp.time)).sorted()
    for shuffle in 1...4 as ClosedRange<UInt64> {
      let events = RandomStream.shuffled(model.events, seed: seed << 8 + shuffle)
      let other = PlainModel(arriving: events)
      #expect(other.text() == model.text(), "seed \(seed), shuffle \(shuffle)")
      for time in times.enumerated().filter({ $0.offset % 9 == 0 }).map(\.element) {
        #expect(
          other.digest(at: .time(time)) == model.digest(at: .time(time)),
          "seed \(seed), shuffle \(shuffle), time \(time)")
      }
      for id in model.ids {
        let old = { (model: PlainModel) in
          model.history(of: id).sorted { $0.stamp < $1.stamp }.map(\.changes)
        }
        #expect(old(other) == old(model), "seed \(seed), shuffle \(shuffle), task \(id)")
      }
    }
  }

  /// The state once more, as a definition and not as a fold.
  @Test(arguments: seeds)
  func `give what the definition of the state says`(seed: UInt64) {
    let model = model(seed)
    for id in model.ids {
      let events = model.events(of: id)
      let end = events.filter { $0.kind == .evict }.map(\.stamp).max()
      let life = events.filter { event in end.map { event.stamp > $0 } ?? true }
      let task = model.task(id)!
      #expect(task.exists == life.contains { $0.kind == .upsert }, "seed \(seed), task \(id)")
      for name in Set(events.flatMap { $0.changes.map(\.name) }) {
        let newest = life.filter { $0.change(of: name) != nil }.max { $0.stamp < $1.stamp }
        let value = newest?.change(of: name)?.value
        #expect(task.fields[name]?.value == value, "seed \(seed), task \(id), field \(name)")
      }
    }
  }

  @Test(arguments: seeds)
  func `mark as lost what the task did not hold when it arrived`(seed: UInt64) {
    let model = model(seed)
    for id in model.ids {
      for entry in model.history(of: id) {
        let task = model.task(id, at: .sequence(entry.sequence))!
        let lost = entry.event.changes.filter { change in
          change.value != nil && task.fields[change.name]?.stamp != entry.stamp
        }
        #expect(entry.lost == lost.map(\.name), "seed \(seed), event \(entry.sequence)")
      }
    }
  }

  @Test(arguments: seeds)
  func `mean the same when they are printed as lines and read again`(seed: UInt64) {
    var direct = PlainModel()
    var read = PlainModel()
    for step in RandomStream(seed: seed, refusedPercent: 15).prefix(Self.stepCount) {
      let text = step.applyLines.joined(separator: "\n")
      let lines = PlainLines.read(Array(text.utf8)) { "new" }
      let outcome = direct.run(transaction: step.commands, now: step.now)
      let applied = read.apply(lines, now: step.now)
      let isRefused = if case .refused = outcome { true } else { false }
      #expect(applied.badLines.isEmpty == !isRefused, "seed \(seed): \(text)")
      let isSame = direct.events.elementsEqual(read.events) {
        $0.stamp == $1.stamp && $0.kind == $1.kind && $0.changes == $1.changes
          && $0.author == $1.author && $0.message == $1.message && $0.transaction == $1.transaction
      }
      // One step in which they part is enough to see.
      guard isSame else {
        Issue.record("seed \(seed), \(outcome), \(applied): \(text)")
        return
      }
    }
    #expect(direct.digest() == read.digest(), "seed \(seed)")
  }

  @Test(arguments: seeds)
  func `make two ledgers that exchange events agree, evicts apart`(seed: UInt64) {
    var one = PlainModel(replica: "one")
    var two = PlainModel(replica: "two")
    for (index, step) in RandomStream(seed: seed).prefix(Self.stepCount).enumerated() {
      let commands = step.commands.filter { $0.kind != .evict }
      if index % 3 == 0 {
        one.run(transaction: commands, now: step.now)
      } else {
        two.run(transaction: commands, now: step.now - 500)
      }
      if index % 7 == 0 { one.receive(two.events) }
      if index % 11 == 0 { two.receive(one.events) }
    }
    one.receive(two.events)
    two.receive(one.events)
    #expect(one.text() == two.text(), "seed \(seed)")
    #expect(Set(one.events.map(\.stamp)).count == one.events.count, "seed \(seed)")
  }

  @Test func `meet every nasty case`() {
    var met: [String: Int] = [:]
    for seed in 1...15 as ClosedRange<UInt64> {
      var model = PlainModel()
      for step in RandomStream(seed: seed).prefix(120) {
        switch model.run(transaction: step.commands, now: step.now) {
        case .refused(_, let refusal): met["refused: \(refusal)", default: 0] += 1
        case .done(let outcomes):
          met["nothing", default: 0] += outcomes.count { $0 == .nothing }
          if outcomes.count > 1 { met["long transaction", default: 0] += 1 }
        }
        for task in Set(step.commands.map(\.task)).compactMap({ model.task($0) }) {
          if !task.exists && !task.fields.isEmpty { met["orphaned fields", default: 0] += 1 }
          if task.fields.keys.contains(where: task.isHidden) { met["hidden", default: 0] += 1 }
        }
      }
      for id in model.ids {
        let history = model.history(of: id)
        for entry in history {
          if !entry.lost.isEmpty { met["lost", default: 0] += 1 }
          let isLate = history.contains {
            $0.sequence < entry.sequence && $0.stamp > entry.stamp
          }
          if isLate { met["late \(entry.kind)", default: 0] += 1 }
          if entry.changes.contains(where: { $0.new == nil && $0.old != nil }) {
            met["unset", default: 0] += 1
          }
        }
      }
    }
    let wanted = [
      "nothing", "long transaction", "orphaned fields", "hidden", "lost", "unset", "late upsert",
      "late update", "late toggle", "late delete", "late evict", "refused: taskID",
      "refused: fieldName", "refused: fieldTwice", "refused: idIsFixed", "refused: typeIsFixed",
      "refused: value", "refused: future", "refused: noTask",
    ]
    for name in wanted { #expect(met[name, default: 0] >= 5, "\(name) in \(met)") }
  }
}
