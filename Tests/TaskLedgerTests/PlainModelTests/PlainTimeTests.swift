import Testing

struct `Time and stamps in the plain model` {
  private var model = PlainModel(replica: "b")

  @Test mutating func `never go backwards without a given time`() {
    #expect(model.make(.upsert).stamp == PlainStamp(time: noon, replica: "b", count: 1))
    model.make(.toggle, at: noon + 5000)
    model.run(PlainCommand(.toggle, "t"), now: noon - 5000)
    #expect(model.events.last!.stamp == PlainStamp(time: noon + 5000, replica: "b", count: 3))
    #expect(model.events.last!.recorded == noon - 5000)
    model.run(PlainCommand(.toggle, "t"), now: noon + 6000)
    #expect(model.events.last!.stamp.time == noon + 6000)
  }

  @Test(arguments: ["a", "c"] as [PlainText])
  mutating func `step past the newest event of another replica`(other: PlainText) {
    var foreign = PlainModel(replica: other)
    foreign.make(.upsert, at: noon + 10)
    model.receive(foreign.events)
    #expect(model.make(.toggle).stamp.time == noon + 11)
    #expect(model.make(.toggle).stamp.time == noon + 11)
  }

  @Test mutating func `may lie a day ahead and no more`() {
    let day: Int64 = 86_400_000
    #expect(model.outcome(.upsert, at: noon + day + 1) == .refused(.future))
    model.make(.upsert, at: noon + day)
  }

  @Test mutating func `make a late command act on the task as it stood`() {
    model.make(.upsert, set: [field("a", "1")], at: noon - 9)
    model.make(.toggle, at: noon - 1)
    #expect(model.make(.toggle, at: noon - 5).changesText == #"{"isCompleted":true}"#)
    #expect(model.outcome(.update, set: [field("a", "1")], at: noon - 4) == .nothing)
    #expect(model.outcome(.toggle, at: noon - 10) == .refused(.noTask))
    #expect(model.history(of: "t").map(\.lost) == [[], [], ["isCompleted"]])
    #expect(model.history(of: "t")[1].changes[0].old == true)
  }

  @Test mutating func `order events of one millisecond by count`() {
    model.make(.upsert, at: noon)
    model.make(.toggle, at: noon)
    #expect(model.make(.toggle, at: noon).changesText == #"{"isCompleted":false}"#)
  }

  @Test mutating func `let a late upsert create the task a second time, earlier`() {
    model.make(.upsert, set: [field("a", "1"), field("body", #""x""#)], at: noon - 1)
    let event = model.make(.upsert, set: [field("a", "2"), field("b", "3")], at: noon - 5)
    #expect(event.changesText == #"{"a":2,"b":3}"#)
    #expect(model.shown == #"{"a":1,"b":3}"#)
    #expect(model.history(of: "t")[1].lost == ["a"])
    #expect(model.history(of: "t")[0].changes.map(\.old) == [2, ""])
  }

  @Test mutating func `let an evict in the past leave the later fields without a task`() {
    model.make(.upsert, at: noon - 9)
    model.make(.update, set: [field("a", "1")], at: noon - 1)
    model.make(.evict, at: noon - 5)
    let history = model.history(of: "t")
    // Just before its stamp there is no task any more, so nothing was old.
    #expect(history[1].changes == [.init(name: "a", old: nil, new: 1)])
    #expect(history[1].lost == [])
  }

  @Test mutating func `show any moment again, by number and by time`() {
    model.make(.upsert, set: [field("a", "1")], at: noon - 5)
    model.make(.update, set: [field("a", "2")], at: noon - 1)
    model.make(.update, set: [field("a", "3")], at: noon - 3)
    func value(_ moment: PlainModel.Moment) -> PlainJSON? {
      model.task("t", at: moment)?.reading("a")
    }
    #expect(value(.sequence(0)) == nil)
    #expect(value(.sequence(1)) == 1)
    #expect(value(.sequence(3)) == 2)
    #expect(model.documents(at: .sequence(0)) == [])
    #expect(model.documents(at: .sequence(4)) == nil)
    #expect(value(.time(noon - 6)) == nil)
    #expect(value(.time(noon - 2)) == 3)
    #expect(value(.time(noon + 1_000_000_000)) == 2)
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-30T12:00:00.123Z", 1_796_040_000_123),
      ("2026-11-30t12:00:00.1239z", 1_796_040_000_123), ("1969-12-31T23:59:59.9Z", -100),
      ("2026-11-30T12:00:00+01:30", 1_796_034_600_000),
      ("2000-02-29T00:00:00-00:01", 951_782_460_000),
      ("0000-01-01T00:00:00Z", -62_167_219_200_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ] as [(PlainText, Int64)])
  func `are read from RFC 3339`(text: PlainText, time: Int64) {
    #expect(PlainTime.milliseconds(text) == time)
    #expect(PlainTime.milliseconds(PlainText(PlainTime.text(time))) == time)
  }

  @Test(
    arguments: [
      "", "2026-11-30", "2026-02-29T00:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T12:00:00",
      "2026-11-30T12:00:00.Z", "2026-11-30T12:00Z", "2026-11-30T12:00:00+1:00", "1796040000123",
    ] as [PlainText])
  func `are not read from other texts`(text: PlainText) {
    #expect(PlainTime.milliseconds(text) == nil)
  }
}
