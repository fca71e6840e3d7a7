/// A fold of the events of a ledger into a value: a list, counts, a search index, anything that follows from what happened.
///
/// A projection is given every event in order of sequence, and with it, where it asks for that, the task as the ledger knew it before
/// and after the event arrived. So it needs to know nothing of late events, evicts and values that never showed: an event that
/// arrives late and changes nothing that shows comes with the same task twice.
///
/// ```swift
/// struct OpenByProject: Projection {
///   private(set) var open: [String: Int] = [:]
///
///   mutating func fold(_ step: ProjectionStep) {
///     count(step.old, -1)
///     count(step.new, 1)
///   }
///
///   private mutating func count(_ task: TaskItem?, _ one: Int) {
///     guard let task, !task.isDeleted, !task.isCompleted else { return }
///     open[task["project"]?.text ?? "", default: 0] += one
///   }
///
///   mutating func reset() { open = [:] }
/// }
///
/// let projects = try ledger.project(OpenByProject())
/// print(projects.value.open)
/// ```
public protocol Projection {
  /// What it is folded from; `.changes` unless it says otherwise.
  static var source: ProjectionSource { get }

  /// It grows whenever the same events come to add up to another value: what was kept of an earlier version is then folded anew. 1
  /// unless it says otherwise.
  static var version: Int { get }

  /// Adds a step.
  ///
  /// - Throws: what ends the whole fold.
  mutating func fold(_ step: ProjectionStep) throws

  /// Forgets all that was folded; what it was made with, such as a query, stays.
  mutating func reset()
}

extension Projection {
  /// Every event, with the task before and after.
  public static var source: ProjectionSource { .changes }
  /// The first version.
  public static var version: Int { 1 }
}

/// What a projection is folded from.
public enum ProjectionSource: Hashable, Sendable {
  /// Every event by itself: the steps have no task before and after. This costs least.
  case events
  /// Every event, with the task before and after.
  case changes
  /// The tasks: the value depends on them as they stand, not on how they came to stand so. It is folded from them, or from the
  /// events with the task before and after, whichever costs less.
  case tasks
}

/// One step of a fold: an event, or a task that is brought in as it stands.
public struct ProjectionStep: Sendable {
  private enum Tasks: Sendable {
    case unknown
    case standing(TaskItem)
    case states(TaskState, TaskState)
  }

  /// The event; nil for a task that is brought in as it stands, because its history was folded away, or is of no interest to a
  /// projection of tasks.
  public let event: Event?
  /// The task that it is about.
  public let id: TaskID
  private let tasks: Tasks

  /// A step of an event alone.
  package init(_ event: Event) {
    self.event = event
    id = event.task
    tasks = .unknown
  }

  /// A step of an event and what it makes of its task.
  package init(_ event: Event, from old: TaskState, to new: TaskState) {
    self.event = event
    id = event.task
    tasks = .states(old, new)
  }

  /// A task that is brought in as it stands.
  package init(standing task: TaskItem) {
    event = nil
    id = task.id
    tasks = .standing(task)
  }

  /// The task as the ledger knew it before the event arrived; nil where it did not exist, and in a fold of events alone.
  public var old: TaskItem? {
    if case .states(let old, _) = tasks { old.item(id) } else { nil }
  }

  /// The task as the ledger knew it after the event arrived; nil where it does not exist, and in a fold of events alone.
  public var new: TaskItem? {
    switch tasks {
    case .unknown: nil
    case .standing(let task): task
    case .states(_, let new): new.item(id)
    }
  }

  /// Where the task stood before; costs less than ``old``.
  public var oldStatus: TaskStatus? {
    if case .states(let old, _) = tasks { old.status } else { nil }
  }

  /// Where the task stands after it; costs less than ``new``.
  public var newStatus: TaskStatus? {
    switch tasks {
    case .unknown: nil
    case .standing(let task): task.status
    case .states(_, let new): new.status
    }
  }
}

/// Where a task stands.
public enum TaskStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// Neither completed nor deleted.
  case open
  /// Completed and not deleted.
  case done
  /// Softly deleted.
  case deleted

  fileprivate init(isCompleted: Bool, isDeleted: Bool) {
    self = isDeleted ? .deleted : isCompleted ? .done : .open
  }
}

extension TaskItem {
  /// Where it stands.
  public var status: TaskStatus { TaskStatus(isCompleted: isCompleted, isDeleted: isDeleted) }
}

extension TaskState {
  /// Where the task stands; nil when it does not exist.
  fileprivate var status: TaskStatus? {
    guard exists else { return nil }
    return TaskStatus(
      isCompleted: held(.isCompleted) == .bool(true), isDeleted: held(.isDeleted) == .bool(true))
  }
}
