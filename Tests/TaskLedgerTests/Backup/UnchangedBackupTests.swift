import LedgerCore
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Nothing is written into a backup but by the next one.
@Suite struct `A backup that is opened as a ledger` {
  @Test func `takes no checkpoint, and promises no change that it would refuse`() throws {
    try withTemporaryFolder { path in
      let ledger = try Ledger.create(at: "\(path)/tasks.ledger", configuration: .forTests())
      try ledger.upsert(TaskItem(id: "milk"))
      try ledger.backup(to: "\(path)/copy.ledger")
      let copy = try Ledger.open(
        at: "\(path)/copy.ledger", createIfMissing: false, configuration: .forTests())
      for refused in [
        { try copy.checkpoint("mailer").advance(to: 1) },
        { try Rehearsal(copy).transaction { try $0.toggle("milk") } },
        { _ = try copy.undo(isDryRun: true) },
        { _ = try copy.toggle("milk") },
      ] {
        let error = #expect(throws: LedgerError.self) { try refused() }
        #expect(error?.sentence == "cannot change the backup")
      }
      #expect(try Ledger.verify(at: "\(path)/copy.ledger").isSound)
      #expect(try copy.checkpointNames() == [])
    }
  }
}
