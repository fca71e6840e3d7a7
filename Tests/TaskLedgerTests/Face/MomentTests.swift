import Testing

@testable import TaskLedger

struct `A moment of a ledger` {
  private let bench: TestLedger
  private let ledger: Ledger

  init() throws {
    bench = try TestLedger(sealEvents: 4)
    ledger = try bench.open()
    for number in 1...10 {
      bench.setClock(noon + Int64(number) * 1000)
      try ledger.upsert(TaskItem(id: try TaskID("task \(number)")))
    }
  }

  @Test func `by number is before everything at 0 and refused beyond the end`() throws {
    #expect(try ledger.at(.sequence(0)).tasks().isEmpty)
    #expect(try ledger.at(.sequence(0)).task("task 1") == nil)
    #expect(try ledger.at(.sequence(7)).tasks().count == 7)
    #expect(try ledger.at(.sequence(10)).tasks() == ledger.tasks())
    for number in [11, UInt64.max] {
      let error = #expect(throws: LedgerError.self) { try ledger.at(.sequence(number)) }
      #expect(error?.code == .beyondEnd)
      #expect(error?.sentence == "there is no event \(number)")
      #expect(error?.cause == "the last one is 10")
      #expect(throws: LedgerError.self) { try ledger.replay(at: .sequence(number)) }
    }
  }

  @Test func `by time is the fold up to it, and the present beyond the end`() throws {
    let at = { (time: Int64) in Moment.time(LedgerTime(unchecked: noon + time)) }
    #expect(try ledger.at(at(0)).tasks().isEmpty)
    #expect(try ledger.at(at(1000)).tasks().map(\.id) == ["task 1"])
    #expect(try ledger.at(at(4999)).tasks().count == 4)
    #expect(try ledger.at(.time(.latest)).tasks() == ledger.tasks())
    #expect(try ledger.at(.time(.earliest)).tasks().isEmpty)
    #expect(try ledger.replay(at: .time(.latest)).digest == ledger.replay().digest)
  }

  @Test func `stays as it is while the ledger goes on`() throws {
    let then = try ledger.at(.sequence(10))
    let early = try ledger.at(.time(LedgerTime(unchecked: noon + 5000)))
    try ledger.evict("task 1")
    for _ in 0..<20 { try ledger.toggle("task 2") }
    try ledger.sealNow()
    #expect(then.moment == .sequence(10))
    #expect(try then.tasks().count == 10)
    #expect(try then.task("task 1") != nil)
    #expect(try then.task("task 2")?.isCompleted == false)
    #expect(try early.tasks().count == 5)
  }

  @Test func `may cut a transaction by number, never by time`() throws {
    bench.setClock(noon + 60_000)
    try ledger.transaction { transaction in
      try transaction.toggle("task 1")
      try transaction.toggle("task 2")
    }
    let cut = try ledger.at(.sequence(11))
    #expect(try cut.task("task 1")?.isCompleted == true)
    #expect(try cut.task("task 2")?.isCompleted == false)
  }

  @Test func `is replayed with counts, rows and progress`() throws {
    var seen: [UInt64] = []
    let replay = try ledger.replay { seen.append($0) }
    #expect(replay.events == 10)
    #expect(replay.tasks == 10)
    #expect(replay.digest.count == 64)
    #expect(replay.seconds >= 0 && replay.digestSeconds >= 0)
    let ids = (0..<replay.tasks).map { replay.task(at: $0).id }
    #expect(ids == ids.sorted())
    #expect(seen == seen.sorted())
    let half = try ledger.replay(at: .sequence(5))
    #expect(half.events == 5 && half.tasks == 5)
    #expect(half.digest != replay.digest)
  }

  @Test func `is listed with its entries as the filter asks`() throws {
    try ledger.transaction(author: "bob") { transaction in
      try transaction.toggle("task 3")
      try transaction.delete("task 4")
    }
    func sequences(_ filter: EventFilter) throws -> [UInt64] {
      var events: [UInt64] = []
      try ledger.forEachEvent(filter) { event in
        events.append(event.sequence)
        return true
      }
      var entries: [UInt64] = []
      try ledger.forEachEntry(filter) { entry in
        entries.append(entry.sequence)
        return true
      }
      #expect(entries == events)
      return events
    }
    #expect(try sequences(EventFilter()) == Array(1...12))
    #expect(try sequences(EventFilter(after: 10)) == [11, 12])
    #expect(try sequences(EventFilter(after: 12)) == [])
    #expect(try sequences(EventFilter(author: "bob")) == [11, 12])
    #expect(try sequences(EventFilter(author: "nobody")) == [])
    #expect(try sequences(EventFilter(kind: .delete)) == [12])
    #expect(try sequences(EventFilter(author: "tester", kind: .toggle)) == [])
    #expect(
      try sequences(EventFilter(since: LedgerTime(unchecked: noon + 9000))) == [9, 10, 11, 12])
    #expect(try sequences(EventFilter(until: LedgerTime(unchecked: noon + 2000))) == [1, 2])
    #expect(
      try sequences(
        EventFilter(
          after: 3, kind: .upsert, since: LedgerTime(unchecked: noon + 3000),
          until: LedgerTime(unchecked: noon + 5999))) == [4, 5])
  }

  @Test func `is left when the closure has seen enough`() throws {
    var seen: [UInt64] = []
    try ledger.forEachEvent { event in
      seen.append(event.sequence)
      return seen.count < 6
    }
    #expect(seen == [1, 2, 3, 4, 5, 6])
    seen = []
    try ledger.forEachEntry(EventFilter(after: 2)) { entry in
      seen.append(entry.sequence)
      return false
    }
    #expect(seen == [3])
    let thrown = #expect(throws: LedgerError.self) {
      try ledger.forEachEvent { _ throws(LedgerError) in throw LedgerError(.invalid, "enough") }
    }
    #expect(thrown?.sentence == "enough")
  }
}
