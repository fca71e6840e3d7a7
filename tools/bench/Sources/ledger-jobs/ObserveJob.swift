import BenchSupport
import TaskLedger

/// `ledger-jobs observe`: how long it takes from the call that changes one task to the value that shows it, on a list of
/// any length. In memory, so that no sync is in the figure.
enum ObserveJob {
  static let usage = "observe COMMITS --tasks N"

  static func run(_ words: [String]) async throws {
    let arguments = try Arguments(words, options: ["--tasks"])
    guard arguments.positional.count == 1 else {
      throw BenchError.usage("usage: ledger-jobs \(usage)")
    }
    let commits = try Arguments.number(arguments.positional[0], named: "COMMITS")
    let count = try arguments.number("--tasks", default: 100)
    let ledger = try fill(count)
    let ids = try (0..<64).map { try id($0 * count / 64) }
    var values = try ledger.observe("!isDeleted", sortedBy: "n").makeAsyncIterator()
    _ = try await values.next()
    func follow(_ steps: Range<Int>) async throws {
      for step in steps {
        try ledger.update(ids[step % ids.count]) { $0.body = "Changed in step \(step)" }
        guard try await values.next()?.changes.updates.count == 1 else {
          throw BenchError("step \(step) was not shown as the one change that it is")
        }
      }
    }
    try await follow(0..<64)
    let start = monotonicSeconds()
    try await follow(64..<64 + commits)
    var result = RunResult(what: "observe", events: commits, seconds: monotonicSeconds() - start)
    result.details = [("tasks", "\(count)")]
    print(result.line)
  }

  private static func id(_ number: Int) throws -> TaskID {
    try TaskID("task \(10_000_000 + number)")
  }

  private static func fill(_ count: Int) throws -> Ledger {
    let ledger = try Ledger.inMemory(author: "bench")
    for start in stride(from: 0, to: count, by: 10_000) {
      try ledger.transaction { transaction in
        for number in start..<min(count, start + 10_000) {
          var task = TaskItem(id: try id(number), body: "Water the tomatoes")
          task["n"] = .int(Int64(number))
          try transaction.upsert(task)
        }
      }
    }
    ledger.finishBackgroundWork()
    return ledger
  }
}
