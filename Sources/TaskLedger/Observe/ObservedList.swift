import LedgerCore

/// The tasks that meet a query, in an order, kept up to date task by task; and what leads there from a list that was given out.
///
/// Invariants:
/// - `rows` holds every task that meets the query, as it was set last, at its place;
/// - `places` has the place of each of them, where that is not plain from the id;
/// - `touched` has each task that was set since `given`, with its row there.
struct ObservedList: Sendable {
  private let matcher: QueryMatcher
  private let order: TaskSort
  let limit: Int
  private(set) var rows = TaskRows()
  private var places: [TaskID: TaskPlace] = [:]
  private var given: TaskRows?
  private var touched: [TaskID: TaskRow?] = [:]
  /// How many tasks were looked at. A commit adds those that it touched, however long the list is.
  private(set) var tasksExamined = 0

  init(_ query: Query, sortedBy order: TaskSort, limit: Int?) {
    matcher = QueryMatcher(query)
    self.order = order
    self.limit = max(0, limit ?? .max)
  }

  /// Starts anew from all tasks, which `forEachTask` gives in order of ids.
  mutating func replace(by forEachTask: ((TaskItem) -> Bool) -> Void) {
    var found: [TaskRow] = []
    forEachTask { item in
      tasksExamined += 1
      if matcher.matches(item) { found.append(TaskRow(item, in: order)) }
      return true
    }
    if !order.keys.isEmpty { found.sort { $0.place < $1.place } }
    rows = TaskRows(ascending: found)
    places = [:]
    if !order.keys.isEmpty { for row in found { places[row.place.id] = row.place } }
    if given != nil { findTouched() }
  }

  /// Compares all of what was given out with all that is there.
  private mutating func findTouched() {
    guard let given else { return }
    touched = [:]
    var known: Set<TaskID> = []
    given.forEachRow { row in
      known.insert(row.item.id)
      if self.row(of: row.item.id)?.item != row.item { touched[row.item.id] = .some(row) }
    }
    rows.forEachRow { row in
      if !known.contains(row.item.id) { touched[row.item.id] = .some(nil) }
    }
  }

  /// Takes a task as it is now; nil where it does not exist.
  mutating func set(_ id: TaskID, _ item: TaskItem?) {
    tasksExamined += 1
    let old = row(of: id)
    let new = item.flatMap { matcher.matches($0) ? TaskRow($0, in: order) : nil }
    guard old != nil || new != nil else { return }
    if given != nil, touched[id] == nil { touched[id] = .some(old) }
    if let old, let new, old.place == new.place {
      rows.replace(new)
    } else {
      if let old { rows.remove(old.place) }
      if let new { rows.insert(new) }
    }
    if !order.keys.isEmpty { places[id] = new?.place }
  }

  private func row(of id: TaskID) -> TaskRow? {
    let place =
      order.keys.isEmpty ? TaskPlace(TaskItem(id: id), in: order) : places[id]
    return place.flatMap { rows.find($0).row }
  }

  /// Gives the list out; nil when it shows the same as the one that was given out before.
  mutating func give(at sequence: UInt64) -> ObservedTasks? {
    var changes = TaskListChanges()
    if let given {
      let tasks = touched.map { TaskListChanges.Touched(old: $0.value, new: row(of: $0.key)) }
      changes = TaskListChanges(from: given, to: rows, touched: tasks, limit: limit)
    } else {
      changes.insertions = Array(0..<min(limit, rows.count))
    }
    let isFirst = given == nil
    given = rows
    touched = [:]
    guard isFirst || !changes.isEmpty else { return nil }
    return ObservedTasks(rows, limit: limit, sequence: sequence, changes: changes)
  }
}
