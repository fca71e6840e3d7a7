import LedgerTestSupport
import Testing

@testable import TaskLedger

/// A ledger with a short random history of late events, undos and redos, and the plain model that knows its events alone: what the
/// tasks were at a moment, and are after going back to it, follows from them by sorting and folding.
struct MomentBesideModel {
  /// What going back came to.
  enum Answer: Hashable {
    /// Something was undone.
    case done
    /// There was nothing to undo.
    case nothing
  }

  let label: String
  let bench: TestLedger
  private let ledger: Ledger
  private var model: PlainModel
  private var random: SplitMix64
  private var now = Self.day(30)
  /// Events up to this one were folded, and their newest time.
  private var horizon: (sequence: Int, time: Int64)?

  private static let ids: [TaskID] = ["t", "u"]
  private static let authors = ["ann", "bob"]

  /// The first instant of a day; the clock stands at day 30 and goes on.
  private static func day(_ number: Int) -> Int64 { noon + Int64(number) * 86_400_000 }

  init(seed: UInt64) throws {
    label = "seed \(seed)"
    bench = try TestLedger(sealEvents: [nil, 3, 5][Int(seed % 3)])
    bench.setClock(now)
    ledger = try bench.open(author: "ann")
    model = PlainModel(replica: PlainText(try ledger.statistics().replica))
    random = SplitMix64(seed: seed &* 0x9E37_79B9)
    for _ in 0..<(3 + random.below(10)) { try step() }
    if random.chance(10) { try fold() }
  }

  private mutating func step() throws {
    now += Int64(random.below(3))
    bench.setClock(now)
    let author = random.pick(Self.authors)
    switch random.below(100) {
    case 0..<50: try change(author, at: Self.day(1 + random.below(20)))
    case 50..<70: try change(author, at: nil)
    case 70..<94: undo(author)
    default:
      let moment: Moment =
        random.chance(50)
        ? .sequence(UInt64(random.below(model.events.count + 1)))
        : .time(LedgerTime(unchecked: Self.day(1 + random.below(20))))
      _ = try? ledger.undo(.moment(moment), author: author)
    }
    try learn(from: ledger, into: &model)
  }

  private mutating func change(_ author: String, at time: Int64?) throws {
    let commands = try (0..<(random.chance(25) ? 2 : 1)).map { _ in
      let kind = random.pick(
        [EventKind.upsert, .upsert, .upsert, .update, .update, .toggle, .delete, .evict])
      let hasChanges = kind == .upsert || kind == .update
      return Command(
        kind, random.chance(70) ? Self.ids[0] : Self.ids[1], hasChanges ? try changes() : .empty,
        time: time.map { LedgerTime(unchecked: $0) }, author: author)
    }
    // One that is refused leaves nothing.
    _ = try? ledger.transaction { transaction in
      for command in commands { _ = try transaction.perform(command) }
    }
  }

  /// Few fields and few values, so that changes meet, and old values come back by other ways than an undo.
  private mutating func changes() throws -> ChangeSet {
    var changes: [FieldChange] = []
    for name in ["p", "q", "q.r", "body", "isDeleted"] where random.chance(30) {
      let field = FieldName(unchecked: name)
      guard !changes.contains(where: { $0.name.collides(with: field) }) else { continue }
      let value: Value =
        switch name {
        case "body": .text(random.pick(["", "A", "B"]))
        case "isDeleted": .bool(random.chance(50))
        default: .int(Int64(random.below(3)))
        }
      changes.append(FieldChange(field, random.chance(20) ? nil : value))
    }
    return try ChangeSet(changes)
  }

  private mutating func undo(_ author: String) {
    let isForced = random.chance(30)
    let target: UndoTarget =
      switch random.below(4) {
      case 0: .last
      case 1: .transaction(UInt64(1 + random.below(max(1, model.events.count))))
      default: .task(random.pick(Self.ids))
      }
    if random.chance(30) {
      _ = try? ledger.redo(author: author, isForced: isForced)
    } else {
      _ = try? ledger.undo(target, author: author, isForced: isForced)
    }
  }

  private mutating func fold() throws {
    guard model.events.count > 1 else { return }
    let sequence = 1 + random.below(model.events.count)
    // Up to the first number that the fold can stop at, from there on; where it finds none it does nothing.
    guard (try? ledger.compact(.fold(before: .sequence(UInt64(sequence))))) != nil else { return }
    guard let found = try ledger.currentView().horizon else { return }
    horizon = (Int(found.sequence), found.newest.time.milliseconds)
  }

  /// Takes over the events that the model does not know yet.
  private func learn(from ledger: Ledger, into model: inout PlainModel) throws {
    var events: [PlainEvent] = []
    try ledger.forEachEvent(EventFilter(after: UInt64(model.events.count))) { event in
      events.append(PlainEvent(event))
      return true
    }
    for event in events { model.append(event) }
  }

  /// Moments of both kinds, those between events and at their very times, that lie behind what was folded.
  func moments(_ count: Int) -> [PlainModel.Moment] {
    var random = random
    let times = model.events.map(\.stamp.time).sorted()
    return (0..<count).compactMap { _ in
      if random.chance(50) {
        let number = random.below(model.events.count + 1)
        return number >= horizon?.sequence ?? 0 ? .sequence(number) : nil
      }
      guard !times.isEmpty else { return nil }
      let time = random.pick(times) + random.pick([0, 0, 43_200_000, -1])
      return time >= horizon?.time ?? .min ? .time(time) : nil
    }
  }

  /// Goes back in a copy, and to where it was again.
  func goBack(to moment: PlainModel.Moment) throws -> Answer {
    let label = "\(label), back to \(moment)"
    let copy = try Ledger(
      bench.directory.copy(), author: "ann", configuration: bench.configuration)
    var after = model
    let outcome = try goBack(copy, to: moment, label)
    try learn(from: copy, into: &after)
    let expected = try #require(model.documents(at: moment))
    let wrong = try check(after, copy, asIn: expected)
    #expect(wrong == [], "\(label): \(wrong.isEmpty ? "" : story(after))")
    guard let transaction = outcome?.transaction else {
      #expect(after.events.count == model.events.count, "\(label)")
      return .nothing
    }
    #expect(try goBack(copy, to: moment, label) == nil, "\(label), again")
    // It can be taken back as a whole, and then all is as it was.
    try copy.undo(.transaction(transaction))
    try learn(from: copy, into: &after)
    let isRestored = after.digest() == model.digest()
    #expect(isRestored, "\(label), and forth again: \(isRestored ? "" : story(after))")
    return .done
  }

  /// Undoes something in a copy, whatever it is, and takes that back: then all is as it was.
  ///
  /// - Returns: whether there was something that could be undone.
  func undoAndTakeBack() throws -> Bool {
    var random = random
    let copy = try Ledger(
      bench.directory.copy(), author: random.pick(Self.authors), configuration: bench.configuration)
    let number = UInt64(1 + random.below(max(1, model.events.count)))
    let target = random.pick([.last, .task(random.pick(Self.ids)), UndoTarget.transaction(number)])
    let label = "\(label), \(target)"
    let outcome: UndoOutcome
    do {
      outcome = try copy.undo(target, isForced: random.chance(50))
    } catch let error as LedgerError {
      let expected: [LedgerError.Code] = [
        .conflict, .nothingToUndo, .beyondEnd, .noSuchTask, .invalid,
      ]
      let isExpected = expected.contains(error.code) && !error.message.contains("exclude")
      if !isExpected { Issue.record(error, "\(label)\n\(story(model))") }
      return false
    }
    var after = model
    try learn(from: copy, into: &after)
    for task in outcome.tasks { #expect(try copy.task(task.id) == task.after, "\(label), as told") }
    do {
      try copy.undo(.transaction(try #require(outcome.transaction)))
    } catch let error as LedgerError where error.code == .nothingToUndo {
      // Its steps had come to nothing.
    }
    try learn(from: copy, into: &after)
    let isRestored = after.digest() == model.digest()
    #expect(isRestored, "\(label), and forth again: \(isRestored ? "" : story(after))")
    return true
  }

  private func goBack(
    _ ledger: Ledger, to moment: PlainModel.Moment, _ label: String
  ) throws -> UndoOutcome? {
    guard let target = moment.ofLedger else { return nil }
    do {
      let planned = try ledger.undo(.moment(target), isDryRun: true)
      let outcome = try ledger.undo(.moment(target))
      #expect(outcome.leftAlone.isEmpty, "\(label)")
      #expect(planned.tasks.map(\.after) == outcome.tasks.map(\.after), "\(label)")
      for task in outcome.tasks {
        #expect(try ledger.task(task.id) == task.after, "\(label), as told")
        #expect(task.before != task.after, "\(label): nothing was done to \(task.id), but is told")
        #expect(task.steps.allSatisfy { $0.event != nil }, "\(label)")
      }
      return outcome
    } catch let error as LedgerError {
      if error.code != .nothingToUndo { Issue.record(error, "\(label)\n\(story(model))") }
      return nil
    }
  }

  /// The tasks that are otherwise than at the moment; one that did not exist then may be there, deleted.
  private func check(
    _ after: PlainModel, _ ledger: Ledger, asIn expected: [PlainModel.Document]
  ) throws -> [TaskID] {
    let found = try #require(after.documents())
    return try Self.ids.filter { id in
      let item = try ledger.task(id)
      guard item.map(PlainModel.Document.init) == found.first(where: { $0.id == PlainText(id) })
      else { return true }
      guard let wanted = expected.first(where: { $0.id == PlainText(id) }) else {
        return !(item?.isDeleted ?? true)
      }
      return item.map(PlainModel.Document.init) != wanted
    }
  }

  /// The events, for people.
  private func story(_ model: PlainModel) -> String {
    model.events.map { event in
      let days = Double(event.stamp.time - noon) / 86_400_000
      return
        "\(event.sequence) in \(event.transaction) @\(days) \(event.kind) \(event.task) \(event.changesText)"
    }.joined(separator: "\n")
  }
}
