import Testing

struct `The life of a task in the plain model` {
  private var model = PlainModel()

  @Test mutating func `starts with an upsert that records defaults and no nulls`() {
    let event = model.make(
      .upsert, set: [field("body", #""""#), field("isDeleted", "false"), field("a", "null")])
    #expect(event.changesText == #"{"body":"","isDeleted":false}"#)
  }

  @Test mutating func `goes on with what differs only`() {
    model.make(.upsert, set: [field("a", "1"), field("body", #""x""#)])
    let event = model.make(
      .upsert, set: [field("a", "1.0"), field("b", "2"), field("isDeleted", "false")])
    #expect(event.changesText == #"{"b":2}"#)
    #expect(model.outcome(.upsert) == .nothing)
    #expect(model.outcome(.update, set: [field("isCompleted", "false")]) == .nothing)
    #expect(model.outcome(.update, unset: ["isCompleted"]) == .nothing)
  }

  @Test mutating func `does not change when a default that was set is unset`() {
    model.make(.upsert, set: [field("body", #""""#), field("isCompleted", "true")])
    #expect(model.outcome(.update, unset: ["body"]) == .nothing)
    #expect(model.make(.update, unset: ["isCompleted"]).changesText == #"{"isCompleted":null}"#)
    #expect(model.task("t")!.reading("isCompleted") == false)
  }

  @Test(arguments: [PlainCommand.Kind.update, .toggle, .delete, .restore, .evict])
  mutating func `is needed by all but an upsert`(kind: PlainCommand.Kind) {
    #expect(model.outcome(kind) == .refused(.noTask))
    model.make(.upsert)
    model.make(.evict)
    #expect(model.outcome(kind) == .refused(.noTask))
    #expect(model.outcome(kind, at: noon - 1) == .refused(.noTask))
  }

  @Test mutating func `is toggled, deleted and restored`() {
    model.make(.upsert)
    #expect(model.make(.toggle).changesText == #"{"isCompleted":true}"#)
    #expect(model.make(.toggle).changesText == #"{"isCompleted":false}"#)
    #expect(model.outcome(.restore) == .nothing)
    #expect(model.make(.delete).changesText == #"{"isDeleted":true}"#)
    #expect(model.outcome(.delete) == .nothing)
    #expect(model.make(.toggle).changesText == #"{"isCompleted":true}"#)
    #expect(model.documents()!.count == 1)
    let restore = model.make(.restore)
    #expect(restore.kind == .update)
    #expect(restore.changesText == #"{"isDeleted":false}"#)
  }

  @Test mutating func `ends with an evict, and a new one knows nothing of it`() {
    model.make(.upsert, set: [field("a", "1"), field("isDeleted", "true")])
    model.make(.evict)
    #expect(model.documents() == [])
    model.make(.upsert, set: [field("b", "2")])
    #expect(model.shown == #"{"b":2}"#)
    #expect(model.history(of: "t").map(\.kind) == [.upsert, .evict, .upsert])
  }

  @Test mutating func `holds updates from before the upsert that revives it`() {
    model.make(.upsert, at: noon - 9)
    model.make(.update, set: [field("a", "1"), field("b.c", "2")], at: noon - 1)
    model.make(.evict, at: noon - 5)
    #expect(model.documents() == [])
    // A new task records all it is given, even what the present life holds.
    let event = model.make(.upsert, set: [field("a", "1"), field("b", "3"), field("c", "null")])
    #expect(event.changesText == #"{"a":1,"b":3,"b.c":null}"#)
  }

  @Test mutating func `unsets what its first upsert nulls and the life holds already`() {
    model.make(.upsert, at: noon - 9)
    model.make(.update, set: [field("a.b", "1"), field("isDeleted", "true")], at: noon - 1)
    model.make(.evict, at: noon - 5)
    let event = model.make(.upsert, set: [field("a", "null")], unset: ["isDeleted"])
    #expect(event.changesText == #"{"a.b":null,"isDeleted":null}"#)
  }

  @Test mutating func `unsets a held default, too, where its first upsert nulls it`() {
    model.make(.upsert, at: noon - 9)
    model.make(.delete, at: noon - 3)
    model.make(.restore, at: noon - 1)
    model.make(.evict, at: noon - 5)
    let event = model.make(.upsert, set: [field("isDeleted", "null")])
    #expect(event.changesText == #"{"isDeleted":null}"#)
  }

  @Test mutating func `keeps what an earlier life is told late`() {
    model.make(.upsert, set: [field("a", "1")], at: noon - 9)
    model.make(.evict, at: noon - 5)
    model.make(.upsert, set: [field("b", "2")], at: noon - 1)
    model.make(.update, set: [field("a", "3")], at: noon - 7)
    #expect(model.shown == #"{"b":2}"#)
    #expect(model.history(of: "t")[3].lost == ["a"])
  }

  @Test mutating func `is one of two where ids differ in bytes only`() {
    model.make(.upsert, "caf\u{E9}")
    model.make(.upsert, "cafe\u{301}")
    #expect(model.documents()!.map(\.id) == ["cafe\u{301}", "caf\u{E9}"])
  }

  @Test(arguments: [
    "", "a\u{0}", "\u{7F}", "\u{85}", PlainText(String(repeating: "i", count: 257)),
    PlainText(bytes: [0xFF]),
  ])
  mutating func `cannot start under such an id`(id: PlainText) {
    #expect(model.outcome(.upsert, id) == .refused(.taskID))
  }

  @Test(arguments: [" ", "\u{200B}", "\u{1F331}", PlainText(String(repeating: "i", count: 256))])
  mutating func `can start under such an id`(id: PlainText) {
    model.make(.upsert, id)
  }
}
