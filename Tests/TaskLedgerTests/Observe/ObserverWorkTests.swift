import LedgerStorage
import LedgerTestSupport
import Testing

@testable import TaskLedger

/// What a commit costs those who observe: counted, so that a slow machine says the same as a fast one.
///
/// With a million tasks, once in a while: `LEDGER_TEST_TASKS=1000000 swift test --filter 'The work of an observer'`.
@Suite struct `The work of an observer` {
  @Test(arguments: TestSettings.listLengths([100, 10_000]))
  func `follows the size of a change, not of the list`(count: Int) async throws {
    let disk = TestDisk()
    let ledgers = try Self.fill(disk, count)
    var values: [TaskObservation.Iterator] = []
    for order in ["", "n", "n:desc"] {
      let sort: TaskSort = order.isEmpty ? .byID : try TaskSort(order)
      let limit = order == "n:desc" ? 50 : nil
      values.append(
        try ledgers[0].observe("!isDeleted", sortedBy: sort, limit: limit).makeAsyncIterator())
    }
    var shown: [ObservedTasks] = []
    for index in values.indices { shown.append(try await values[index].value()) }
    var work = Work()
    for step in 1...12 {
      // Of this handle and of another process.
      let size = [1, 5, 20][step % 3]
      let examined = try values.map { try #require($0.observer.tasksExamined) }
      let calls = disk.faults.trace.calls.count
      try Self.change(ledgers[step % 2], of: count, step: step, size: size)
      for index in values.indices {
        let value = try await values[index].value()
        let looked = try #require(values[index].observer.tasksExamined) - examined[index]
        #expect(looked == size, "\(count) tasks, step \(step), observer \(index)")
        let copied = value.rows.pagesNotIn(shown[index].rows)
        #expect(copied <= 8 * size, "\(count) tasks, step \(step), observer \(index)")
        #expect(value.changes.size <= 2 * size)
        work.add(examined: looked, pages: copied)
        shown[index] = value
      }
      work.add(disk.faults.trace.after(calls))
    }
    #expect(try ledgers[1].find("!isDeleted") == Array(shown[0]))
    // Each task that another process touched is read from the few places where its events are.
    #expect(work.reads <= 12 * 150, "\(count) tasks: \(work)")
    #expect(work.bytesRead <= 12 << 20, "\(count) tasks: \(work)")
    print("\(count) tasks: 12 commits, 104 changes, 3 observers: \(work)")
  }

  @Test(arguments: TestSettings.listLengths([100, 10_000]))
  func `that shows nothing new is that of the tasks that were touched`(count: Int) async throws {
    let ledgers = try Self.fill(TestDisk(), count)
    var values = try ledgers[0].observe("n < 10", sortedBy: "n").makeAsyncIterator()
    _ = try await values.value()
    let before = try #require(values.observer.tasksExamined)
    for step in 1...10 {
      try ledgers[step % 2].update(Self.id(count - step)) { $0.body = "unseen \(step)" }
    }
    try ledgers[0].update(Self.id(3)) { $0.body = "seen" }
    #expect(try await values.value().changes.updates == [3])
    let examined = try #require(values.observer.tasksExamined) - before
    #expect(examined >= 1 && examined <= 11)
  }

  /// What twelve commits cost.
  private struct Work: CustomStringConvertible {
    var examined = 0
    var pages = 0
    var reads = 0
    var bytesRead: UInt64 = 0

    mutating func add(examined: Int, pages: Int) {
      self.examined += examined
      self.pages += pages
    }

    mutating func add(_ trace: CallTrace) {
      let reads = trace.calls(.read)
      self.reads += reads.count
      bytesRead += reads.reduce(0) { $0 + ($1.count ?? 0) }
    }

    var description: String {
      "\(examined) tasks examined, \(pages) pages copied, \(reads) reads of \(bytesRead) bytes"
    }
  }

  private static func id(_ number: Int) -> TaskID {
    TaskID(unchecked: "task \(1_000_000 + number)")
  }

  /// Two handles on a ledger of many tasks, sealed.
  private static func fill(_ disk: TestDisk, _ count: Int) throws -> [Ledger] {
    let configuration = LedgerConfiguration.forTests(sealEvents: 1 << 20)
    let ledger = try disk.create(configuration: configuration)
    for start in stride(from: 0, to: count, by: 10_000) {
      try ledger.transaction { transaction in
        for number in start..<min(count, start + 10_000) {
          var task = TaskItem(id: id(number), body: "Task")
          task["n"] = .int(Int64(number))
          try transaction.upsert(task)
        }
      }
    }
    try ledger.sealNow()
    return [ledger, try disk.open(configuration: configuration)]
  }

  /// Changes some tasks in one transaction: the last ones, so that the observer with a limit shows it too.
  private static func change(_ ledger: Ledger, of count: Int, step: Int, size: Int) throws {
    try ledger.transaction { transaction in
      for offset in 1...size {
        try transaction.update(id(count - offset)) { $0.body = "Changed in step \(step)" }
      }
    }
  }
}

extension TaskListChanges {
  /// How much there is to do for a view.
  fileprivate var size: Int { deletions.count + insertions.count + updates.count + moves.count }
}
