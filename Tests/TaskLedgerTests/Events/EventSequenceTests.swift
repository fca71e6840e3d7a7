import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Every event, in order, from any position.
@Suite struct `The sequence of events` {
  @Test func `has no gap from any position, whatever holds the events`() async throws {
    let bench = try TestLedger(sealEvents: 6)
    let ledger = try bench.open()
    for number in 0..<20 {
      try ledger.upsert(TaskItem(id: TaskID("task \(number % 7)"), body: "\(number)"))
    }
    try ledger.transaction { transaction in
      for number in 0..<9 { try transaction.toggle(TaskID("task \(number % 7)")) }
    }
    try ledger.sealNow()
    for number in 0..<3 { try ledger.toggle(TaskID("task \(number)")) }
    var all: [Event] = []
    try ledger.forEachEvent { event in
      all.append(event)
      return true
    }
    #expect(all.count == 32)
    for position in 0...all.count {
      var events = ledger.events(after: UInt64(position)).makeAsyncIterator()
      for expected in all[position...] { #expect(try await events.next() == expected) }
    }
  }

  @Test
  func `goes on with what is committed, by other handles, too, and while segments are merged`()
    async throws
  {
    let bench = try TestLedger(sealEvents: 5)
    let (mine, theirs) = (try bench.open(), try bench.open())
    var events = mine.events(after: 0).makeAsyncIterator()
    for number in 1...60 as ClosedRange<UInt64> {
      try (number % 3 == 0 ? theirs : mine).upsert(TaskItem())
      if number % 20 == 0 { try theirs.compact(.merge) }
      // Sometimes it lags behind.
      if number % 4 == 0 {
        for back in (0..<4).reversed() {
          #expect(try await events.next()?.sequence == number - UInt64(back))
        }
      }
    }
  }

  @Test func `cannot begin beyond the end`() async throws {
    let ledger = try TestLedger().open()
    var events = ledger.events(after: 1).makeAsyncIterator()
    let error = await #expect(throws: LedgerError.self) { _ = try await events.next() }
    #expect(error?.code == .beyondEnd)
    #expect(error?.sentence == "there is no event 1")
    #expect(error?.cause == "the last one is 0")
    #expect(try await events.next() == nil)
    #expect(ledger.observers.count == 0)
  }

  @Test func `names the horizon where events were folded away`() async throws {
    let ledger = try TestLedger(sealEvents: 4).open()
    for _ in 0..<10 { try ledger.upsert(TaskItem()) }
    #expect(try ledger.foldedThrough == 0)
    var slow = ledger.events(after: 0).makeAsyncIterator()
    #expect(try await slow.next()?.sequence == 1)
    try ledger.sealNow()
    try ledger.compact(.fold(before: .sequence(9)))
    let horizon = try ledger.foldedThrough
    #expect(horizon > 4)
    var early = ledger.events(after: horizon - 1).makeAsyncIterator()
    let error = await #expect(throws: LedgerError.self) { _ = try await early.next() }
    #expect(error?.code == .invalid)
    #expect(error?.sentence.contains("up to event \(horizon) was folded") == true)
    var late = ledger.events(after: horizon).makeAsyncIterator()
    if horizon < 10 { #expect(try await late.next()?.sequence == horizon + 1) }
    // What he was reading stays as it was for him who follows; then it is the same.
    for number in 2...10 as ClosedRange<UInt64> {
      #expect(try await slow.next()?.sequence == number)
    }
    for _ in 0..<6 { try ledger.upsert(TaskItem()) }
    try ledger.sealNow()
    try ledger.compact(.fold(before: .sequence(16)))
    let found = await #expect(throws: LedgerError.self) { _ = try await slow.next() }
    #expect(found?.code == .invalid)
  }

  @Test func `tells when an event that was given out is gone`() async throws {
    let disk = TestDisk()
    let ledger = try disk.create(configuration: .forTests(sealEvents: 1000))
    for _ in 0..<3 { try ledger.upsert(TaskItem()) }
    let early = disk.files
    try ledger.upsert(TaskItem(id: "gone"))
    var events = ledger.events(after: 3).makeAsyncIterator()
    #expect(try await events.next()?.task == "gone")
    // The files of before are put back.
    for (name, bytes) in early { try disk.overwrite(name, with: bytes) }
    let error = await #expect(throws: LedgerError.self) { _ = try await events.next() }
    #expect(error?.code == .damaged)
  }

  @Test func `ends with its task`() async throws {
    let ledger = try TestLedger().open()
    let task = Task { for try await _ in ledger.events(after: 0) {} }
    while ledger.observers.count == 0 { await Task.yield() }
    task.cancel()
    try await task.value
    #expect(ledger.observers.count == 0)
  }
}
