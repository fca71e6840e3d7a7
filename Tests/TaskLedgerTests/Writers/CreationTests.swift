import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

@Suite struct `A ledger that somebody else is making` {
  /// All but the last step of it is done.
  private let almost: TestDisk

  init() throws {
    let disk = TestDisk()
    let left = try disk.disks(beforeCallsOf: { _ = try disk.create() }, tearings: 0)
    almost = try #require(left.last { $0.call.kind == .rename }).disk
  }

  /// Runs the body again and again; each time the ledger is made before a later one of its calls, as long as nobody holds the lock.
  private func withLedgerMadeMeanwhile(_ body: (TestDisk, Comment) throws -> Void) throws {
    for n in 1...200 {
      let disk = almost.processKilled()
      let state = Guarded((calls: 0, isLocked: false, isMade: false))
      disk.faults.onCall { [memory = disk.memory] call in
        let isDue = state.withLock { state in
          state.calls += 1
          if call.kind == .lock, call.name == LedgerNames.lock { state.isLocked = true }
          state.isMade = state.isMade || (state.calls == n && !state.isLocked)
          return state.isMade && state.calls == n
        }
        if isDue { try memory.rename(LedgerNames.currentDraft, to: LedgerNames.current) }
      }
      try body(disk, "before call \(n)")
      disk.faults.onCall(nil)
      guard state.withLock({ $0.isMade }) else {
        #expect(n > 3)
        return
      }
      #expect(try disk.open().lastSequence == 0, "before call \(n)")
    }
  }

  @Test func `is said to be there, to who makes one, whenever that is done`() throws {
    try withLedgerMadeMeanwhile { disk, context in
      do {
        _ = try disk.create()
      } catch let error as LedgerError {
        #expect(error.code == .alreadyExists, context)
      }
    }
  }

  @Test func `is opened, or not there yet, whenever that is done`() throws {
    try withLedgerMadeMeanwhile { disk, context in
      do {
        _ = try disk.open()
      } catch let error as LedgerError {
        #expect([.notFound, .busy].contains(error.code), context)
        // Whoever made it may have died before that.
        if disk.files[LedgerNames.current] == nil { _ = try disk.processKilled().create() }
      }
    }
  }
}
