import LedgerFormat
import LedgerStorage

/// What a process knows while it makes events: the writer, where the log will end, and the tasks it has touched.
///
/// Invariants:
/// - a task in `states` has all its events in; a task that is not there has no event after `base`;
/// - `tip` includes the events that are made but not yet synced.
final class WriteSession {
  /// Where the log will end once everything made so far is synced.
  struct Tip {
    var sequence: UInt64
    var ownCount: UInt64
    var newest: (time: LedgerTime, isForeign: Bool)?
  }

  let writer: LogWriter
  /// The log when the session last started over.
  private(set) var base: LogView
  private(set) var tip: Tip
  /// The replica that makes the events. Its writer's view belongs to whoever leads.
  private(set) var replica: ReplicaID
  /// The epoch in which it was made.
  private(set) var epoch: Int
  private var states: [TaskID: TaskState] = [:]
  private var unsealedBase: [TaskID: [Event]]?
  /// All events since `base` by task, once a late command asked for them.
  private var since: [TaskID: [Event]]?
  /// Events made since `base` that are kept until the first late command, oldest first.
  private var made: [Event] = []

  /// More tasks than this are not kept from one command to the next.
  private static let statesMax = 400_000

  /// A session on top of what the writer holds, which has caught up.
  init(_ writer: LogWriter, epoch: Int) {
    self.writer = writer
    self.epoch = epoch
    base = writer.view
    tip = Self.tip(of: base)
    replica = base.manifest.replica
  }

  private static func tip(of view: LogView) -> Tip {
    Tip(sequence: view.lastSequence, ownCount: view.active.ownCount, newest: view.newest)
  }

  /// Forgets what was known, where others appended, an append failed, or too much was kept; only when nothing is queued.
  func startOver(epoch: Int) {
    self.epoch = epoch
    base = writer.view
    tip = Self.tip(of: base)
    replica = base.manifest.replica
    states = [:]
    unsealedBase = nil
    since = nil
    made = []
  }

  /// Whether the log is not what this session's events led to.
  var isStale: Bool { writer.view.lastSequence != tip.sequence || states.count > Self.statesMax }

  /// The state of a task with every event made so far.
  func state(of task: TaskID) throws(LedgerError) -> TaskState {
    if let state = states[task] { return state }
    let state = TaskState(try baseHistory(of: task))
    states[task] = state
    return state
  }

  /// The state of a task as it stood at a stamp.
  func state(of task: TaskID, before stamp: Stamp) throws(LedgerError) -> TaskState {
    let state = try state(of: task)
    guard let newest = state.newest, newest > stamp else { return state }
    var events = try baseHistory(of: task)
    events.append(contentsOf: try eventsSinceBase(of: task))
    return TaskState(events.lazy.filter { $0.stamp < stamp })
  }

  private func baseHistory(of task: TaskID) throws(LedgerError) -> [Event] {
    let events = try base.sealedHistory(of: task)
    if unsealedBase == nil {
      unsealedBase = Dictionary(grouping: try base.unsealedEvents(), by: \.task)
    }
    return events + (unsealedBase?[task] ?? [])
  }

  private func eventsSinceBase(of task: TaskID) throws(LedgerError) -> [Event] {
    if since == nil { since = Dictionary(grouping: made, by: \.task) }
    return since?[task] ?? []
  }

  /// Adds an event.
  func add(_ event: Event) throws(LedgerError) {
    var state = try state(of: event.task)
    states[event.task] = nil
    state.fold(event)
    states[event.task] = state
    tip.sequence = event.sequence
    tip.ownCount = event.stamp.count
    if tip.newest.map({ $0.time <= event.time }) ?? true { tip.newest = (event.time, false) }
    made.append(event)
    since?[event.task, default: []].append(event)
  }

  /// Where a transaction that fails must be taken back to.
  struct Mark {
    fileprivate var tip: Tip
    fileprivate var madeCount: Int
  }

  var mark: Mark { Mark(tip: tip, madeCount: made.count) }

  /// Takes back the events since a mark; `states` are the tasks' states then.
  func takeBack(to mark: Mark, states earlier: [TaskID: TaskState]) {
    tip = mark.tip
    for event in made[mark.madeCount...] where since?[event.task] != nil {
      since?[event.task]?.removeAll { $0.sequence >= event.sequence }
    }
    made.removeSubrange(mark.madeCount...)
    for (task, state) in earlier { states[task] = state }
  }
}
