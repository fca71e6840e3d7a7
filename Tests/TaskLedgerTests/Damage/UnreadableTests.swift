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
}
