import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// Many observers, many writers, and cancellation at any moment.
@Suite struct `Many who observe at once` {
  @Test(arguments: TestSettings.seeds(3))
  func `see the end of what many write, and those who are cancelled end`(
    seed: UInt64
  ) async throws {
    let bench = try TestLedger(sealEvents: 60, sealsInBackground: true)
    let (mine, theirs) = (try bench.open(), try bench.open())
    let writers = 6
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<12 {
        group.addTask { try await Self.observeToTheEnd(mine, number, writers) }
      }
      for number in 0..<24 {
        let steps = Int(SplitMix64(seed: seed &+ UInt64(number)).first % 40)
        group.addTask { await Self.observeForAWhile(mine, yields: steps) }
      }
      for number in 0..<writers {
        group.addTask { try Self.write(number % 3 == 0 ? theirs : mine, number) }
      }
      try await group.waitForAll()
    }
    mine.finishBackgroundWork()
    theirs.finishBackgroundWork()
    #expect(mine.observers.count == 0)
    while mine.observers.isWatching { await Task.yield() }
    #expect(try mine.tasks().count == writers)
  }

  @Test func `follow every event while many write`() async throws {
    let bench = try TestLedger(sealEvents: 50, sealsInBackground: true)
    let ledgers = [try bench.open(), try bench.open()]
    for _ in 0..<8 { try ledgers[0].upsert(TaskItem()) }
    let last = UInt64(8 + 6 * 21)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          var next = UInt64(number)
          for try await event in ledgers[number % 2].events(after: next) {
            next += 1
            #expect(event.sequence == next)
            if next == last { break }
          }
        }
      }
      for number in 0..<6 { group.addTask { try Self.write(ledgers[number % 2], number) } }
      try await group.waitForAll()
    }
    for ledger in ledgers {
      ledger.finishBackgroundWork()
      #expect(ledger.observers.count == 0)
    }
  }

  @Test(arguments: TestSettings.seeds(2))
  func `see what drafts, undo and checkpoints leave, while others are cancelled`(
    seed: UInt64
  ) async throws {
    let bench = try TestLedger(sealEvents: 40, sealsInBackground: true)
    let ledgers = [try bench.open(author: "ann"), try bench.open(author: "bob")]
    for number in 0..<Self.editedTasks { try ledgers[0].upsert(TaskItem(id: Self.id(number))) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for ledger in ledgers {
        group.addTask {
          var shown: [TaskItem] = []
          for try await tasks in try ledger.observe("!isDeleted", sortedBy: "body") {
            shown = tasks.changes.applied(to: shown, new: { tasks[$0] })
            #expect(shown == Array(tasks))
            if shown.contains(where: { $0.id == "the end" }) { break }
          }
          #expect(shown == (try ledger.find("!isDeleted", sortedBy: "body")))
        }
      }
      for number in 0..<16 {
        let steps = Int(SplitMix64(seed: seed &+ UInt64(number)).first % 60)
        group.addTask { await Self.observeForAWhile(ledgers[number % 2], yields: steps) }
      }
      group.addTask {
        try await withThrowingTaskGroup(of: Void.self) { editors in
          for number in 0..<6 {
            editors.addTask { try Self.edit(ledgers[number % 2], number, seed) }
          }
          try await editors.waitForAll()
        }
        try ledgers[0].upsert(TaskItem(id: "the end"))
      }
      try await group.waitForAll()
    }
    for ledger in ledgers {
      ledger.finishBackgroundWork()
      #expect(ledger.observers.count == 0)
    }
  }

  private static let editedTasks = 5

  private static func id(_ number: Int) -> TaskID { TaskID(unchecked: "edited \(number)") }

  /// Saves drafts, undoes and redoes, and moves a checkpoint of its own; what is refused because others were faster is left.
  private static func edit(_ ledger: Ledger, _ number: Int, _ seed: UInt64) throws {
    var random = SplitMix64(seed: seed &* 31 &+ UInt64(number))
    let checkpoint = try ledger.checkpoint("editor-\(number)")
    for step in 0..<15 {
      do {
        switch random.below(6) {
        case 0: try ledger.undo()
        case 1: try ledger.redo()
        case 2: try checkpoint.advance(to: try ledger.lastSequence)
        default:
          let draft = try ledger.edit(id(random.below(editedTasks)))
          draft.body = "\(number)/\(step)"
          if random.chance(30) { draft["f\(number)"] = .int(Int64(step)) }
          if random.chance(80) { try draft.save() } else { draft.discard() }
        }
      } catch let error as LedgerError {
        guard [.conflict, .nothingToUndo, .busy].contains(error.code) else { throw error }
      }
    }
  }

  /// Twenty changes of a task of its own.
  private static func write(_ ledger: Ledger, _ number: Int) throws {
    let id = TaskID(unchecked: "task \(number)")
    try ledger.upsert(TaskItem(id: id))
    for step in 1...20 { try ledger.update(id) { $0["n"] = .int(Int64(step)) } }
  }

  private static func observeToTheEnd(
    _ ledger: Ledger, _ number: Int, _ writers: Int
  ) async throws {
    let sort: TaskSort = number % 2 == 0 ? .byID : "n:desc"
    var shown: [TaskItem] = []
    for try await tasks in try ledger.observe("true", sortedBy: sort) {
      shown = tasks.changes.applied(to: shown, new: { tasks[$0] })
      #expect(shown == Array(tasks))
      if tasks.count == writers, tasks.allSatisfy({ $0["n"] == 20 }) { break }
    }
  }

  private static func observeForAWhile(_ ledger: Ledger, yields: Int) async {
    let observing = Task {
      for try await _ in try ledger.observe("n > 3", sortedBy: "n", limit: 2) {}
    }
    let typed = Task {
      let query = try Query("n > 3")
      for try await _ in ledger.observe(as: Numbered.self, query, sortedBy: "n", limit: 2) {}
    }
    let following = Task { for try await _ in ledger.events(after: 0) {} }
    for _ in 0..<yields { await Task.yield() }
    observing.cancel()
    typed.cancel()
    following.cancel()
    _ = await observing.result
    _ = await typed.result
    _ = await following.result
  }

  private struct Numbered: Decodable {
    var _id: TaskID
    var n: Int
  }
}

extension SplitMix64 {
  /// The first number of the stream.
  fileprivate var first: UInt64 {
    var copy = self
    return copy.next()
  }
}
