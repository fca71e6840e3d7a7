import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A fold that is interrupted: the ledger has its whole history or the baseline, and the next fold comes to the same end.
@Suite struct `A fold that is interrupted` {
  /// A ledger with a few sealed segments; the horizon lies in the middle of one.
  private struct Start {
    let configuration: LedgerConfiguration
    let disk: TestDisk
    let digest: String
    let horizon: UInt64 = 8
    let events: [Event]

    init() throws {
      var chores = try Chores()
      chores.sealEvents = 5
      configuration = chores.configuration
      let book: [Bookkeeper.Entry]
      (disk, book) = try chores.made()
      let ledger = try disk.open(configuration: configuration)
      _ = chores.run(ledger, Bookkeeper(book))
      digest = try ledger.replay().digest
      events = try LedgerCheck.allEvents(of: ledger)
    }

    func fold(_ ledger: Ledger) throws -> Compaction {
      try ledger.compact(.fold(before: .sequence(horizon)))
    }

    /// Everything is as it was, but for a history that may be folded.
    func check(_ disk: TestDisk, isDone: Bool, _ context: Comment) throws {
      let ledger = try disk.open(configuration: configuration)
      #expect(try ledger.replay().digest == digest, context)
      let found = try LedgerCheck.allEvents(of: ledger)
      #expect(
        found == events || found == events.filter { $0.sequence > found[0].sequence - 1 }, context)
      let isFolded = try ledger.statistics().segments[0].kind == "baseline"
      #expect(isFolded || !isDone, context)
      #expect(found.count < events.count || !isFolded, context)
      #expect(try disk.verify().isSound, context)
      _ = try fold(ledger)
      try ledger.sealNow()
      #expect(try ledger.statistics().segments[0].kind == "baseline", context)
      #expect(try ledger.replay().digest == digest, context)
      let named = Set(try ledger.statistics().segments.map(\.file))
      #expect(Set(disk.files.keys.filter { $0.hasPrefix("segments/") }) == named, context)
    }
  }

  @Test(arguments: FaultKind.allCases)
  func `by a call that fails loses nothing that it was not to`(_ kind: FaultKind) throws {
    let start = try Start()
    var n = 1
    var isMet = true
    while isMet {
      let disk = start.disk.processKilled()
      let ledger = try disk.open(configuration: start.configuration)
      disk.faults.arm(kind.plan(n))
      let fold = try? start.fold(ledger)
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      #expect(fold != nil || isMet)
      let glance = kind == .anyError || kind == .gone
      let lefts =
        glance ? [disk.powerCut()] : [disk.processKilled(), disk.powerCut(tearing: UInt64(n))]
      for left in lefts { try start.check(left, isDone: fold != nil, "\(kind), call \(n)") }
      #expect(try ledger.replay().digest == start.digest)
      n += 1
    }
    print("a fold: \(kind) at each of \(n - 2) calls")
    #expect(n > 3)
  }

  @Test func `by a power cut at any call loses nothing that it was not to`() throws {
    let start = try Start()
    let disk = start.disk.processKilled()
    let ledger = try disk.open(configuration: start.configuration)
    let all = try disk.disks(beforeCallsOf: { _ = try start.fold(ledger) })
    #expect(all.count > 30)
    for (call, left) in all { try start.check(left, isDone: false, "before \(call)") }
  }

  @Test func `by a late event that comes while it works changes nothing`() throws {
    let start = try Start()
    let disk = start.disk.processKilled()
    let ledger = try disk.open(configuration: start.configuration)
    let other = try TestDisk(disk.memory).open(configuration: start.configuration)
    let late = start.events[2].time
    let isDone = Guarded(false)
    disk.faults.onCall { call in
      // When the baseline is begun the plan is made.
      guard call.kind == .create, call.name.hasSuffix(".baseline") else { return }
      guard
        !isDone.withLock({ done in
          defer { done = true }
          return done
        })
      else { return }
      let change = try ChangeSet([FieldChange(FieldName("late"), true)])
      try other.transaction { transaction in
        try transaction.perform(Command(.update, "start", change, time: late, author: "bob"))
      }
    }
    #expect(throws: LedgerError.self) { try start.fold(ledger) }
    disk.faults.onCall(nil)
    #expect(isDone.withLock { $0 })
    #expect(try LedgerCheck.allEvents(of: ledger).count == start.events.count + 1)
    #expect(try ledger.task("start")?["late"] == true)
    #expect(try ledger.statistics().segments[0].kind == "sealed")
  }
}
