import LedgerFormat
import Testing

@testable import TaskLedger

struct `A stream of lines` {
  /// Lines that nobody can read, and one that says clearly that it is alone.
  private static let broken = [
    #"{"kind":"#, "nonsense", #"{"kind":"upsert"} x"#, #"{"task":"a"}"#,
  ]

  /// Some hundred lines, some of them bad, under one clock.
  private static func lines(_ seed: UInt64) -> (now: Int64, texts: [String]) {
    var random = SplitMix64(seed: seed)
    var texts: [String] = []
    var now: Int64 = 0
    for step in RandomStream(seed: seed, refusedPercent: 3).prefix(TestSettings.steps(100)) {
      now = step.now
      texts.append(contentsOf: step.applyLines)
      if random.chance(15) { texts.insert(random.pick(broken), at: random.below(texts.count)) }
    }
    return (now, texts)
  }

  /// The numbers of the bad lines, as the sentences give them.
  private static func numbers(_ errors: [LedgerError]) -> [Int] {
    errors.compactMap { error in
      error.sentence.split { !$0.isNumber }.first.flatMap { Int($0) }
    }
  }

  @Test(arguments: TestSettings.seeds(10), [false, true])
  func `does what the plain model does, to its end or up to a bad line`(
    seed: UInt64, continues: Bool
  ) throws {
    let (now, texts) = Self.lines(seed)
    let bench = try TestLedger(sealEvents: seed % 2 == 0 ? 16 : nil)
    bench.setClock(now)
    let ledger = try bench.open(author: "model")
    var model = PlainModel(replica: PlainText(try ledger.statistics().replica))
    let read = PlainLines.read(Array(texts.joined(separator: "\n").utf8)) { "new" }
    let expected = model.apply(read, now: now, continuing: continues)
    let summary = try ledger.apply(try Lines.split(texts), continues: continues)

    let label = "seed \(seed)"
    #expect(summary.lines == expected.linesIn, "\(label)")
    #expect(summary.events == expected.events, "\(label)")
    #expect(summary.unchanged == expected.linesWithoutChange, "\(label)")
    let numbers = Self.numbers(summary.errors)
    #expect(numbers == numbers.sorted(), "\(label)")
    if continues {
      // The model names the first bad line of a transaction only.
      #expect(Set(numbers).isSuperset(of: expected.badLines), "\(label): \(numbers)")
      #expect(summary.lines + summary.dropped == texts.count, "\(label)")
    } else {
      #expect(numbers == expected.badLines, "\(label)")
    }
    #expect(try ledger.replay().digest == model.digest(), "\(label)")
    var found: [PlainEvent] = []
    try ledger.forEachEvent { event in
      found.append(PlainEvent(event))
      return true
    }
    #expect(
      difference(found.map(\.stamp), model.events.map(\.stamp)) == nil
        && difference(found.map(\.changes), model.events.map(\.changes)) == nil
        && difference(found.map(\.transaction), model.events.map(\.transaction)) == nil,
      "\(label)")
  }

  @Test func `stops at the first bad line, whether it cannot be read or is refused`() throws {
    let lines = [
      #"{"kind":"upsert","task":"a"}"#, #"{"kind":"toggle","task":"none"}"#, "nonsense",
      #"{"kind":"upsert","task":"b"}"#,
    ]
    let stopped = try TestLedger().open().apply(try Lines.split(lines))
    #expect(Self.numbers(stopped.errors) == [2])
    #expect(stopped.lines == 1)
    let ledger = try TestLedger().open()
    let whole = try ledger.apply(try Lines.split(lines), continues: true)
    #expect(Self.numbers(whole.errors) == [2, 3])
    #expect(whole.lines == 2 && whole.dropped == 2)
    #expect(try ledger.tasks().map(\.id) == ["a", "b"])
  }

  @Test func `names a refused line before an unreadable one of the same transaction`() throws {
    let lines = [
      #"{"kind":"upsert","task":"a","transaction":1}"#,
      #"{"kind":"toggle","task":"none","transaction":1}"#,
      #"{"kind":"upsert","task":"b","sot":{},"transaction":1}"#,
      #"{"kind":"upsert","task":"c","transaction":2}"#,
    ]
    for continues in [false, true] {
      let ledger = try TestLedger().open()
      let summary = try ledger.apply(try Lines.split(lines), continues: continues)
      #expect(Self.numbers(summary.errors) == (continues ? [2, 3] : [2]))
      #expect(try ledger.tasks().map(\.id) == (continues ? ["c"] : []))
      #expect(summary.events == (continues ? 1 : 0))
    }
  }

  @Test func `never takes half of a transaction, whichever of its lines cannot be read`() throws {
    func line(_ task: String, _ transaction: Int) -> String {
      "{\"kind\":\"upsert\",\"task\":\"\(task)\",\"transaction\":\(transaction)}"
    }
    let whole = [line("a1", 1), line("a2", 1), line("b1", 2), line("b2", 2), line("c", 3)]
    for (cut, left) in [
      (0, ["b1", "b2", "c"]), (1, ["c"]), (2, ["c"]), (3, ["a1", "a2"]), (4, ["a1", "a2"]),
    ] {
      var lines = whole
      lines[cut] = String(lines[cut].prefix(20))
      let ledger = try TestLedger().open()
      let summary = try ledger.apply(try Lines.split(lines), continues: true)
      #expect(try ledger.tasks().map(\.id.text) == left, "line \(cut + 1) is cut")
      #expect(summary.lines == left.count && summary.lines + summary.dropped == 5)
    }
  }

  @Test func `has all in that stands before a bad line, however long it is`() throws {
    var texts = (1...5000).map { "{\"kind\":\"upsert\",\"task\":\"task \($0)\"}" }
    texts[4499] = #"{"kind":"toggle","task":"none"}"#
    let lines = try Lines.split(texts)
    let bench = try TestLedger(sealEvents: 1000)
    let summary = try bench.open().apply(lines)
    #expect(Self.numbers(summary.errors) == [4500])
    #expect(summary.lines == 4499 && summary.events == 4499)
    // What was said of the lines is true: the rest can follow.
    let rest = try bench.open().apply(lines[4500...])
    #expect(rest.errors.isEmpty && rest.lines == 500)
    #expect(try bench.open().lastSequence == 4999)
  }
}
