import LedgerStorage
import LedgerTestSupport
import TaskLedger
import Testing

@Suite struct `A reader` {
  @Test func `sees what others appended on its next read`() throws {
    let disk = TestDisk()
    let writer = try disk.create(configuration: .forTests(sealEvents: 3))
    let reader = try disk.open()
    for number in 1...10 {
      let id = try TaskID("task \(number)")
      try writer.upsert(TaskItem(id: id, body: "New"))
      #expect(try reader.task(id)?.body == "New")
      try writer.update(id) { $0["priority"] = 1 }
      let expected = try writer.lastSequence
      #expect(try reader.lastSequence == expected)
      #expect(try reader.tasks().count == number)
      let digest = try writer.replay().digest
      #expect(try reader.replay().digest == digest)
      let audit = try writer.audit(id)
      #expect(try reader.audit(id) == audit)
      if number % 4 == 0 { try writer.sealNow() }
    }
  }

  @Test(arguments: [8, 64, 200])
  func `never sees half a transaction while it is written`(_ pieceBytes: Int) throws {
    let memory = MemoryDirectory()
    let pieces = PiecewiseDirectory(memory, pieceBytes: pieceBytes)
    let writer = try Ledger.create(
      in: pieces, author: "tester", configuration: .forTests(sealEvents: 20))
    let reader = try Ledger(memory, author: "reader", configuration: .forTests())
    let reads = Guarded(0)
    pieces.interrupt { _ in
      for ledger in [reader, try Ledger(memory, author: "new", configuration: .forTests())] {
        try expectWholeTransactions(ledger)
        // An append is under way: its first bytes are no torn tail.
        #expect(ledger.takeNotices() == [])
      }
      reads.withLock { $0 += 1 }
    }
    for number in 1...12 {
      try writer.transaction { transaction in
        for event in 1...(number % 4 + 1) {
          try transaction.upsert(TaskItem(id: TaskID("\(number)/\(event)"), body: "Long enough"))
        }
      }
    }
    #expect(reads.withLock { $0 } > 12)
  }

  @Test(arguments: [64, 300, 1000])
  func `is not misled when appends overtake its read`(_ pieceBytes: Int) throws {
    let disk = TestDisk()
    var configuration = LedgerConfiguration.forTests(sealEvents: 1000)
    configuration.extensionBytes = 16_384
    configuration.lockTimeoutMilliseconds = 0
    let writer = try disk.create(configuration: configuration)
    let pieces = PiecewiseDirectory(disk.memory, pieceBytes: pieceBytes)
    let overtakings = Guarded(0)
    let allowed = Guarded(0)
    pieces.interrupt { offset in
      // The piece before was the end of the log; now transactions that were synced follow it.
      guard overtakings.withLock({ $0 }) < allowed.withLock({ $0 }),
        (1...pieceBytes).contains(Int(offset) - disk.endOfActiveFile)
      else { return }
      do {
        for _ in 1...3 { try writer.upsert(TaskItem(body: .unpressable(pieceBytes / 2))) }
        overtakings.withLock { $0 += 1 }
      } catch let error as LedgerError where error.code == .busy {
        // The reader makes sure that what looks like damage is none: nobody writes meanwhile.
      }
    }
    let old = try Ledger(pieces, author: "reader", configuration: .forTests())
    for _ in 1...5 {
      try writer.upsert(TaskItem(body: "Between two reads"))
      let before = try writer.lastSequence
      allowed.withLock { $0 += 3 }
      for reader in [old, try Ledger(pieces, author: "reader", configuration: .forTests())] {
        let events = try LedgerCheck.allEvents(of: reader)
        #expect(events.count >= Int(before))
        #expect(events.map(\.sequence) == (0..<UInt64(events.count)).map { $0 + 1 })
        #expect(reader.takeNotices() == [])
      }
    }
    #expect(overtakings.withLock { $0 } >= 5)
  }

  @Test func `tells of a torn tail once, and of none that is being written`() throws {
    let disk = TestDisk()
    let writer = try disk.create(configuration: .forTests(sealEvents: 1000))
    try writer.upsert(TaskItem(id: "start", body: "Begin"))
    let reader = try disk.open()
    #expect(try reader.lastSequence == 1)
    try writer.toggle("start")
    try disk.tearLastTransaction()
    // The writer is at work: its lock is held.
    try writer.transaction { (_: Transaction) throws in
      #expect(try disk.open().takeNotices() == [])
      #expect(try reader.lastSequence == 1)
      #expect(reader.takeNotices() == [])
    }
    #expect(try reader.lastSequence == 1)
    #expect(reader.takeNotices().count == 1)
    #expect(try reader.tasks().count == 1)
    #expect(reader.takeNotices() == [])
    #expect(try disk.open().takeNotices().count == 1)
  }

  @Test func `forgets the events of a write that failed`() throws {
    let disk = TestDisk()
    let writer = try disk.create(configuration: .forTests(sealEvents: 1000))
    try writer.upsert(TaskItem(id: "start", body: "Begin"))
    let reader = try disk.open()
    #expect(try reader.tasks().count == 1)
    // The write is done, and fails all the same; readers see it before it is taken back, and after that was recorded.
    let seen = Guarded<Set<UInt64>>([])
    disk.faults.onCall { call in
      guard call.kind == .sync || call.kind == .write else { return }
      let last = try reader.lastSequence
      _ = try reader.tasks()
      seen.withLock { _ = $0.insert(last) }
    }
    disk.faults.arm(
      FaultPlan(fail: 1, of: [.write], named: "segments/", effect: .everything))
    #expect(throws: LedgerError.self) {
      try writer.transaction {
        try $0.upsert(TaskItem(id: "never", body: "Written, failed"))
        try $0.upsert(TaskItem(id: "neither", body: "Written, failed"))
      }
    }
    disk.faults.onCall(nil)
    #expect(seen.withLock { $0 } == [1, 3])
    #expect(try reader.lastSequence == 1)
    try writer.upsert(TaskItem(id: "instead", body: "Written"))
    try writer.toggle("instead")
    for ledger in [reader, writer, try disk.open()] {
      #expect(try ledger.tasks().map(\.id) == ["instead", "start"])
      #expect(try LedgerCheck.allEvents(of: ledger).map(\.task) == ["start", "instead", "instead"])
      #expect(try ledger.task("never") == nil)
      let digest = try disk.open().replay().digest
      #expect(try ledger.replay().digest == digest)
    }
  }
}

@Suite struct `A moment that is held` {
  @Test func `keeps its files while segments are sealed and removed`() throws {
    let disk = TestDisk()
    let writer = try disk.create(configuration: .forTests(sealEvents: 3))
    for number in 1...7 { try writer.upsert(TaskItem(id: TaskID("old \(number)"), body: "Old")) }
    let reader = try disk.open()
    let moment = try reader.at(.sequence(7))
    let named = Set(disk.files.keys)
    for number in 1...20 { try writer.upsert(TaskItem(id: TaskID("new \(number)"), body: "New")) }
    try writer.sealNow()
    // The files of the moment's manifest are all there, also the frozen ones that were sealed since.
    let needed = named.filter { $0.hasPrefix("segments/") }
    #expect(needed.isSubset(of: disk.files.keys))
    #expect(try moment.tasks().map(\.id.text) == (1...7).map { "old \($0)" })
    #expect(try moment.task("old 3")?.body == "Old")
    #expect(try reader.tasks().count == 27)
  }

  @Test func `lets go of them at its end`() throws {
    let disk = TestDisk()
    let writer = try disk.create(configuration: .forTests(sealEvents: 3))
    for number in 1...4 { try writer.upsert(TaskItem(body: "\(number)")) }
    var moment: LedgerMoment? = try disk.open().at(.sequence(4))
    let active = disk.activeFile
    let manifests = disk.files.keys.filter { $0.hasPrefix("MANIFEST-") }
    for number in 5...8 { try writer.upsert(TaskItem(body: "\(number)")) }
    try writer.sealNow()
    #expect(disk.files[active] != nil)
    #expect(try moment?.tasks().count == 4)
    moment = nil
    try writer.upsert(TaskItem(body: "9"))
    try writer.sealNow()
    #expect(disk.files[active] == nil)
    #expect(manifests.allSatisfy { disk.files[$0] == nil })
    let unneeded = try disk.verify().files.filter {
      if case .unneeded = $0.status { true } else { false }
    }
    #expect(unneeded.map(\.name) == [])
  }
}

/// Expects that every transaction of a ledger is whole.
private func expectWholeTransactions(_ ledger: Ledger) throws {
  let events = try LedgerCheck.allEvents(of: ledger)
  for (first, transaction) in Dictionary(grouping: events, by: \.transaction) {
    #expect(transaction.map(\.sequence) == (0..<transaction.count).map { first + UInt64($0) })
    #expect(transaction.map(\.endsTransaction).firstIndex(of: true) == transaction.count - 1)
  }
  #expect(try ledger.replay().digest == StateModel.digest(events))
}
