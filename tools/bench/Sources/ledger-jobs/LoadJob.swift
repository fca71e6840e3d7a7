import BenchSupport
import TaskLedger
import Workload

/// `ledger-jobs load`: the workload as an app appends it, so many events in each transaction.
///
/// What the changes say is made before the clock starts, for an app has it in hand. The clock stops when the last transaction is
/// durable; segments that are not sealed by then are sealed afterwards.
enum LoadJob {
  static let usage = "load FOLDER COUNT [--per-transaction N] [--seed S]"

  private enum Change {
    case upsert(TaskItem)
    case update(TaskID, [(name: String, value: Value)])
    case toggle(TaskID)
    case delete(TaskID)
    case evict(TaskID)
  }

  static func run(_ words: [String]) throws {
    let arguments = try Arguments(words, options: ["--per-transaction", "--seed"])
    guard arguments.positional.count == 2 else {
      throw BenchError.usage("usage: ledger-jobs \(usage)")
    }
    let count = try Arguments.number(arguments.positional[1], named: "COUNT")
    let perTransaction = try arguments.number("--per-transaction", default: 1000)
    let seed = try arguments.number("--seed", minimum: 0, default: 1)
    let changes = try changes(count, seed: UInt64(seed))
    let ledger = try Ledger.create(at: arguments.positional[0], author: "bench")
    let start = monotonicSeconds()
    for first in stride(from: 0, to: count, by: perTransaction) {
      try ledger.transaction { transaction in
        for change in changes[first..<min(count, first + perTransaction)] {
          try make(change, in: transaction)
        }
      }
    }
    var result = RunResult(what: "load", events: count, seconds: monotonicSeconds() - start)
    ledger.finishBackgroundWork()
    result.details = [("per_transaction", "\(perTransaction)")]
    print(result.line)
  }

  private static func make(_ change: Change, in transaction: Transaction) throws {
    switch change {
    case .upsert(let task): try transaction.upsert(task)
    case .update(let id, let fields):
      try transaction.update(id) { task in
        for field in fields { task[field.name] = field.value }
      }
    case .toggle(let id): try transaction.toggle(id)
    case .delete(let id): try transaction.delete(id)
    case .evict(let id): try transaction.evict(id)
    }
  }

  private static func changes(_ count: Int, seed: UInt64) throws -> [Change] {
    var workload = Workload(seed: seed)
    return try (0..<count).map { _ in
      let event = workload.next()
      let task = workload.tasks[event.task]
      let id = try TaskID(task.id)
      switch event.kind {
      case .upsert:
        var item = TaskItem(id: id)
        for field in try fields(event.named, of: task) { item[field.name] = field.value }
        return .upsert(item)
      case .update: return .update(id, try fields(event.named, of: task))
      case .toggle: return .toggle(id)
      case .delete: return .delete(id)
      case .evict: return .evict(id)
      }
    }
  }

  private static func fields(
    _ fields: FieldSet, of task: WorkloadTask
  ) throws -> [(name: String, value: Value)] {
    var found: [(name: String, value: Value)] = []
    if fields.contains(.body) { found.append(("body", .text(task.body))) }
    if fields.contains(.due) {
      let day = try LedgerTime(milliseconds: Int64(task.dueDay) * 86_400_000)
      found.append(("due", .text(String(day.description.prefix(10)))))
    }
    if fields.contains(.isCompleted) { found.append(("isCompleted", .bool(task.isCompleted))) }
    if fields.contains(.isDeleted) { found.append(("isDeleted", .bool(task.isDeleted))) }
    if fields.contains(.priority) { found.append(("priority", .int(Int64(task.priority)))) }
    if fields.contains(.tags) { found.append(("tags", .array(task.tagNames.map(Value.text)))) }
    return found
  }
}
