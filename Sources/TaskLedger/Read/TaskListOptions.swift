import LedgerFormat
import LedgerStorage

/// Which tasks a list shows and in which order.
public struct TaskListOptions: Hashable, Sendable {
  /// What the tasks must meet.
  public var query: Query
  /// The order; ties are broken by id.
  public var sortedBy: TaskSort
  /// How many tasks at most; nil for all.
  public var limit: Int?
  /// How many tasks are passed over first.
  public var offset: Int

  /// Makes options for the tasks that meet a query, deleted ones, too, where they do.
  public init(
    _ query: Query, sortedBy: TaskSort = .byID, limit: Int? = nil, offset: Int = 0
  ) {
    self.query = query
    self.sortedBy = sortedBy
    self.limit = limit
    self.offset = offset
  }

  /// Makes options for all tasks.
  ///
  /// - Parameter includesDeleted: whether softly deleted tasks are shown too.
  public init(
    includesDeleted: Bool = false, sortedBy: TaskSort = .byID, limit: Int? = nil, offset: Int = 0
  ) {
    self.init(
      includesDeleted ? .everything : .undeleted, sortedBy: sortedBy, limit: limit, offset: offset)
  }
}

extension Query {
  /// The tasks that are not softly deleted: `!isDeleted`.
  public static let undeleted = !Field(.isDeleted)
}

extension TaskListOptions {
  /// Whether the first tasks in order of ids are all that is needed.
  var stopsEarly: Bool { sortedBy.keys.isEmpty && limit != nil }

  /// How many tasks of the order are needed, those that are passed over included; nil for all.
  fileprivate var needed: Int? {
    limit.map { limit in
      let (sum, overflow) = max(0, limit).addingReportingOverflow(max(0, offset))
      return overflow ? .max : sum
    }
  }
}

extension LogView {
  /// The tasks of a list at a cut. Where only the first ones are asked for, only their blocks are read.
  func tasks(_ options: TaskListOptions, _ cut: FoldCut) throws(LedgerError) -> [TaskItem] {
    var picker = TaskPicker(options)
    if let ids = options.query.onlyIDs {
      for id in ids {
        if let item = try state(of: id, cut).item(id), !picker.offer(item) { break }
      }
      return picker.result
    }
    guard options.stopsEarly else {
      let state = try state(cut)
      for index in 0..<state.count { _ = picker.offer(state.item(at: index)) }
      return picker.result
    }
    try forEachPortionOfTasks(
      cut, restart: { picker = TaskPicker(options) },
      body: { portion in
        (0..<portion.count).allSatisfy { picker.offer(portion.item(at: $0)) } && !picker.isFull
      })
    return picker.result
  }
}

/// Picks the tasks of a list out of all, offered in order of ids.
///
/// With an order and a limit it holds at most twice as many tasks as are needed and some more: the others are dropped on the
/// way.
struct TaskPicker {
  private let options: TaskListOptions
  private let matcher: QueryMatcher
  private let needed: Int
  private var picked: [(place: TaskPlace, item: TaskItem)] = []
  /// The last place that a task can have that belongs, as far as is known.
  private var last: TaskPlace?

  init(_ options: TaskListOptions) {
    self.options = options
    matcher = QueryMatcher(options.query)
    needed = options.needed ?? .max
  }

  /// Whether no further task can belong.
  var isFull: Bool { options.stopsEarly && picked.count >= needed }

  /// Takes a task if it belongs; false when no further one can.
  mutating func offer(_ item: TaskItem) -> Bool {
    guard !isFull else { return false }
    guard matcher.matches(item) else { return true }
    let place = TaskPlace(item, in: options.sortedBy)
    // As many as are needed come before it already.
    if let last, !(place < last) { return true }
    picked.append((place, item))
    if !options.sortedBy.keys.isEmpty, picked.count / 2 > max(needed, Self.spareMin) { drop() }
    return true
  }

  /// Below this many tasks it is not worth dropping any.
  private static let spareMin = 128

  private mutating func drop() {
    picked.sort { $0.place < $1.place }
    picked.removeLast(picked.count - min(needed, picked.count))
    last = picked.last?.place
  }

  var result: [TaskItem] {
    let sorted =
      options.sortedBy.keys.isEmpty ? picked : picked.sorted { $0.place < $1.place }
    return sorted.prefix(needed).dropFirst(max(0, options.offset)).map(\.item)
  }
}
