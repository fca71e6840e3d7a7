import LedgerTestSupport
import TaskLedger
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `What verify cannot read` {
  @Test(arguments: [".sealed", ".active", "segments"])
  func `is said to be that, not damage, and keeps the ledger from being called sound`(
    _ suffix: String
  ) throws {
    let specimen = try Specimen()
    let disk = specimen.disk.processKilled()
    disk.faults.onCall { call in
      guard call.name.hasSuffix(suffix), call.kind != .lock else { return }
      throw LedgerError(.io, "cannot open it", systemError: EACCES)
    }
    let found = try disk.verify()
    #expect(!found.isSound)
    #expect(found.digest == nil && found.logDigest == nil && found.tasks == nil)
    var unreadable: [String] = []
    for file in found.files {
      switch file.status {
      case .unreadable(let error):
        #expect(error.systemError == EACCES)
        unreadable.append(file.name)
      case .damaged(let error), .missing(let error), .otherLedger(let error):
        Issue.record("\(file.name) is called damaged: \(error)")
      case .sound, .tornTail, .leftOut, .absent, .unlisted, .unneeded, .foreign: break
      }
    }
    #expect(!unreadable.isEmpty)
    #expect(unreadable.allSatisfy { $0.hasSuffix(suffix) })
  }

  @Test(arguments: [EACCES, EMFILE, EIO], [".snapshot", "snapshots"])
  func `of snapshots is not checked, which is no damage, and nobody needs it to go on`(
    _ errorNumber: Int32, _ suffix: String
  ) throws {
    let disk = TestDisk()
    let ledger = try disk.create()
    for number in 1...5 { try ledger.upsert(TaskItem(id: TaskID("task \(number)"), body: "x")) }
    _ = try ledger.snapshot()
    try ledger.toggle("task 1")
    let digest = try ledger.replay().digest
    disk.faults.onCall { call in
      guard call.name.hasSuffix(suffix), [.open, .list].contains(call.kind) else { return }
      throw LedgerError(.io, "cannot open it", systemError: errorNumber)
    }
    let found = try disk.verify()
    #expect(!found.isSound)
    let words = found.files.map(\.status.word).filter { $0 != "sound" && $0 != "unneeded" }
    #expect(words == ["unreadable"])
    #expect(found.digest == digest && found.lost.isEmpty && found.doubtful.isEmpty)
    #expect(found.intact == SequenceRanges(1...6))
    let other = try disk.open()
    #expect(try other.tasks().count == 5)
    try other.toggle("task 1")
    #expect(try Ledger.repairPlan(disk.faults, .forTests()).steps.isEmpty)
    disk.faults.onCall(nil)
    #expect(try disk.verify().isSound)
  }
}
