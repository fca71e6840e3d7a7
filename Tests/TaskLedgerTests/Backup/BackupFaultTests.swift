import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

/// A backup that is interrupted: the folder holds the backup of before or the new one, and the next run comes to the same end.
@Suite struct `A backup that is interrupted` {
  /// A backup, and a ledger that has gone on since: there is something to copy, and something to remove.
  private struct Start {
    let bench: BackupBench
    let target = TestDisk()
    let old: Int
    let events: [Event]

    init() throws {
      bench = try BackupBench()
      let ledger = try bench.open()
      try ledger.backup(to: target.faults)
      old = try bench.events.count
      try bench.append(4)
      try ledger.compact()
      events = try bench.events
    }

    /// The folder holds the old backup or the new one; the next run makes the new one of it, and leaves nothing over.
    func check(_ copy: TestDisk, isDone: Bool = false, _ context: Comment) throws {
      try bench.expectPrefix(copy, events, isDone ? [events.count] : [old, events.count], context)
      let backup = try bench.open().backup(to: copy.faults)
      #expect(backup.sequence == UInt64(events.count), context)
      try bench.expectPrefix(copy, events, [events.count], context)
      #expect(try bench.leftOver(copy) == [], context)
    }
  }

  @Test(arguments: FaultKind.allCases)
  func `by a call in its folder that fails is the old one or the new one`(
    _ kind: FaultKind
  ) throws {
    let start = try Start()
    let ledger = try start.bench.open()
    var n = 1
    var isMet = true
    while isMet {
      let copy = start.target.processKilled()
      copy.faults.arm(kind.plan(n))
      let backup = try? ledger.backup(to: copy.faults)
      copy.faults.disarm()
      isMet = copy.faults.faultsMet > 0
      #expect(backup != nil || isMet)
      let context: Comment = "\(kind), call \(n)"
      for left in kind.lefts(of: copy, n) {
        try start.check(left, isDone: backup != nil, context)
      }
      n += 1
    }
    print("a backup: \(kind) at each of \(n - 2) calls in its folder")
    #expect(n > 3)
  }

  @Test(arguments: [FaultKind.error, .lostPages, .anyError])
  func `by a call in the ledger's folder that fails harms neither`(_ kind: FaultKind) throws {
    let start = try Start()
    var n = 1
    var isMet = true
    while isMet {
      let (disk, copy) = (start.bench.disk.processKilled(), start.target.processKilled())
      let ledger = try start.bench.open(disk)
      disk.faults.arm(kind.plan(n))
      let backup = try? ledger.backup(to: copy.faults)
      disk.faults.disarm()
      isMet = disk.faults.faultsMet > 0
      #expect(backup != nil || isMet)
      try start.check(copy.powerCut(), isDone: backup != nil, "\(kind), call \(n)")
      try expectHolds(disk.powerCut(), start.bench.book.entries, "\(kind), call \(n)")
      n += 1
    }
    print("a backup: \(kind) at each of \(n - 2) calls in the ledger's folder")
  }

  @Test func `by a power cut at any call is the old one or the new one`() throws {
    let start = try Start()
    let ledger = try start.bench.open()
    let copy = start.target.processKilled()
    let all = try copy.disks(beforeCallsOf: { _ = try ledger.backup(to: copy.faults) })
    #expect(all.count > 30)
    for (call, left) in all { try start.check(left, "before \(call)") }
  }

  @Test func `by a power cut at any call of the first run is known as begun, and goes on`() throws {
    let bench = try BackupBench()
    let (ledger, events) = (try bench.open(), try bench.events)
    let target = TestDisk()
    let all = try target.disks(beforeCallsOf: { _ = try ledger.backup(to: target.faults) })
    var begun = 0
    for (call, left) in all {
      do {
        try bench.expectPrefix(left, events, [events.count], "before \(call)")
      } catch let error as LedgerError {
        #expect(error.code == .notFound, "before \(call): \(error)")
        if error.message.contains("never finished") {
          begun += 1
          try expectNoBackup(left, bench)
        }
      }
      try ledger.backup(to: left.faults)
      try bench.expectPrefix(left, events, [events.count], "before \(call)")
      #expect(try bench.leftOver(left) == [], "before \(call)")
    }
    #expect(begun > 10)
  }

  /// An empty ledger is not what anybody wants back, nor what is there.
  private func expectNoBackup(_ left: TestDisk, _ bench: BackupBench) throws {
    let configuration = bench.configuration
    let looks: [() throws -> Void] = [
      { _ = try left.verify() }, { _ = try left.repair(configuration: configuration) },
      {
        try Ledger.restore(
          from: left.faults, to: TestDisk().faults, configuration: configuration)
      },
    ]
    for look in looks {
      #expect(#expect(throws: LedgerError.self) { try look() }?.code == .notFound)
    }
  }

  @Test(arguments: [FaultKind.error, .lostAnswer, .fullDisk])
  func `by a call of the first run that fails goes on`(_ kind: FaultKind) throws {
    let bench = try BackupBench()
    let (ledger, events) = (try bench.open(), try bench.events)
    var n = 1
    var isMet = true
    while isMet {
      let target = TestDisk()
      target.faults.arm(kind.plan(n))
      let backup = try? ledger.backup(to: target.faults)
      target.faults.disarm()
      isMet = target.faults.faultsMet > 0
      #expect(backup != nil || isMet)
      let left = n % 2 == 0 ? target.processKilled() : target.powerCut(tearing: UInt64(n))
      try ledger.backup(to: left.faults)
      try bench.expectPrefix(left, events, [events.count], "\(kind), call \(n)")
      #expect(try bench.leftOver(left) == [], "\(kind), call \(n)")
      n += 1
    }
    #expect(n > 3)
  }

  @Test func `by a disk that reads back other bytes than were written is the old one`() throws {
    let start = try Start()
    let ledger = try start.bench.open()
    let copy = start.target.processKilled()
    copy.faults.onCall { [memory = copy.memory] call in
      // Just before the draft is read back, however often it is opened for that.
      guard call.kind == .open, call.name.hasSuffix(".sealed.draft"),
        var bytes = memory.contents()[call.name]
      else { return }
      for place in 50..<54 { bytes[place] = 0xff }
      try memory.setContents(call.name, bytes)
    }
    let error = #expect(throws: LedgerError.self) { try ledger.backup(to: copy.faults) }
    copy.faults.onCall(nil)
    #expect(error?.code == .io && error?.sentence.contains("reads back otherwise") == true)
    try start.bench.expectPrefix(copy, start.events, [start.old])
    try start.check(copy, "afterwards")
  }
}
