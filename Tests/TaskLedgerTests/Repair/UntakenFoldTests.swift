import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A fold that was interrupted leaves its baseline, and perhaps its manifest, which nothing names.
@Suite struct `A fold that was never taken` {
  private let configuration = LedgerConfiguration.forTests(sealEvents: 3)

  /// What happens to the list of files.
  enum Loss: CaseIterable, Sendable { case manifest, cutManifest, current, both, all }

  private func lose(_ loss: Loss, _ disk: TestDisk) throws {
    let current = try CurrentFile(disk.files["CURRENT"] ?? [])
    let named = LedgerNames.manifest(current.manifestNumber)
    switch loss {
    case .manifest: try disk.remove(named)
    case .cutManifest: try disk.overwrite(named, with: Array((disk.files[named] ?? []).dropLast(9)))
    case .current: try disk.remove("CURRENT")
    case .both:
      try disk.remove("CURRENT")
      try disk.remove(named)
    case .all: try disk.loseList()
    }
  }

  /// - Parameter folded: how many events were folded before, by a fold that was taken.
  @Test(arguments: Loss.allCases, [UInt64(0), 4])
  func `is not taken by a repair of the list either`(_ loss: Loss, folded: UInt64) throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: configuration)
    for number in 1...8 {
      try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "Number \(number)"))
      if number == 6 { _ = try ledger.compact() }
    }
    if folded > 0 { _ = try ledger.compact(.fold(before: .sequence(folded + 1))) }
    try ledger.toggle("task 1")
    let digest = try ledger.replay().digest
    let left = try disk.disks(beforeCallsOf: {
      _ = try ledger.compact(.fold(before: .sequence(8)))
    })
    var stillThere = 0
    for (call, disk) in left {
      let context: Comment = "before \(call)"
      let events = try LedgerCheck.allEvents(of: disk.open())
      guard events.count > 2 else { continue }
      stillThere += 1
      try lose(loss, disk)
      let repair = try disk.repair(configuration: configuration)
      #expect(repair.lost.isEmpty, context)
      let repaired = try disk.open(configuration: configuration)
      #expect(try LedgerCheck.allEvents(of: repaired) == events, context)
      #expect(try repaired.replay().digest == digest, context)
      #expect(try disk.verify().isSound, context)
      let records = try repaired.statistics().maintenance.filter { $0.kind == "folded" }
      #expect(records.count <= (folded > 0 ? 1 : 0), context)
    }
    #expect(stillThere > 8)
  }
}
