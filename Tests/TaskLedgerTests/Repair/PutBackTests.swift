import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// `cp -r old/. ledger/`: CURRENT names an older list again, and the newer one lies beside it.
@Suite struct `A copy that was put back over a newer ledger` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3)
  /// The newer ledger, of eleven events.
  private let newer: TestDisk
  private let events: [Event]
  /// A copy of it after each event.
  private let copies: [TestDisk]

  init() throws {
    newer = TestDisk()
    let ledger = try newer.create(configuration: configuration)
    var copies = [newer.processKilled()]
    for number in 1...11 {
      try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
      copies.append(newer.processKilled())
    }
    self.copies = copies
    events = try LedgerCheck.allEvents(of: ledger)
  }

  private func put(_ copy: TestDisk, over disk: TestDisk) throws {
    for (file, bytes) in copy.files { try disk.overwrite(file, with: bytes) }
  }

  /// The newer ledger under a copy that was written to by itself before it was put back.
  ///
  /// - Parameters:
  ///   - count: after so many events it was copied.
  ///   - more: so many were appended to the copy.
  private func twoSides(_ count: Int, more: Int) throws -> (disk: TestDisk, copy: [Event]) {
    let other = copies[count].processKilled()
    let ledger = try other.open(configuration: configuration)
    for number in 1...more {
      try ledger.upsert(TaskItem(id: TaskID("other \(number)"), body: "Another \(number)"))
    }
    let disk = newer.processKilled()
    try put(other, over: disk)
    return (disk, try LedgerCheck.allEvents(of: ledger))
  }

  @Test(arguments: [true, false])
  func `takes no event and gives no answer, and the repair goes on from the newer list`(
    _ hasLock: Bool
  ) throws {
    var refused = 0
    for (count, copy) in copies.enumerated() where copy.files["CURRENT"] != newer.files["CURRENT"] {
      let context: Comment = "a copy of \(count) events"
      let disk = newer.processKilled()
      let open = try disk.open(configuration: configuration)
      try open.toggle("task 1")
      try put(copy, over: disk)
      if !hasLock { try disk.remove("LOCK") }
      let before = disk.lastingFiles
      for _ in 1...2 {
        let error = #expect(throws: LedgerError.self, context) {
          try disk.open(configuration: configuration)
        }
        #expect(error?.code == .damaged, context)
        #expect(error?.hint?.contains("`ledger repair`") == true, context)
        let running = #expect(throws: LedgerError.self, context) { try open.toggle("task 1") }
        #expect(running?.code == .damaged, context)
      }
      #expect(disk.holds(before), context)
      refused += 1
      #expect(try !disk.verify().isSound, context)
      let repair = try disk.repair(configuration: configuration)
      #expect(repair.lost.isEmpty && repair.droppedEvents == 0, context)
      let ledger = try disk.open(configuration: configuration)
      #expect(try LedgerCheck.allEvents(of: ledger).starts(with: events), context)
      try ledger.toggle("task 1")
      #expect(try disk.verify().isSound, context)
    }
    #expect(refused > 5)
  }

  @Test(arguments: [1, 5, 8])
  func `and written to has two histories: the longer one counts, and the other is named`(
    _ count: Int
  ) throws {
    for more in stride(from: 1, through: 13 - count, by: 2) {
      let context: Comment = "a copy of \(count) events, and \(more) more"
      let (disk, copy) = try twoSides(count, more: more)
      let found = try disk.verify()
      #expect(!found.isSound, context)
      #expect(found.files.first { $0.fault != nil }?.name == "CURRENT", context)
      let named = found.files.filter { $0.status.word == "unlisted" }.compactMap(\.sequences)
      #expect(named.contains { $0.upperBound > count }, context)
      let error = #expect(throws: LedgerError.self, context) {
        try disk.open(configuration: configuration).toggle("task 1")
      }
      #expect(error?.code == .damaged, context)
      let before = disk.files
      _ = try? Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).removeUnneededFiles()
      _ = try? disk.open(configuration: configuration).compact()
      let after = Set(disk.files.values)
      for (file, bytes) in before where file.hasPrefix("segments/") {
        #expect(after.contains(bytes), "\(file), \(context)")
      }
      let (kept, dropped) = copy.count < events.count ? (events, copy) : (copy, events)
      let plan = try Ledger.repairPlan(disk.faults, configuration)
      let isTie = copy.count == events.count
      let repair = try disk.repair(configuration: configuration)
      let gone = SequenceRanges(UInt64(count + 1)...UInt64(dropped.count))
      #expect(repair.dropped == gone && plan.dropped == gone, context)
      #expect(repair.droppedEvents == gone.count, context)
      #expect(repair.lost.isEmpty && repair.uncertainAfter == nil, context)
      try expectKept(repair, of: before, in: disk, context)
      let ledger = try disk.open(configuration: configuration)
      let left = try LedgerCheck.allEvents(of: ledger)
      #expect(left == kept || (isTie && left == dropped), context)
      #expect(try disk.verify().isSound, context)
      #expect(try disk.repair(configuration: configuration).steps.isEmpty, context)
      try ledger.toggle("task 1")
      try ledger.sealNow()
      #expect(try disk.verify().isSound, context)
    }
  }

  /// The files of the other side are kept, and on record.
  private func expectKept(
    _ repair: Repair, of before: [String: [UInt8]], in disk: TestDisk, _ context: Comment
  ) throws {
    let steps = repair.steps.filter { $0.part == .dropped }
    #expect(!steps.isEmpty, context)
    let records = try disk.open(configuration: configuration).statistics().maintenance
    for step in steps {
      let aside = try #require(step.aside, context)
      let isKept = disk.files[aside] == before[step.file]
      #expect(isKept, "\(step.file), \(context)")
      #expect(disk.files[step.file] == nil, context)
      let record = records.last { record in
        record.details.contains { $0.name == "file" && $0.value == step.file }
      }
      let text = step.dropped.isEmpty ? "none" : step.dropped.text()
      #expect(record?.details.first { $0.name == "dropped" }?.value == text, context)
    }
  }

  @Test(arguments: [3, 9])
  func `and written to is repaired whoever holds its lists, and their files go when nobody does`(
    _ more: Int
  ) throws {
    let (disk, copy) = try twoSides(4, more: more)
    let dropped = UInt64(min(copy.count, events.count)) - 4
    let before = disk.files
    let manifests = before.keys.filter { $0.hasPrefix("MANIFEST-") }
    let held = try manifests.map { try disk.faults.open($0, .read) }
    for file in held { #expect(try file.tryLock(.shared)) }
    let repair = try disk.repair(configuration: configuration)
    #expect(repair.droppedEvents == dropped)
    let others = repair.steps.filter { $0.part == .dropped }.map(\.file)
    #expect(others.contains { disk.files[$0] == before[$0] })
    #expect(try disk.verify().isSound)
    try disk.open(configuration: configuration).toggle("task 1")
    for file in held { file.close() }
    try Sealer(disk.faults, options: StoreOptions(), pool: ZstdPool()).removeUnneededFiles()
    #expect(!others.contains { disk.files[$0] != nil })
    #expect(try disk.verify().isSound)
  }

  @Test(arguments: [2, 9])
  func `and written to is repaired or as damaged as before, wherever a repair is interrupted`(
    _ more: Int
  ) throws {
    let (disk, copy) = try twoSides(4, more: more)
    let kept = copy.count < events.count ? events : copy
    let count = UInt64(min(copy.count, events.count) - 4)
    let start = disk.processKilled()
    let all = try start.disks(
      beforeCallsOf: { _ = try start.repair(configuration: configuration) }, tearings: 0)
    #expect(all.count > 20)
    for (call, left) in all {
      let context: Comment = "before \(call)"
      if try !left.verify().isSound {
        let faults = try left.verify().files.compactMap(\.fault).map(\.message)
        let repair = try left.repair(configuration: configuration)
        #expect(repair.droppedEvents == count, "\(context), \(faults)")
      } else {
        let records = try left.open(configuration: configuration).statistics().maintenance
        #expect(records.contains { $0.details.contains { $0.name == "dropped" } }, context)
      }
      let ledger = try left.open(configuration: configuration)
      #expect(try LedgerCheck.allEvents(of: ledger) == kept, context)
      try ledger.toggle("task 1")
      try ledger.sealNow()
      #expect(try left.verify().isSound, context)
    }
  }
}
