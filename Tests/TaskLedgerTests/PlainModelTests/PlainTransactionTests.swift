import Testing

struct `Transactions in the plain model` {
  private var model = PlainModel()

  @Test mutating func `see what their earlier commands did and carry the first number`() {
    model.make(.upsert, "other")
    let outcome = model.run(
      transaction: [
        PlainCommand(.upsert, "t"), PlainCommand(.upsert, "t"), PlainCommand(.toggle, "t"),
      ], now: noon)
    #expect(outcome == .done([.appended(2), .nothing, .appended(3)]))
    #expect(model.events.map(\.transaction) == [1, 2, 2])
  }

  @Test mutating func `leave nothing behind when one command is refused`() {
    model.make(.upsert, "t")
    let before = (model.text(), model.events, model.ownCount)
    let outcome = model.run(
      transaction: [
        PlainCommand(.toggle, "t"), PlainCommand(.upsert, "new"), PlainCommand(.evict, "none"),
        PlainCommand(.toggle, "t"),
      ], now: noon)
    #expect(outcome == .refused(index: 2, .noTask))
    #expect(model.text() == before.0)
    #expect(model.events == before.1)
    #expect(model.ids == ["t"])
    #expect(model.make(.toggle).stamp.count == before.2 + 1)
  }
}
