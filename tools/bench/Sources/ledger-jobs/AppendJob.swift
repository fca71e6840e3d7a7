import BenchSupport
import Foundation
import TaskLedger

/// `ledger-jobs append`: single events, each durable before the next, by one writer or by many threads of one process.
enum AppendJob {
  static let usage = "append FOLDER COUNT [--writers N] [--existing]"

  static func run(_ words: [String]) throws {
    let arguments = try Arguments(words, options: ["--writers"], flags: ["--existing"])
    guard arguments.positional.count == 2 else {
      throw BenchError.usage("usage: ledger-jobs \(usage)")
    }
    let count = try Arguments.number(arguments.positional[1], named: "COUNT")
    let writers = try arguments.number("--writers", default: 1)
    let path = arguments.positional[0]
    let ledger =
      arguments.has("--existing")
      ? try Ledger.open(at: path, author: "bench", createIfMissing: false)
      : try Ledger.create(at: path, author: "bench")
    let tasks = try (0..<writers).map { _ in
      try ledger.upsert(TaskItem(body: "Measure single appends"))
    }
    let each = count / writers
    let start = monotonicSeconds()
    try writers == 1 ? toggle(tasks[0], each, ledger) : toggleAtOnce(tasks, each, ledger)
    var result = RunResult(
      what: "append", events: each * writers, seconds: monotonicSeconds() - start)
    result.details = [("writers", "\(writers)")]
    print(result.line)
  }

  private static func toggle(_ task: TaskID, _ count: Int, _ ledger: Ledger) throws {
    for _ in 0..<count { try ledger.toggle(task) }
  }

  /// On threads of their own: the pool of the language has only as many as there are cores.
  private static func toggleAtOnce(_ tasks: [TaskID], _ count: Int, _ ledger: Ledger) throws {
    let group = DispatchGroup()
    for task in tasks {
      group.enter()
      Thread.detachNewThread {
        do {
          try toggle(task, count, ledger)
        } catch {
          // A run that lost a writer measures something else.
          note("a writer failed: \(error)")
          exit(74)
        }
        group.leave()
      }
    }
    group.wait()
  }
}
