import LedgerFormat
import Testing

@testable import TaskLedger

struct `Ids, fields and values` {
  private static let composed = "caf\u{e9}"
  private static let decomposed = "cafe\u{301}"

  @Test(arguments: Scenario.Kind.allCases)
  func `two Unicode forms of é are two ids`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    let (one, other) = (try TaskID(Self.composed), try TaskID(Self.decomposed))
    try story.tell(.upsert, one, set: ["a": 1])
    try story.tell(.upsert, other, set: ["a": 2])
    try story.tell(.toggle, one)
    #expect(try story.ledger.tasks().map(\.id) == [other, one])
    #expect(try story.shown(one) == #"{"a":1,"isCompleted":true}"#)
    #expect(try story.shown(other) == #"{"a":2}"#)
    #expect(try story.history(one).count == 2)
    #expect(try story.ledger.resolve(Self.composed) == one)
    #expect(try story.ledger.resolve(Self.decomposed) == other)
    try story.tell(.evict, other)
    #expect(try story.ledger.tasks().map(\.id) == [one])
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `two Unicode forms of é are two field names and two texts`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: [Self.composed: 1, "a": .text(Self.composed)])
    try story.tell(.update, set: ["\(Self.decomposed).x": 2])
    let both =
      "{\"a\":\"\(Self.composed)\",\"\(Self.decomposed)\":{\"x\":2},"
      + "\"\(Self.composed)\":1}"
    #expect(try story.shown().map { Array($0.utf8) } == Array(both.utf8))
    #expect(try story.tell(.update, set: ["a": .text(Self.decomposed)]))
    #expect(try !story.tell(.update, set: ["a": .text(Self.decomposed)]))
    #expect(try story.ledger.update("t") { $0["a"] = .text(Self.composed) })
    #expect(try !story.ledger.update("t") { $0["a"] = .text(Self.composed) })
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `1 and 1.0 are equal, and so are 0 and -0.0`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["n": .double(1), "m": .double(-0.0), "l": [.double(2), "x"]])
    #expect(try story.shown() == #"{"l":[2,"x"],"m":0,"n":1}"#)
    #expect(try !story.tell(.update, set: ["n": 1, "m": 0, "l": [2, "x"]]))
    #expect(try !story.tell(.update, set: ["n": .double(1), "m": .double(0)]))
    #expect(try !story.ledger.update("t") { $0["n"] = .double(1) })
    #expect(try story.tell(.update, set: ["n": "1"]))
    #expect(try story.tell(.update, set: ["n": true]))
    #expect(try story.ledger.lastSequence == 3)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `integers keep all their digits`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(
      .upsert,
      set: [
        "max": .int(.max), "min": .int(.min), "odd": .int(9_007_199_254_740_993),
        "round": .double(9_007_199_254_740_992), "beyond": .double(0x1p63),
      ])
    #expect(
      try story.ledger.task("t")?.json
        == #"{"_id":"t","beyond":9223372036854776000,"body":"","isCompleted":false,"#
        + #""isDeleted":false,"max":9223372036854775807,"min":-9223372036854775808,"#
        + #""odd":9007199254740993,"round":9007199254740992}"#)
    #expect(try !story.tell(.update, set: ["round": .int(9_007_199_254_740_992)]))
    #expect(try story.tell(.update, set: ["max": .double(0x1p63)]))
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `a field that becomes a path gives way, and so does the path`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1, "a-b": 0, "ab": 0])
    try story.tell(.update, set: ["a.b.c": 2, "a.d": 3])
    #expect(try story.shown() == #"{"a":{"b":{"c":2},"d":3},"a-b":0,"ab":0}"#)
    try story.tell(.update, set: ["a.b": 4])
    #expect(try story.shown() == #"{"a":{"b":4,"d":3},"a-b":0,"ab":0}"#)
    try story.tell(.update, set: ["a": 5])
    #expect(try story.shown() == #"{"a":5,"a-b":0,"ab":0}"#)
    #expect(
      try story.history() == [
        "1 upsert a: - → 1, a-b: - → 0, ab: - → 0",
        "2 update a: 1 → -, a.b.c: - → 2, a.d: - → 3",
        "3 update a.b: - → 4, a.b.c: 2 → -",
        "4 update a: - → 5, a.b: 4 → -, a.d: 3 → -",
      ])
    #expect(try story.shown(at: .sequence(2)) == #"{"a":{"b":{"c":2},"d":3},"a-b":0,"ab":0}"#)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `unset of a prefix unsets what lies below it, unset of a path nothing above`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a.b.c": 1, "a.b.d": 2, "a.e": 3, "f": 4])
    #expect(try !story.tell(.update, unset: ["f.x", "a.b.c.x", "g"]))
    try story.tell(.update, unset: ["a.b"])
    #expect(try story.shown() == #"{"a":{"e":3},"f":4}"#)
    try story.tell(.update, unset: ["a"])
    #expect(try story.shown() == #"{"f":4}"#)
    #expect(
      try story.history().suffix(2) == [
        "2 update a.b.c: 1 → -, a.b.d: 2 → -", "3 update a.e: 3 → -",
      ])
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `the three standard fields are always shown, and their defaults count`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert)
    let bare = #"{"_id":"t","body":"","isCompleted":false,"isDeleted":false}"#
    #expect(try story.ledger.task("t")?.json == bare)
    #expect(try !story.tell(.update, set: ["body": "", "isDeleted": false]))
    #expect(try !story.tell(.update, unset: ["body", "isCompleted"]))
    #expect(try !story.tell(.upsert, set: ["body": ""]))
    #expect(try !story.ledger.restore("t"))
    try story.tell(.delete)
    #expect(try story.history()[1] == "2 delete isDeleted: false → true")
    #expect(try story.ledger.restore("t"))
    #expect(try story.history()[2] == "3 update isDeleted: true → false")
    // A new task records a default that it is given.
    try story.tell(.upsert, "u", set: ["body": "", "isCompleted": false])
    #expect(
      try story.history("u") == [#"4 upsert body: - → "", isCompleted: - → false"#])
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `a revived task knows nothing of the life before`(kind: Scenario.Kind) throws {
    let story = try Scenario(kind)
    try story.tell(.upsert, set: ["a": 1, "isCompleted": true, "isDeleted": true])
    try story.tell(.evict)
    #expect(try story.shown() == nil)
    #expect(try story.ledger.replay().tasks == 0)
    try story.tell(.upsert, set: ["b": 2])
    #expect(try story.shown() == #"{"b":2}"#)
    try story.tell(.toggle)
    #expect(
      try story.history().suffix(2) == [
        "3 upsert b: - → 2", "4 toggle isCompleted: false → true",
      ])
    #expect(try story.ledger.revision(of: "t") == 4)
  }

  @Test(arguments: Scenario.Kind.allCases)
  func `the digest covers one line per task, soft-deleted ones too, by id`(
    kind: Scenario.Kind
  ) throws {
    let story = try Scenario(kind)
    #expect(try story.ledger.replay().digest == PlainSHA256.hex([]))
    try story.tell(.upsert, "b", set: ["z": 1, "body": "x"])
    try story.tell(.upsert, "a")
    try story.tell(.delete, "a")
    try story.tell(.upsert, "\u{1F600}")
    try story.tell(.upsert, "\u{FB01}")
    // Ids sort by their bytes, although keys inside a document do not.
    let lines = """
      {"_id":"a","body":"","isCompleted":false,"isDeleted":true}
      {"_id":"b","body":"x","isCompleted":false,"isDeleted":false,"z":1}
      {"_id":"\u{FB01}","body":"","isCompleted":false,"isDeleted":false}
      {"_id":"\u{1F600}","body":"","isCompleted":false,"isDeleted":false}

      """
    #expect(try story.ledger.replay().digest == PlainSHA256.hex(Array(lines.utf8)))
  }
}
