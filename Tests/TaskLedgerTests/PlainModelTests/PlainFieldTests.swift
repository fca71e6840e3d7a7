import Testing

struct `Fields of a task in the plain model` {
  private var model = PlainModel()

  @Test mutating func `show the three standard fields in every document`() {
    model.make(.upsert)
    #expect(model.text() == #"{"_id":"t","body":"","isCompleted":false,"isDeleted":false}"# + "\n")
  }

  @Test mutating func `are stored one per leaf and shown nested again`() {
    let event = model.make(
      .upsert, set: [field("a", #"{"b":{"c":1},"d":2}"#), field("a.e.f", "3")])
    #expect(event.changesText == #"{"a.b.c":1,"a.d":2,"a.e.f":3}"#)
    #expect(model.shown == #"{"a":{"b":{"c":1},"d":2,"e":{"f":3}}}"#)
  }

  @Test mutating func `stay as they are for an empty object`() {
    model.make(.upsert, set: [field("a", "1")])
    #expect(model.outcome(.update, set: [field("a", "{}")]) == .nothing)
    #expect(model.outcome(.update, set: [field("a", #"{"b":{}}"#)]) == .nothing)
    #expect(model.shown == #"{"a":1}"#)
  }

  @Test mutating func `are unset by null, in nested objects too`() {
    model.make(.upsert, set: [field("a", #"{"b":1,"c":2}"#)])
    let event = model.make(.update, set: [field("a", #"{"b":null}"#)])
    #expect(event.changesText == #"{"a.b":null}"#)
    #expect(model.shown == #"{"a":{"c":2}}"#)
  }

  @Test mutating func `unset their prefixes and extensions in the same event`() {
    model.make(.upsert, set: [field("a.b.c", "1"), field("a.bc", "2")])
    #expect(model.make(.update, set: [field("a.b", "3")]).changesText == #"{"a.b":3,"a.b.c":null}"#)
    #expect(model.shown == #"{"a":{"b":3,"bc":2}}"#)
    let event = model.make(.update, set: [field("a", "4")])
    #expect(event.changesText == #"{"a":4,"a.b":null,"a.bc":null}"#)
    #expect(model.make(.update, set: [field("a.x", "5")]).changesText == #"{"a":null,"a.x":5}"#)
  }

  @Test mutating func `take their extensions along when unset, but not their prefixes`() {
    model.make(.upsert, set: [field("a.b.c", "1"), field("a.b.d", "2"), field("a.bc", "3")])
    #expect(model.outcome(.update, unset: ["a.b.c.x"]) == .nothing)
    #expect(model.make(.update, unset: ["a.b"]).changesText == #"{"a.b.c":null,"a.b.d":null}"#)
    #expect(model.shown == #"{"a":{"bc":3}}"#)
  }

  @Test mutating func `are named by bytes`() {
    model.make(.upsert, set: [field("caf\u{E9}", "1"), field("cafe\u{301}", "2")])
    #expect(model.shown == "{\"cafe\u{301}\":2,\"caf\u{E9}\":1}")
  }

  @Test(
    arguments: [
      ([field("a", "1"), field("a", "2")], [], PlainRefusal.fieldTwice),
      ([field("a", "1"), field("a.b", "2")], [], .fieldTwice),
      ([field("a.b", "1"), field("a", #"{"b":2}"#)], [], .fieldTwice),
      ([field("a.b", "null"), field("a", "2")], [], .fieldTwice),
      ([field("a", "1")], ["a"], .fieldTwice),
      ([field("a", "1")], ["a.b"], .fieldTwice),
      ([], ["a", "a"], .fieldTwice),
      ([], ["a.b", "a"], .fieldTwice),
      ([field("_id", "1")], [], .idIsFixed),
      ([field("_id.x", "1")], [], .idIsFixed),
      ([], ["_id"], .idIsFixed),
      ([field("body", "1")], [], .typeIsFixed),
      ([field("body.x", "1")], [], .typeIsFixed),
      ([], ["isDeleted.x"], .typeIsFixed),
      ([field("isCompleted", "0")], [], .typeIsFixed),
      ([field("isDeleted", #"{"x":true}"#)], [], .typeIsFixed),
      ([field("", "1")], [], .fieldName),
      ([field("a..b", "1")], [], .fieldName),
      ([field("a", #"{"":1}"#)], [], .fieldName),
      ([], ["a."], .fieldName),
      ([field(PlainText(String(repeating: "n", count: 257)), "1")], [], .fieldName),
      ([field(PlainText(String(repeating: "n.", count: 32) + "n"), "1")], [], .fieldName),
      ([field("a", "[null]")], [], .value),
      ([field("a", "[[{}]]")], [], .value),
      ([PlainMember("a", RandomStream.nestedArray(depth: 33))], [], .value),
      ([PlainMember("a", .array([.double(.infinity)]))], [], .value),
      ([PlainMember("a", .text(PlainText(String(repeating: "x", count: 1 << 20))))], [], .value),
    ] as [([PlainMember], [PlainText], PlainRefusal)])
  mutating func `are refused`(set: [PlainMember], unset: [PlainText], refusal: PlainRefusal) {
    model.make(.upsert)
    #expect(model.outcome(.update, set: set, unset: unset) == .refused(refusal))
    #expect(model.outcome(.upsert, "new", set: set, unset: unset) == .refused(refusal))
    #expect(model.events.count == 1)
  }

  @Test mutating func `reach the bounds`() {
    let name = PlainText(String(repeating: "n.", count: 31) + "n")
    let long = PlainText(String(repeating: "n", count: 256))
    let text = PlainText(String(repeating: "x", count: (1 << 20) - 2))
    model.make(
      .upsert,
      set: [
        field(name, "1"), field(long, "1"), PlainMember("text", .text(text)),
        PlainMember("array", RandomStream.nestedArray(depth: 32)),
      ])
  }

  @Test mutating func `hide each other where late history left both set`() {
    model.make(.upsert, at: noon - 9)
    model.make(.update, set: [field("a.b", "1")], at: noon - 1)
    model.make(.update, set: [field("a", "2")], at: noon - 5)
    #expect(model.shown == #"{"a":{"b":1}}"#)
    // Both count as set, so setting what shows unsets what is hidden.
    #expect(model.make(.update, set: [field("a.b", "1")]).changesText == #"{"a":null}"#)
    #expect(model.outcome(.update, set: [field("a.b", "1")]) == .nothing)
  }

  @Test mutating func `show again when what hid them is unset`() {
    model.make(.upsert, at: noon - 9)
    model.make(.update, set: [field("a.b", "1")], at: noon - 1)
    model.make(.update, set: [field("a", "2")], at: noon - 5)
    model.make(.update, unset: ["a.b"])
    #expect(model.shown == #"{"a":2}"#)
  }

  @Test mutating func `hide although hidden themselves`() {
    model.make(.upsert, at: noon - 9)
    model.make(.update, set: [field("a.b.c", "3")], at: noon - 1)
    model.make(.update, set: [field("a.b", "2")], at: noon - 3)
    model.make(.update, set: [field("a", "1")], at: noon - 5)
    model.make(.update, set: [field("a.bc", "0")], at: noon - 6)
    // a.b.c hides a.b and a; a, though hidden, hides a.bc.
    #expect(model.shown == #"{"a":{"b":{"c":3}}}"#)
    #expect(
      model.make(.update, set: [field("a", "1")]).changesText
        == #"{"a.b":null,"a.b.c":null,"a.bc":null}"#)
    #expect(model.shown == #"{"a":1}"#)
  }
}
