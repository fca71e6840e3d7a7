/// The tasks that meet a query.
///
/// ```swift
/// let urgent = try ledger.project(TaskList(Query("!isDeleted && priority >= 2")))
/// for task in urgent.value.tasks { print(task.body) }
/// ```
public struct TaskList: Projection, Sendable {
  public static var source: ProjectionSource { .tasks }

  /// What the tasks meet.
  public let query: Query
  private let matcher: QueryMatcher
  private var found: [TaskID: TaskItem] = [:]

  /// No tasks yet.
  ///
  /// - Parameter query: what tasks must meet to be in the list; when left out, not to be deleted.
  public init(_ query: Query = !Field(.isDeleted)) {
    self.query = query
    matcher = QueryMatcher(query)
  }

  /// The tasks, in order of their ids.
  public var tasks: [TaskItem] { found.values.sorted { $0.id < $1.id } }

  /// How many they are.
  public var count: Int { found.count }

  /// A task of the list.
  public subscript(id: TaskID) -> TaskItem? { found[id] }

  public mutating func fold(_ step: ProjectionStep) {
    if let task = step.new, matcher.matches(task) {
      found[task.id] = task
    } else {
      found[step.id] = nil
    }
  }

  public mutating func reset() { found = [:] }
}

extension TaskList: Equatable {
  /// Whether the two show the same tasks by the same query.
  public static func == (left: TaskList, right: TaskList) -> Bool {
    left.query == right.query && left.found == right.found
  }
}

extension TaskList: Codable {
  private enum CodingKeys: String, CodingKey { case query, tasks }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try Query(container.decode(String.self, forKey: .query)))
    for task in try container.decode([TaskItem].self, forKey: .tasks) { found[task.id] = task }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(query.description, forKey: .query)
    try container.encode(tasks, forKey: .tasks)
  }
}
