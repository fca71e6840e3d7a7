/// How many tasks are open, done and deleted.
///
/// ```swift
/// let counts = try ledger.project(TaskCounts()).value
/// print(counts.open, counts.done, counts.deleted)
/// ```
public struct TaskCounts: Projection, Hashable, Sendable, Codable {
  public static var source: ProjectionSource { .tasks }

  /// Tasks that are neither completed nor deleted.
  public private(set) var open = 0
  /// Tasks that are completed and not deleted.
  public private(set) var done = 0
  /// Tasks that are softly deleted.
  public private(set) var deleted = 0

  /// No tasks.
  public init() {}

  /// All tasks.
  public var total: Int { open &+ done &+ deleted }

  public mutating func fold(_ step: ProjectionStep) {
    let (old, new) = (step.oldStatus, step.newStatus)
    guard old != new else { return }
    if let old { add(-1, to: old) }
    if let new { add(1, to: new) }
  }

  private mutating func add(_ number: Int, to status: TaskStatus) {
    switch status {
    case .open: open &+= number
    case .done: done &+= number
    case .deleted: deleted &+= number
    }
  }

  public mutating func reset() { self = TaskCounts() }
}
