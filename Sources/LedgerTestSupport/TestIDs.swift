import TaskLedger

/// Makes the ids `task-1`, `task-2` and so on, the same in every run.
///
/// ```swift
/// let ids = TestIDs()
/// try ledger.upsert(TaskItem(id: ids.next(), body: "Get milk"))   // task-1
/// ```
public final class TestIDs: Sendable {
  private let prefix: String
  private let last = Guarded(0)

  /// Makes a source of ids.
  ///
  /// - Parameter prefix: what every id starts with.
  /// - Precondition: the prefix with a number behind it is a legal id.
  public init(prefix: String = "task-") { self.prefix = prefix }

  /// The next id.
  public func next() -> TaskID {
    let number = last.withLock { last in
      last += 1
      return last
    }
    return TaskID(stringLiteral: "\(prefix)\(number)")
  }
}
