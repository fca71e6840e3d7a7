import LedgerFormat
import Testing

@testable import TaskLedger

struct `Clocks and stamps` {
  private func times(_ story: Scenario) throws -> [Int64] {
    var times: [Int64] = []
    try story.ledger.forEachEvent { event in
      times.append(event.time.milliseconds - Scenario.start)
      return true
    }
    return times
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `stamps never go backwards, even when the clock does`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert)
    for clock in [100, 50, -1_000_000_000_000, 101, 0] as [Int64] {
      story.clock(clock)
      try story.tell(.toggle)
    }
    #expect(try times(story) == [0, 100, 100, 100, 101, 101])
    var stamps: [Stamp] = []
    try story.ledger.forEachEvent { event in
      stamps.append(event.stamp)
      return true
    }
    #expect(stamps == stamps.sorted() && Set(stamps).count == stamps.count)
    #expect(stamps.map(\.count) == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `a stamp without a given time is as late as the newest of any task`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, "a", at: 5000)
    try story.tell(.upsert, "b", at: -5000)
    try story.tell(.upsert, "c")
    story.clock(6000)
    try story.tell(.upsert, "d")
    #expect(try times(story) == [5000, -5000, 5000, 6000])
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `the clock at the moment of recording is kept, and shown where it differs`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert)
    story.clock(100)
    try story.tell(.toggle, at: 7)
    story.clock(-40)
    try story.tell(.toggle)
    let entries = try story.ledger.audit("t")
    #expect(entries.map(\.time) == [0, 7, 7].map(Scenario.time))
    #expect(entries.map(\.event.recorded) == [0, 100, -40].map(Scenario.time))
    let shown = entries.map { String(decoding: EventJSON.bytes($0), as: UTF8.self) }
    #expect(!shown[0].contains("recorded"))
    #expect(shown[1].contains("\"recorded\":\"\(Scenario.time(100))\""))
    #expect(shown[2].contains("\"recorded\":\"\(Scenario.time(-40))\""))
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `a transaction is recorded at one moment`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.ledger.transaction { transaction in
      try transaction.upsert(TaskItem(id: "a"))
      story.clock(500)
      try transaction.upsert(TaskItem(id: "b"))
    }
    var recorded: Set<LedgerTime> = []
    try story.ledger.forEachEvent { event in
      recorded.formUnion([event.recorded, event.time])
      return true
    }
    #expect(recorded == [Scenario.time(0)])
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `a given time lies a day ahead at most`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    let day: Int64 = 86_400_000
    #expect(throws: LedgerError.self) { try story.tell(.upsert, "a", at: day + 1) }
    #expect(try story.tell(.upsert, "a", at: day))
    story.clock(-5000)
    #expect(throws: LedgerError.self) { try story.tell(.upsert, "b", at: day) }
    // What is stamped without a given time follows the newest, however far ahead that is.
    #expect(try story.tell(.upsert, "b"))
    #expect(try times(story) == [day, day])
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `both ways back in time show what they promise`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1], at: 10)
    try story.tell(.update, set: ["a": 2], at: 30)
    try story.tell(.update, set: ["a": 3], at: 20)
    let known = try (0...3).map { try story.shown(at: .sequence($0)) }
    #expect(known == [nil, #"{"a":1}"#, #"{"a":2}"#, #"{"a":2}"#])
    let then = try [9, 10, 19, 20, 29, 30, 1 << 40].map { time in
      try story.shown(at: .time(Scenario.time(time)))
    }
    #expect(then == [nil, 1, 1, 3, 3, 2, 2].map { $0.map { "{\"a\":\($0)}" } })
    let error = #expect(throws: LedgerError.self) { try story.ledger.at(.sequence(4)) }
    #expect(error?.code == .beyondEnd)
    #expect(throws: LedgerError.self) { try story.ledger.replay(at: .sequence(4)) }
  }
}
