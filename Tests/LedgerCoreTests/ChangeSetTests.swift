import LedgerCore
import Testing

/// What a command may set and unset.
struct ChangeSetTests {
  private func changeSet(_ changes: KeyValuePairs<String, Value?>) throws -> ChangeSet {
    try ChangeSet(listed(changes))
  }

  private func refuse(
    _ changes: KeyValuePairs<String, Value?>, _ sentence: String, hint: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefusal(sentence, hint: hint, sourceLocation: sourceLocation) {
      _ = try changeSet(changes)
    }
  }

  @Test func `changes are sorted by the bytes of their names and numbers are made integers`() throws
  {
    let changes = try changeSet([
      "b": 2, "caf\u{e9}": 1, "a": nil, "cafe\u{301}": .double(3), "B": 0.5,
    ])
    #expect(described(changes.changes) == "B=0.5 a=null b=2 cafe\u{301}=3 caf\u{e9}=1")
    guard case .int(3)? = changes.changes[3].value else {
      Issue.record("3.0 did not become 3")
      return
    }
  }

  @Test func `no change at all is fine`() throws {
    #expect(try ChangeSet([]) == .empty)
    #expect(ChangeSet.empty.changes.isEmpty)
  }

  @Test func `a field named twice is refused`() {
    refuse(["due": 1, "a": 2, "due": nil], "the field \"due\" is named twice")
    refuse(["a.b": 1, "a.b": 1], "the field \"a.b\" is named twice")
  }

  @Test func `a field and its extension exclude each other`() {
    let hint = "name a field or a field below it, not both"
    refuse(["a.b": 1, "a": 2], "the fields \"a\" and \"a.b\" exclude each other", hint: hint)
    refuse(["a": nil, "a.b": 1], "the fields \"a\" and \"a.b\" exclude each other", hint: hint)
    refuse(["a": nil, "a.b": nil], "the fields \"a\" and \"a.b\" exclude each other", hint: hint)
    refuse(
      ["a": 1, "a-b": 2, "a!": 3, "a.b.c.d": 4],
      "the fields \"a\" and \"a.b.c.d\" exclude each other",
      hint: hint)
    refuse(
      ["a.b": 1, "a.b.c": 2], "the fields \"a.b\" and \"a.b.c\" exclude each other", hint: hint)
  }

  @Test func `fields that only look alike do not exclude each other`() throws {
    let changes = try changeSet([
      "a.b": 1, "ab": 2, "a-b": 3, "a.bc": 4, "caf\u{e9}": 5, "cafe\u{301}.x": 6,
    ])
    #expect(changes.changes.count == 6)
  }

  @Test func `the id cannot be changed`() {
    let hint = "make a new task with the other id"
    for value in ["x", nil] as [Value?] {
      refuse(["_id": value], "the field \"_id\" cannot be set: a task keeps its id", hint: hint)
      refuse(
        ["_id.x.y": value], "the field \"_id.x.y\" cannot be set: a task keeps its id", hint: hint)
    }
  }

  @Test func `names that start like the id are fields`() throws {
    #expect(try changeSet(["_id2": 1, "a._id": 2, "_ID": 3]).changes.count == 3)
  }

  @Test(arguments: ["body", "isCompleted", "isDeleted"])
  func `standard fields have nothing below them`(name: String) {
    for value in [1, nil] as [Value?] {
      refuse(
        ["\(name).x": value],
        "the field \"\(name).x\" cannot be set: \"\(name)\" has nothing below it")
    }
  }

  @Test(arguments: [
    (Value.int(1), "an integer"), (.double(0.5), "a number"), (.array(["a"]), "an array"),
    (.bool(true), "a boolean"),
  ])
  func `body is text`(value: Value, found: String) {
    refuse(["body": value], "the field \"body\" is \(found), expected text")
  }

  @Test(arguments: [
    (Value.int(1), "an integer"), (.double(0.5), "a number"), (.array([true]), "an array"),
    (.text("true"), "text"),
  ])
  func `isCompleted and isDeleted are booleans`(value: Value, found: String) {
    refuse(["isCompleted": value], "the field \"isCompleted\" is \(found), expected true or false")
    refuse(["isDeleted": value], "the field \"isDeleted\" is \(found), expected true or false")
  }

  @Test func `standard fields can be set to their types and unset`() throws {
    #expect(try changeSet(["body": "", "isCompleted": true, "isDeleted": nil]).changes.count == 3)
    #expect(
      try changeSet(["body": nil, "isCompleted": nil, "isDeleted": false]).changes.count == 3)
  }

  @Test func `a value outside the limits is refused by the name of its field`() {
    refuse(
      ["ok": 1, "n": .double(.infinity)], "the field \"n\" is refused: the number inf is not finite"
    )
    let deep = (1..<33).reduce(Value.array([])) { inner, _ in .array([inner]) }
    refuse(["a.b": deep], "the field \"a.b\" is refused: arrays nest more than 32 deep")
    refuse(
      ["body": .text(String(repeating: "a", count: 1 << 20))],
      "the field \"body\" is refused: a value has 1048578 bytes of JSON, expected at most 1048576")
  }

  @Test(.timeLimit(.minutes(15)))
  func `300,000 names are checked in reasonable time`() throws {
    let names = try (0..<300_000).map { try FieldName("n\($0 % 1000).x\($0).y") }
    #expect(try ChangeSet(names.map { FieldChange($0, 1) }).changes.count == names.count)
  }
}
