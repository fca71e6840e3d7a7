import CAllocations
import TaskLedger

/// A ledger of two hundred tasks, and what changes of them cost.
struct Measurement {
  private let ledger: Ledger
  private let ids: [TaskID]

  init(path: String) throws {
    var configuration = LedgerConfiguration()
    configuration.sealsInBackground = false
    configuration.snapshotEvents = .max
    let ledger = try Ledger.create(at: path, author: "bench", configuration: configuration)
    let ids = try (0..<200).map { try TaskID("task-\($0)") }
    try ledger.transaction { transaction in
      for id in ids {
        var task = TaskItem(id: id, body: "Water the tomatoes")
        task["priority"] = 1
        try transaction.upsert(task)
      }
    }
    (self.ledger, self.ids) = (ledger, ids)
  }

  /// For each of so many events that are appended one by one.
  func ofSingleAppends(_ count: Int) throws -> Double {
    // What is made once is made by the first ones.
    for number in 0..<100 { try change(number) }
    let before = allocation_count()
    for number in 100..<100 + count { try change(number) }
    return Double(allocation_count() - before) / Double(count)
  }

  private func change(_ number: Int) throws {
    let id = ids[number % ids.count]
    switch number % 3 {
    case 0: try ledger.toggle(id)
    case 1: try ledger.update(id) { $0.body = "Water the tomatoes, row \(number)" }
    default: try ledger.update(id) { $0["priority"] = .int(Int64(number)) }
    }
  }

  /// For each event of so many transactions of a thousand.
  func ofLargeTransactions(_ count: Int) throws -> Double {
    try changeThousand(0)
    let before = allocation_count()
    for round in 1...count { try changeThousand(round) }
    return Double(allocation_count() - before) / Double(1000 * count)
  }

  private func changeThousand(_ round: Int) throws {
    try ledger.transaction { transaction in
      for number in 0..<1000 {
        let id = ids[number % ids.count]
        if number % 3 == 0 {
          try transaction.toggle(id)
        } else {
          try transaction.update(id) { $0["priority"] = .int(Int64(round * 1000 + number)) }
        }
      }
    }
  }

  /// For each event that a replay folds.
  func ofReplay() throws -> Double {
    // The first one opens the files.
    _ = try ledger.replay()
    let before = allocation_count()
    let replay = try ledger.replay()
    return Double(allocation_count() - before) / Double(replay.events)
  }
}
