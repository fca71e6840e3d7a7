import LedgerTestSupport
import TaskLedger
import Testing

/// What holds of every repaired ledger.
extension RepairBench {
  /// Repairs, and expects that all is well then.
  ///
  /// - Returns: what was done, and the events that are left.
  @discardableResult
  func expectRepaired(
    _ disk: TestDisk, _ context: Comment, goesOn: Bool = true
  ) throws -> (repair: Repair, left: [Event]) {
    let before = disk.files
    let found = try disk.verify()
    let plan = try Ledger.repairPlan(disk.faults, configuration)
    #expect((disk.files == before), context)
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.steps.map(\.file) == plan.steps.map(\.file), context)
    #expect(repair.steps.map(\.aside) == plan.steps.map(\.aside), context)
    #expect(repair.lost == plan.lost, context)
    var gone = found.lost
    gone.formUnion(found.doubtful)
    #expect(repair.lost == gone, context)
    let after = try disk.verify()
    #expect(after.isSound && after.digest != nil, context)
    #expect(after.lostBefore == gone && after.lost.isEmpty && after.doubtful.isEmpty, context)
    // With the manifest the names of the snapshots may be lost.
    let words: Set =
      repair.steps.contains { $0.part == .manifest(from: nil) }
      ? ["sound", "unneeded"] : ["sound"]
    #expect(after.files.allSatisfy { words.contains($0.status.word) }, context)
    let last = repair.uncertainAfter ?? .max
    let left = events.filter { !gone.contains($0.sequence) && $0.sequence <= last }
    let ledger = try disk.open(configuration: configuration)
    let horizon: UInt64 = files.keys.contains { $0.hasSuffix(".baseline") } ? 6 : 0
    #expect(
      try LedgerCheck.allEvents(of: ledger) == left.filter { $0.sequence > horizon }, context)
    #expect(try ledger.lostEvents == gone, context)
    #expect(try ledger.lossUncertainAfter == repair.uncertainAfter, context)
    try expectRecord(ledger, repair, context)
    if goesOn { try expectGoesOn(disk, repair, context) }
    return (repair, left)
  }

  private func expectRecord(_ ledger: Ledger, _ repair: Repair, _ context: Comment) throws {
    let records = try ledger.statistics().maintenance.filter { $0.kind == "repaired" }
    #expect(records.count == repair.steps.count, context)
    for (record, step) in zip(records, repair.steps) {
      let details = Dictionary(uniqueKeysWithValues: record.details.map { ($0.name, $0.value) })
      #expect(details["file"] == step.file && details["aside"] == step.aside, context)
      #expect(details["sha256"] == step.digest, context)
      #expect(
        details["lostEvents"] == (step.lost.isEmpty ? nil : step.lostEvents.map { String($0) }),
        context)
    }
  }

  /// The repaired ledger has nothing to repair, takes changes, seals, merges and makes snapshots as any other.
  private func expectGoesOn(
    _ disk: TestDisk, _ repair: Repair, _ context: Comment
  ) throws {
    let copy = disk.processKilled()
    let filesBefore = copy.files
    #expect(try copy.repair(configuration: configuration).steps.isEmpty, context)
    #expect((copy.files == filesBefore), context)
    let ledger = try copy.open(configuration: configuration)
    let last = try ledger.lastSequence
    if repair.uncertainAfter == nil {
      #expect(last == events[events.count - 1].sequence, context)
    }
    let lost = try ledger.lostEvents
    for number in 1...7 {
      try ledger.upsert(TaskItem(id: TaskID("new \(number)"), body: "After the repair"))
    }
    _ = try ledger.snapshot()
    _ = try ledger.compact()
    let all = try LedgerCheck.allEvents(of: ledger)
    #expect(all.suffix(7).map(\.sequence) == (last + 1...last + 7).map { $0 }, context)
    let stamps = all.map(\.stamp)
    #expect(Set(stamps).count == stamps.count, context)
    #expect(stamps.suffix(7).allSatisfy { $0 >= (stamps.dropLast(7).max() ?? $0) }, context)
    #expect(try ledger.lostEvents == lost, context)
    let replay = try ledger.replay(comparesSnapshot: true)
    #expect(replay.comparison?.agrees == true, context)
    #expect(try copy.verify().isSound, context)
  }
}
