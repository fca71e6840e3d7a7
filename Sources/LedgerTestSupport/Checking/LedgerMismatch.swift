import TaskLedger

/// A ledger that is not what a test expects.
public struct LedgerMismatch: Error, CustomStringConvertible, Sendable {
  /// Which ledger, or what about it.
  public let name: String
  /// What differs, in sentences.
  public let differences: [String]

  /// The name, and a line for each difference.
  public var description: String {
    ([name] + differences).joined(separator: "\n  ")
  }
}

extension Ledger {
  /// How the tasks, softly deleted ones too, differ from others, in sentences.
  func differences(from tasks: [TaskItem]) throws(LedgerError) -> [String] {
    let found = try self.tasks(TaskListOptions(includesDeleted: true))
    var left = Dictionary(tasks.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    var differences: [String] = []
    for task in found {
      guard let expected = left.removeValue(forKey: task.id) else {
        differences.append("unexpected: \(task.json)")
        continue
      }
      guard task != expected else { continue }
      differences.append("found \(task.json), expected \(expected.json)")
    }
    for task in left.values.sorted(by: { $0.id < $1.id }) {
      differences.append("missing: \(task.json)")
    }
    return differences
  }
}
