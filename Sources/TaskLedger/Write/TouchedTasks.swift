/// A task that a session keeps, with every event made so far; shared by reference, so that events change it in place.
final class KeptTask {
  let id: TaskID
  var state: TaskState

  init(_ id: TaskID, _ state: TaskState) {
    self.id = id
    self.state = state
  }
}

/// The tasks that a transaction touched, with their states before its first event.
struct TouchedTasks {
  struct Entry {
    var task: KeptTask
    var before: Before
  }

  /// A task before the first event. Large transactions mostly make new tasks: of these nothing is kept.
  enum Before {
    /// It had no events.
    case new
    indirect case state(TaskState)
    /// It was not kept: to take the event back the task is read anew.
    case unknown
  }

  private(set) var entries: [Entry] = []
  /// The tasks of the entries, once there are more than are quickly looked through.
  private var known: Set<ObjectIdentifier> = []

  private static let entriesLookedThrough = 8

  init() {}

  /// The task of a transaction of one event.
  init(_ task: KeptTask) { entries = [Entry(task: task, before: .unknown)] }

  /// Notes that an event is about to be added to a task.
  mutating func note(_ task: KeptTask) {
    guard !contains(task) else { return }
    let before = task.state.revision == 0 ? Before.new : .state(task.state)
    entries.append(Entry(task: task, before: before))
    if entries.count == Self.entriesLookedThrough + 1 {
      known = Set(entries.map { ObjectIdentifier($0.task) })
    } else if entries.count > Self.entriesLookedThrough {
      known.insert(ObjectIdentifier(task))
    }
  }

  private func contains(_ task: KeptTask) -> Bool {
    entries.count > Self.entriesLookedThrough
      ? known.contains(ObjectIdentifier(task)) : entries.contains { $0.task === task }
  }
}
