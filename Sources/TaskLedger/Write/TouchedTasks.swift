/// The tasks that a transaction touched, with their states before its first event and after its last.
struct TouchedTasks {
  struct Entry {
    var task: TaskID
    var before: TaskState
    var after: TaskState
  }

  private(set) var entries: [Entry] = []
  /// The places of the entries, once there are more than are quickly looked through.
  private var places: [TaskID: Int] = [:]

  private static let entriesLookedThrough = 8

  /// Notes an event of a task; `before` counts for the task's first one alone.
  mutating func note(_ task: TaskID, before: TaskState, after: TaskState) {
    if let place = place(of: task) {
      entries[place].after = after
      return
    }
    entries.append(Entry(task: task, before: before, after: after))
    if entries.count == Self.entriesLookedThrough + 1 {
      for (place, entry) in entries.enumerated() { places[entry.task] = place }
    } else if entries.count > Self.entriesLookedThrough {
      places[task] = entries.count - 1
    }
  }

  private func place(of task: TaskID) -> Int? {
    entries.count > Self.entriesLookedThrough
      ? places[task] : entries.firstIndex { $0.task == task }
  }
}
