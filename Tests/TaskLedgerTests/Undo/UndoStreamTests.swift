import LedgerFormat
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Undo and redo over random histories of several authors.
@Suite struct `Undo over random histories` {
  @Test(arguments: TestSettings.seeds(16))
  func `leaves what the changes in effect add up to, in every handle`(seed: UInt64) throws {
    var pair = try UndoBesideModel(seed: seed)
    for _ in 0..<TestSettings.steps(90) { try pair.step() }
    try pair.goBack()
    try pair.finish()
  }

  @Test(arguments: TestSettings.seeds(16))
  func `leaves what the changes in effect add up to, whatever came late`(seed: UInt64) throws {
    var pair = try UndoBesideModel(seed: seed, isLate: true)
    for _ in 0..<TestSettings.steps(90) { try pair.step() }
    try pair.goBack()
    try pair.finish()
  }

  @Test func `meets every answer`() throws {
    var met: [String: Int] = [:]
    for seed in 101...108 as ClosedRange<UInt64> {
      var pair = try UndoBesideModel(seed: seed, isLate: seed % 2 == 0)
      for _ in 0..<TestSettings.steps(90) { try pair.step() }
      met.merge(pair.met) { $0 + $1 }
    }
    for verb in ["undo", "redo"] {
      for answer in ["done", "refused", "nothing"] {
        #expect(met["\(verb) \(answer)"] ?? 0 > 0, "\(verb) \(answer): \(met)")
      }
    }
    #expect(met["late"] ?? 0 > 0)
  }

  /// Late events included: what is undone is a set of events, whatever the order in which they came.
  @Test(arguments: TestSettings.seeds(8))
  func `goes back to any moment`(seed: UInt64) throws {
    var pair = try SideBySide(seed: seed, sealEvents: seed % 2 == 0 ? 6 : nil, handles: 1)
    for step in RandomStream(seed: seed).prefix(30) { try pair.take(step) }
    let last = try pair.handles[0].lastSequence
    var moments: [Moment] = stride(from: 0, through: last, by: 5).map { .sequence($0) }
    try pair.handles[0].forEachEvent { event in
      if event.sequence % 7 == 0 { moments.append(.time(event.time)) }
      return true
    }
    for moment in moments {
      let copy = try Ledger(
        pair.bench.directory.copy(), author: "ann", configuration: pair.bench.configuration)
      try expectSame(copy, asAt: moment, "seed \(seed), \(moment)")
    }
  }

  private func expectSame(_ ledger: Ledger, asAt moment: Moment, _ label: String) throws {
    let options = TaskListOptions(includesDeleted: true)
    let expected = try ledger.at(moment).tasks(options)
    let before = try ledger.replay().digest
    var isDone = true
    do {
      try ledger.undo(.moment(moment))
    } catch let error as LedgerError where error.code == .nothingToUndo {
      isDone = false
    }
    var found = try ledger.tasks(options)
    // What did not exist then is deleted now.
    found.removeAll { task in task.isDeleted && !expected.contains { $0.id == task.id } }
    let story = found == expected ? "" : try story(of: found, expected, ledger)
    #expect(found == expected, "\(label)\n\(story)")
    if isDone { try ledger.redo() }
    #expect(try ledger.replay().digest == before, "\(label): redo")
  }

  /// What was done to the tasks that differ, for people.
  private func story(_ ledger: Ledger, _ id: TaskID) throws -> String {
    let lines = try ledger.audit(id).map { entry in
      let undoes = entry.event.undoes.map { " undoes \($0)" } ?? ""
      return
        "\(entry.sequence) \(entry.time) \(entry.kind)\(undoes) \(entry.changes.map(\.description))"
    }
    return "\(id):\n" + lines.joined(separator: "\n")
  }

  private func story(
    of found: [TaskItem], _ expected: [TaskItem], _ ledger: Ledger
  ) throws -> String {
    let ids = Set((found + expected).map(\.id)).filter { id in
      found.first { $0.id == id } != expected.first { $0.id == id }
    }
    return try ids.map { try story(ledger, $0) }.joined(separator: "\n")
  }
}
