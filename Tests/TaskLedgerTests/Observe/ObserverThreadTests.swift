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
    let following = Task { for try await _ in ledger.events(after: 0) {} }
    for _ in 0..<yields { await Task.yield() }
    observing.cancel()
    following.cancel()
    _ = await observing.result
    _ = await following.result
  }
}

extension SplitMix64 {
  /// The first number of the stream.
  fileprivate var first: UInt64 {
    var copy = self
    return copy.next()
  }
}
