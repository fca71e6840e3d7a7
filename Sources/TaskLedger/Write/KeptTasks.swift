/// The tasks that a session keeps from one command to the next: those that were asked for least recently are the first to go.
///
/// Invariants:
/// - no task is in both parts;
/// - `older` are those that nobody has asked for since the last turnover; those that are not kept, nobody has since the one before.
struct KeptTasks {
  private var recent: [TaskID: KeptTask] = [:]
  private var older: [TaskID: KeptTask] = [:]

  var count: Int { recent.count + older.count }

  /// How many were asked for since the last turnover.
  var recentCount: Int { recent.count }

  /// Whether a task is kept; it does not count as asked for.
  func contains(_ id: TaskID) -> Bool { recent[id] != nil || older[id] != nil }

  /// The task, if it is kept; it counts as asked for.
  mutating func find(_ id: TaskID) -> KeptTask? {
    if let task = recent[id] { return task }
    guard let task = older.removeValue(forKey: id) else { return nil }
    recent[id] = task
    return task
  }

  mutating func keep(_ task: KeptTask) {
    older[task.id] = nil
    recent[task.id] = task
  }

  mutating func remove(_ id: TaskID) {
    recent[id] = nil
    older[id] = nil
  }

  mutating func removeAll() { self = KeptTasks() }

  /// Forgets those that nobody has asked for since the last turnover.
  mutating func turnOver() {
    older = recent
    recent = [:]
  }
}
