import LedgerCore

/// The tasks that an observation shows at one moment, and what changed since the value before.
///
/// A collection that stays as it is while the ledger goes on. It shares its pages with the values before and after it: to hold an
/// old one costs little, however long it is.
///
/// ```swift
/// for try await tasks in try ledger.observe("!isDeleted", sortedBy: "due") {
///   print(tasks.count, tasks.first?.body ?? "nothing to do", tasks.changes.insertions)
/// }
/// ```
public struct ObservedTasks: RandomAccessCollection, Sendable {
  let rows: TaskRows
  /// How many tasks are shown.
  public let count: Int
  /// The sequence number of the last event that is in.
  public let sequence: UInt64
  /// What leads here from the value that the same iterator gave before; in its first value every task is an insertion.
  public let changes: TaskListChanges

  /// No task, and no event: what to show until there is a first value.
  public init() { self.init(TaskRows(), limit: 0, sequence: 0, changes: TaskListChanges()) }

  init(_ rows: TaskRows, limit: Int, sequence: UInt64, changes: TaskListChanges) {
    self.rows = rows
    count = Swift.min(limit, rows.count)
    self.sequence = sequence
    self.changes = changes
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  /// The task at an index; finding it takes a number of steps that grows with the logarithm of the list's length.
  public subscript(index: Int) -> TaskItem {
    precondition(index >= 0 && index < count, "there is no task \(index) of \(count)")
    return rows[index].item
  }

  public func makeIterator() -> Iterator { Iterator(self) }

  /// Goes through the tasks page by page.
  public struct Iterator: IteratorProtocol {
    private let tasks: ObservedTasks
    private var page: ArraySlice<TaskRow> = []
    private var index = 0

    init(_ tasks: ObservedTasks) { self.tasks = tasks }

    public mutating func next() -> TaskItem? {
      guard index < tasks.count else { return nil }
      if page.isEmpty { page = tasks.rows.page(from: index) }
      index += 1
      return page.popFirst()?.item
    }
  }
}
