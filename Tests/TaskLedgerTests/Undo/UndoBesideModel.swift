import LedgerTestSupport
import Testing

@testable import TaskLedger

/// A ledger and the plain model of undo that are told the same, and must say the same.
struct UndoBesideModel {
  let label: String
  let bench: TestLedger
  /// Whether changes with earlier times come in between.
  let isLate: Bool
  private var handles: [Ledger]
  private var model = PlainUndo()
  private var random: SplitMix64
  /// The change at the root of each event that undoes or redoes.
  private var roots: [UInt64: Int] = [:]
  private var lastValue = 0
  private var now: Int64 = noon
  /// How often each answer was met.
  private(set) var met: [String: Int] = [:]

  private static let authors = ["ann", "bob", "cy"]
  private static let ids = (0..<5).map { TaskID(stringLiteral: "task-\($0)") }

  init(seed: UInt64, isLate: Bool = false) throws {
    self.isLate = isLate
    label = "seed \(seed)"
    bench = try TestLedger(
      sealEvents: seed % 2 == 0 ? 5 : nil, snapshotEvents: [7, nil][Int(seed / 2) % 2])
    let bench = bench
    handles = try (0..<2).map { _ in try bench.open() }
    random = SplitMix64(seed: seed &* 77)
  }

  mutating func step() throws {
    now += 1
    bench.setClock(now)
    let author = random.pick(Self.authors)
    switch random.below(100) {
    case 0..<40: try change(author)
    case 40..<52: try isLate ? changeLate(author) : change(author)
    case 52..<72: try undo(author, .last, expecting: model.undoingLast(of: PlainText(author)))
    case 72..<80:
      let id = random.pick(Self.ids)
      guard try handles[0].revision(of: id) != nil else { return }
      try undo(author, .task(id), expecting: model.undoing(task: PlainText(id)))
    case 80..<96: try redo(author)
    case 96..<98: _ = try random.pick(handles).compact(.merge)
    default:
      let bench = bench
      handles = try (0..<2).map { _ in try bench.open() }
    }
    try compareTasks()
  }

  private mutating func change(_ author: String) throws {
    let unmade = model.unmade
    let tasks = Self.ids.filter { !unmade.contains(PlainText($0)) }
    var events: [Event] = []
    try random.pick(handles).transaction(author: author) { transaction in
      for _ in 0..<(1 + random.below(3)) {
        guard let id = tasks.isEmpty ? nil : random.pick(tasks) else { return }
        try change(id, transaction)
      }
      events = transaction.events
    }
    model.take(events.map { PlainEvent($0) })
  }

  private mutating func change(_ id: TaskID, _ transaction: Transaction) throws {
    guard try transaction.task(id) != nil else {
      try transaction.upsert(TaskItem(id: id, body: "made \(nextValue())"))
      return
    }
    switch random.below(10) {
    case 0: try transaction.delete(id)
    case 1: try transaction.restore(id)
    case 2: try transaction.toggle(id)
    case 3: try transaction.evict(id)
    case 4:
      var item = TaskItem(id: id)
      item[random.pick(["body", "tags"])] = .text("upserted \(nextValue())")
      try transaction.upsert(item)
    default:
      try transaction.update(id) { item in
        for _ in 0..<(1 + random.below(2)) {
          let name = random.pick(
            ["body", "due", isLate ? "note" : "tags", "tags", "tags.home", "tags.home.kitchen"])
          let unsets = name != "body" && random.chance(25)
          item[name] = unsets ? nil : .text("updated \(nextValue())")
        }
      }
    }
  }

  /// One or two changes of a task as it was at some time since it was made.
  private mutating func changeLate(_ author: String) throws {
    let unmade = model.unmade
    let tasks = Self.ids.filter { !unmade.contains(PlainText($0)) }
    // Two that set the same value of one task, the later one first, are another's, too.
    let chosen = random.shuffle(tasks).prefix(1 + random.below(2))
    let commands = try chosen.map { task in
      let kind = random.pick([EventKind.update, .update, .update, .toggle, .delete])
      var changes: [FieldChange] = []
      if kind == .update {
        let name = random.pick(["body", "due", "note"])
        let unsets = name != "body" && random.chance(25)
        changes = [
          FieldChange(FieldName(unchecked: name), unsets ? nil : .text("late \(nextValue())"))
        ]
      }
      let time = LedgerTime(unchecked: noon + Int64(random.below(Int(now - noon) + 1)))
      return Command(
        kind, task, try ChangeSet(changes), time: time, author: author)
    }
    var events: [Event] = []
    do {
      try random.pick(handles).transaction(author: author) { transaction in
        for command in commands { _ = try transaction.perform(command) }
        events = transaction.events
      }
    } catch let error as LedgerError where error.code == .noSuchTask {
      met["late, no task", default: 0] += 1
      return
    }
    met["late", default: 0] += events.count
    model.take(events.map { PlainEvent($0) })
  }

  /// Values are never the same twice: a change that happens to set the old value again is another test's.
  private mutating func nextValue() -> Int {
    lastValue += 1
    return lastValue
  }

  private mutating func undo(
    _ author: String, _ target: UndoTarget, expecting expected: PlainUndo.Answer
  ) throws {
    let ledger = random.pick(handles)
    let before = try ledger.replay().digest
    let (answer, outcome) = try answer { try ledger.undo(target, author: author) }
    let end = try ledger.lastSequence
    if expected != .unknown {
      let story = answer == expected ? "" : try story()
      #expect(
        answer == expected, "\(label), event \(end), undo \(target) by \(author)\n\(story)")
      met["undo \(answer.name)", default: 0] += 1
    } else {
      met["undo, not known how", default: 0] += 1
    }
    guard let outcome else { return }
    note(outcome)
    if case .done(let sequences) = answer { model.undo(sequences) }
    guard random.chance(30) else { return }
    // Redo brings back exactly what was there, whichever handle does it.
    let other = random.pick(handles)
    note(try other.redo(author: author))
    if case .done(let sequences) = answer { model.redo(sequences) }
    #expect(try other.replay().digest == before, "\(label), redo after undo \(target)")
  }

  private mutating func redo(_ author: String) throws {
    let ledger = random.pick(handles)
    let planned = try? ledger.redo(author: author, isDryRun: true)
    let before = try ledger.replay().digest
    let (answer, outcome) = try answer { try ledger.redo(author: author) }
    met["redo \(answer.name)", default: 0] += 1
    guard let outcome, case .done(let sequences) = answer else { return }
    #expect(model.undone.isSuperset(of: sequences), "\(label): redone was what was not undone")
    #expect(planned?.tasks.map(\.after) == outcome.tasks.map(\.after), "\(label), dry run")
    note(outcome)
    model.redo(sequences)
    guard random.chance(30) else { return }
    let number = try #require(outcome.transaction)
    note(try random.pick(handles).undo(.transaction(number), author: author))
    model.undo(sequences)
    #expect(try ledger.replay().digest == before, "\(label), undo of redo")
  }

  private func answer(
    _ body: () throws -> UndoOutcome
  ) throws -> (PlainUndo.Answer, UndoOutcome?) {
    do {
      let outcome = try body()
      let undone = outcome.tasks.flatMap { $0.steps.map { roots[$0.undoes] ?? Int($0.undoes) } }
      return (.done(undone.sorted()), outcome)
    } catch let error as LedgerError {
      switch error.code {
      case .conflict:
        #expect(!error.conflicts.isEmpty, "\(label)")
        return (.refused, nil)
      case .nothingToUndo: return (.nothing, nil)
      default: throw error
      }
    }
  }

  private mutating func note(_ outcome: UndoOutcome) {
    for step in outcome.tasks.flatMap(\.steps) {
      guard let event = step.event else { continue }
      let root = roots[step.undoes] ?? Int(step.undoes)
      roots[event.sequence] = root
      model.note([(PlainEvent(event), root)])
    }
  }

  private func compareTasks() throws {
    let ledger = handles[1]
    let end = try ledger.lastSequence
    let unmade = model.unmade
    for id in Self.ids {
      let found = try ledger.task(id)
      let expected = model.task(PlainText(id))
      if !unmade.contains(PlainText(id)) {
        let document =
          expected.exists ? String(decoding: expected.document.canonical, as: UTF8.self) : nil
        let story = found?.json == document ? "" : try story(id)
        #expect(found?.json == document, "\(label), event \(end), \(id)\n\(story)")
      } else {
        #expect(expected.exists || found?.isDeleted ?? true, "\(label), \(id)")
      }
    }
  }

  /// What was done to the tasks, or to one, for people.
  private func story(_ id: TaskID? = nil) throws -> String {
    var lines: [String] = []
    try handles[0].forEachEvent { event in
      guard id == nil || event.task == id else { return true }
      let changes = event.changes.map { "\($0.name)=\($0.value?.description ?? "unset")" }
      let undoes = event.undoes.map { " undoes \($0)" } ?? ""
      let mark = model.undone.contains(Int(event.sequence)) ? " undone" : ""
      lines.append(
        "\(event.sequence) in \(event.transaction) at \(event.time.milliseconds - noon) \(event.author) \(event.kind) \(event.task) \(changes.joined(separator: " "))\(undoes)\(mark)"
      )
      return true
    }
    return lines.joined(separator: "\n")
  }

  /// Goes back to some moments, each time in a copy, across whatever was undone and redone since.
  func goBack() throws {
    let options = TaskListOptions(includesDeleted: true)
    let end = try handles[0].lastSequence
    for number in stride(from: end / 7, to: end, by: Int(end / 3 + 1)) {
      let copy = try Ledger(
        bench.directory.copy(), author: "ann", configuration: bench.configuration)
      let expected = try copy.at(.sequence(number)).tasks(options)
      do {
        try copy.undo(.moment(.sequence(number)))
      } catch let error as LedgerError where error.code == .nothingToUndo {}
      var found = try copy.tasks(options)
      found.removeAll { task in task.isDeleted && !expected.contains { $0.id == task.id } }
      #expect(found == expected, "\(label), back to \(number)")
    }
  }

  func finish() throws {
    #expect(try Ledger.verify(bench.directory).isSound, "\(label)")
  }
}

extension PlainUndo.Answer {
  fileprivate var name: String {
    switch self {
    case .done: "done"
    case .refused: "refused"
    case .nothing: "nothing"
    case .unknown: "unknown"
    }
  }
}
