import Testing

/// Histories that were measured once and for all: counts and digests must come out exactly.
struct `Real histories in the plain model` {
  @Test(arguments: RealHistory.all)
  func `give the counts and the digest that are written down`(history: RealHistory) throws {
    let lines = PlainLines.read(try history.bytes) { "every line names its task" }
    var model = PlainModel()
    let applied = model.apply(lines, now: 1_900_000_000_000)
    #expect(applied.badLines == [])
    #expect(applied.linesIn == history.lines)
    #expect(model.events.count == history.events)
    #expect(model.documents()?.count == history.tasks)
    #expect(model.digest() == history.digest)
  }
}
