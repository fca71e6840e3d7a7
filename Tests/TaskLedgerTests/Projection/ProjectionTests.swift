import Foundation
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Projections of random histories: late events, evicts, transactions, seals and snapshots.
struct Projections {
  /// Everything that a projection is told.
  struct Journal: Projection, Equatable {
    struct Line: Equatable {
      var sequence: UInt64?
      var id: TaskID
      var old: TaskItem?
      var new: TaskItem?
    }
    var lines: [Line] = []

    mutating func fold(_ step: ProjectionStep) {
      #expect(step.old?.status == step.oldStatus && step.new?.status == step.newStatus)
      lines.append(
        Line(sequence: step.event?.sequence, id: step.id, old: step.old, new: step.new))
    }
    mutating func reset() { lines = [] }
  }

  private typealias All = (
    Projected<TaskList>, Projected<TaskCounts>, Projected<Activity>, Projected<Journal>
  )

  private func all(_ ledger: Ledger, eventsAlone: Bool = false) throws -> All {
    try ledger.project(
      TaskList(.everything), TaskCounts(), Activity(), Journal(), eventsAlone: eventsAlone)
  }

  private func continued(_ kept: All, _ ledger: Ledger) throws -> All {
    try ledger.project(from: kept.0, kept.1, kept.2, kept.3)
  }

  private func expectSame(_ left: All, _ right: All, _ context: Comment) {
    #expect(left.0.value == right.0.value, context)
    #expect(left.1.value == right.1.value, context)
    #expect(left.2.value == right.2.value, context)
    #expect(left.3.value == right.3.value, context)
    #expect(left.0.position == right.0.position && left.3.position == right.3.position, context)
  }

  /// What the ledger says by other ways.
  private func expectTrue(_ all: All, _ ledger: Ledger, _ context: Comment) throws {
    let tasks = try ledger.find(.everything)
    #expect(all.0.value.tasks == tasks, context)
    #expect(all.1.value.open == tasks.count { !$0.isDeleted && !$0.isCompleted }, context)
    #expect(all.1.value.deleted == tasks.count { $0.isDeleted }, context)
    #expect(all.1.value.total == tasks.count, context)
    let events = try LedgerCheck.allEvents(of: ledger)
    #expect(all.2.value.events.total == UInt64(events.count), context)
    let authors = Dictionary(grouping: events, by: \.author).mapValues { UInt64($0.count) }
    let told = all.2.value.byAuthor.map { ($0.author, $0.events.total) }
    #expect(Dictionary(told, uniquingKeysWith: +) == authors, context)
    let days = Dictionary(grouping: events) { $0.time.description.prefix(10) }
    #expect(all.2.value.byDay.map { $0.day.description.prefix(10) } == days.keys.sorted(), context)
    #expect(
      all.2.value.byDay.map(\.events.total)
        == days.sorted { $0.key < $1.key }.map { UInt64($0.value.count) }, context)
  }

  @Test(arguments: TestSettings.seeds(6))
  func `are the same from nothing, from a snapshot and continued`(seed: UInt64) throws {
    var pair = try SideBySide(
      seed: seed, sealEvents: [4, 1000, 16][Int(seed % 3)], handles: 1)
    let context: Comment = "seed \(seed)"
    var stream = RandomStream(seed: seed)
    var ledger = try pair.bench.open()
    var kept = try all(ledger)
    for round in 0..<8 {
      for step in stream.prefixed(1 + round * 2) { try pair.take(step) }
      if round == 3 { ledger = try pair.bench.open() }
      if round == 5 { _ = try ledger.compact(.merge) }
      let isContinuable = (kept.0.position?.sequence ?? 0) > 0
      kept = try continued(kept, ledger)
      if isContinuable { #expect(kept.0.isContinued && kept.3.isContinued, context) }
      let anew = try all(ledger)
      expectSame(kept, anew, context)
      expectSame(kept, try all(ledger, eventsAlone: true), context)
      try expectTrue(kept, ledger, context)
    }
    // Ones that are kept of different events go on together.
    let first = kept
    for step in stream.prefixed(6) { try pair.take(step) }
    let second = try ledger.project(from: first.3)
    for step in stream.prefixed(6) { try pair.take(step) }
    let both = try ledger.project(from: first.0, second, first.2)
    let anew = try all(ledger)
    #expect(both.0.value == anew.0.value && both.1.value == anew.3.value, context)
    #expect(both.2.value == anew.2.value, context)
  }

  @Test(arguments: TestSettings.seeds(4))
  func `know the task before and after each event, and every moment`(seed: UInt64) throws {
    var pair = try SideBySide(seed: seed &+ 50, sealEvents: 8, handles: 1)
    for step in RandomStream(seed: seed &+ 50).prefix(25) { try pair.take(step) }
    let context: Comment = "seed \(seed)"
    let ledger = try pair.bench.open()
    let events = try LedgerCheck.allEvents(of: ledger)
    let expected = try events.map { event in
      Journal.Line(
        sequence: event.sequence, id: event.task,
        old: try ledger.at(.sequence(event.sequence - 1)).task(event.task),
        new: try ledger.at(.sequence(event.sequence)).task(event.task))
    }
    #expect(try ledger.project(Journal()).value.lines == expected, context)
    let moments =
      events.map { Moment.sequence($0.sequence) } + events.map { Moment.time($0.time) }
    for moment in moments {
      let past = try ledger.at(moment)
      let (list, counts, activity) = try past.project(
        TaskList(.everything), TaskCounts(), Activity(), eventsAlone: events.count % 2 == 0)
      #expect(list.value.tasks == (try past.find(.everything)), context)
      #expect(counts.value.total == list.value.count && counts.position == nil, context)
      let taken = events.filter { event in
        switch moment {
        case .sequence(let last): event.sequence <= last
        case .time(let time): event.time <= time
        }
      }
      #expect(activity.value.events.total == UInt64(taken.count), context)
      let journal = try past.project(Journal()).value.lines
      #expect(journal.compactMap(\.sequence) == taken.map(\.sequence), context)
    }
  }

  @Test(arguments: TestSettings.seeds(6))
  func `say what a fold has removed, and keep what they knew`(seed: UInt64) throws {
    let (context, seed): (Comment, UInt64) = ("seed \(seed)", seed &* 3 + 1)
    var pair = try SideBySide(seed: seed, sealEvents: 8, handles: 1)
    var stream = RandomStream(seed: seed)
    for step in stream.prefixed(20) { try pair.take(step) }
    let ledger = try pair.bench.open()
    let early = try all(ledger)
    for step in stream.prefixed(20) { try pair.take(step) }
    let kept = try all(ledger)
    for number in stride(from: kept.0.position?.sequence ?? 0, to: 0, by: -1) {
      // A late event may stand in the way of a horizon.
      if (try? ledger.compact(.fold(before: .sequence(number)))) != nil { break }
    }
    guard let horizon = try ledger.currentView().horizon?.sequence else { return }
    let anew = try all(ledger)
    #expect(anew.2.foldedThrough == horizon && anew.3.foldedThrough == horizon, context)
    #expect(anew.2.value.events.total == (try ledger.lastSequence) - horizon, context)
    #expect(anew.0.value == kept.0.value && anew.1.value == kept.1.value, context)
    #expect(try all(ledger, eventsAlone: true).0.value == kept.0.value, context)
    let standing = anew.3.value.lines.prefix { $0.sequence == nil }
    let atHorizon = try ledger.at(.sequence(horizon)).find(.everything)
    #expect(standing.compactMap(\.new) == atHorizon, context)

    for step in stream.prefixed(10) {
      guard step.commands.allSatisfy({ $0.asRecorded.time == nil }) else { continue }
      pair.bench.setClock(step.now)
      try ledger.transaction { transaction in
        for command in step.commands {
          _ = try? transaction.perform(command.asRecorded.read(author: "tester"))
        }
      }
    }
    let later = try continued(kept, ledger)
    let isContinuable = (kept.0.position?.sequence ?? 0) >= horizon
    #expect(later.2.isContinued == isContinuable, context)
    if isContinuable {
      #expect(later.2.foldedThrough == 0, context)
      #expect(later.2.value.events.total == (try ledger.lastSequence), context)
    }
    #expect(later.0.value.tasks == (try ledger.find(.everything)), context)
    let fromEarly = try continued(early, ledger)
    #expect(fromEarly.0.value == later.0.value && fromEarly.1.value == later.1.value, context)
    if (early.0.position?.sequence ?? 0) < horizon {
      #expect(!fromEarly.2.isContinued && fromEarly.2.foldedThrough == horizon, context)
    }
  }

  @Test func `are folded anew where they do not fit the ledger`() throws {
    let first = try Ledger.inMemory(tasks: [TaskItem(id: "a"), TaskItem(id: "b")])
    let other = try Ledger.inMemory(tasks: [TaskItem(id: "c"), TaskItem(id: "d")])
    let kept = try first.project(TaskList())
    let there = try other.project(from: kept)
    #expect(!there.isContinued && there.value.tasks.map(\.id) == ["c", "d"])
    var changed = kept
    changed.position?.rules += 1
    #expect(try !first.project(from: changed).isContinued)
    changed = kept
    changed.position?.version += 1
    #expect(try !first.project(from: changed).isContinued)
    changed = kept
    changed.position?.sequence = .max
    #expect(try first.project(from: changed).value == kept.value)
    let empty = try Ledger.inMemory().project(TaskList(), Activity())
    #expect(empty.0.value.tasks.isEmpty && empty.1.position?.sequence == 0)
  }

  @Test func `are folded anew after the ledger went back`() throws {
    let bench = try TestLedger(sealEvents: 4)
    let ledger = try bench.open()
    for number in 0..<10 { try ledger.upsert(TaskItem(id: try TaskID("t\(number)"))) }
    let past = bench.directory.copy()
    for number in 10..<15 { try ledger.upsert(TaskItem(id: try TaskID("t\(number)"))) }
    let kept = try ledger.project(TaskList(), Activity())
    let restored = try Ledger(past, author: "bob", configuration: bench.configuration)
    let shorter = try restored.project(from: kept.0, kept.1)
    #expect(!shorter.0.isContinued && shorter.0.value.count == 10)
    #expect(shorter.1.value.events.total == 10)
    for number in 20..<30 { try restored.upsert(TaskItem(id: try TaskID("t\(number)"))) }
    let longer = try restored.project(from: kept.0, kept.1)
    #expect(!longer.0.isContinued && longer.0.value.count == 20)
    #expect(longer.1.value.byAuthor.map(\.events.total) == [10, 10])
    #expect(try restored.project(from: shorter.0).isContinued)
  }

  @Test func `are folded anew after events were lost`() throws {
    let (bench, other) = (try RepairBench.made(), try RepairBench.made(isOther: true))
    var losses = 0
    for place in RepairBench.Place.allCases where place.isSegment && !place.needsFold {
      let disk = try bench.disk(.flip, place, other: other)
      let whole = try bench.disk.processKilled().open(configuration: bench.configuration)
      let kept = try all(whole)
      let repair = try disk.repair(configuration: bench.configuration)
      let ledger = try disk.open(configuration: bench.configuration)
      let (context, later): (Comment, All) = ("\(place)", try continued(kept, ledger))
      try expectTrue(later, ledger, context)
      expectSame(later, try all(ledger), context)
      if !repair.lost.isEmpty {
        losses += 1
        #expect(!later.0.isContinued && !later.2.isContinued, context)
        #expect(try ledger.project(from: later.2).isContinued, context)
      }
    }
    #expect(losses > 0)
  }

  private struct EventsAlone: Projection {
    static var source: ProjectionSource { .events }
    var sequences: [UInt64] = []
    mutating func fold(_ step: ProjectionStep) {
      #expect(step.old == nil && step.new == nil && step.newStatus == nil)
      sequences.append(step.event?.sequence ?? 0)
    }
    mutating func reset() { sequences = [] }
  }

  @Test func `see no tasks where they ask for events alone`() throws {
    let ledger = try Ledger.inMemory(tasks: [TaskItem(id: "a"), TaskItem(id: "b")])
    let (events, counts) = try ledger.project(EventsAlone(), TaskCounts(), eventsAlone: true)
    #expect(events.value.sequences == [1, 2] && counts.value.open == 2)
    try ledger.toggle("a")
    let (later, recounted) = try ledger.project(from: events, counts)
    #expect(later.value.sequences == [1, 2, 3] && recounted.value.done == 1)
  }

  @Test func `are kept in any format of Codable`() throws {
    let ledger = try Ledger.inMemory(author: "é\u{301}")
    var item = TaskItem(id: "milk", body: "Get milk")
    item["deep.er"] = ["x", [1.5]]
    try ledger.upsert(item)
    try ledger.transaction(author: "e") { try $0.toggle("milk") }
    let (list, counts, activity) = try ledger.project(
      TaskList(Query("!isDeleted && deep.er != null")), TaskCounts(), Activity())
    func copy<T: Codable>(_ value: T) throws -> T {
      try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    }
    try ledger.toggle("milk")
    let (anew, _, counted) = try ledger.project(
      from: copy(list), copy(counts), copy(activity))
    #expect(anew.isContinued && counted.isContinued)
    #expect(anew.value.tasks == [item] && anew.value.query == list.value.query)
    #expect(counted.value == (try ledger.project(Activity()).value))
    #expect(counted.value.byAuthor.map(\.author) == ["é\u{301}", "e"])
  }

  private struct Stop: Error {}
  private struct Failing: Projection {
    var left = 2
    mutating func fold(_ step: ProjectionStep) throws {
      left -= 1
      if left == 0 { throw Stop() }
    }
    mutating func reset() {}
  }

  @Test func `hand on what they throw`() throws {
    let ledger = try Ledger.inMemory(tasks: ["a", "b", "c", "d"].map { TaskItem(id: $0) })
    #expect(throws: Stop.self) { try ledger.project(Failing()) }
    #expect(throws: Stop.self) { try ledger.project(TaskCounts(), Failing()) }
  }
}

extension RandomStream {
  /// The next steps.
  fileprivate mutating func prefixed(_ count: Int) -> [Step] {
    (0..<count).compactMap { _ in next() }
  }
}
