import LedgerFormat
import LedgerStorage

/// What a process knows while it makes events: the writer, where the log will end, and the tasks it has touched.
///
/// Invariants:
/// - a task in `kept` has all its events in; one that is not there has no event after `rest`, unless `hasForgotten`;
/// - `base` is no older than `rest`, and follows the list of files, so that this session keeps no file from being removed for long;
/// - `tip` includes the events that are made but not yet synced.
final class WriteSession {
  /// Where the log will end once everything made so far is synced.
  struct Tip {
    var sequence: UInt64
    var ownCount: UInt64
    var newest: (time: LedgerTime, isForeign: Bool)?
  }

  /// While somebody leads, the writer is the leader's: what else is needed of it is kept here.
  let writer: LogWriter
  private(set) var replica: ReplicaID
  /// The log from which tasks are read.
  private(set) var base: LogView
  /// The last event that a task which is not kept can have.
  private var rest: UInt64
  /// The last event when `kept` was turned over last.
  private var turnover: UInt64
  private(set) var tip: Tip
  /// The epoch in which it was made.
  private(set) var epoch: Int
  private var kept = KeptTasks()
  /// Whether a task with events after `rest` may be missing from `kept`.
  private var hasForgotten = false
  /// The events of `base` that are not sealed, of segments that begin no later than an event.
  private var unsealedBase: (through: UInt64, events: [TaskID: [Event]])?
  /// All events since `base` by task, once a late command asked for them.
  private var since: [TaskID: [Event]]?
  /// The histories of tasks that late commands asked for, with every event made so far.
  private var pasts: [TaskID: StampedHistory] = [:]
  private var pastsEventCount = 0
  /// Events that are made but perhaps not yet published, oldest first.
  private var made: [Event] = []
  /// The log as readers see it.
  private let published: () -> LogView
  /// The tasks as readers see them.
  private let listed: () throws(LedgerError) -> LiveTasks

  private let keptTasksMax: Int
  /// So few are soon read again: the files that `base` keeps are let go of for it.
  private static let tasksCheap = 1000
  /// The histories that are kept hold no more events than this: the next late command reads its task's anew.
  private static let pastsEventsMax = 200_000
  /// Fewer tasks are read one by one, when they are needed.
  private static let prefetchTasksMin = 8

  /// - Parameters:
  ///   - keptTasksMax: more tasks are not kept from one group of commands to the next.
  ///   - published: the log as readers see it.
  ///   - listed: the tasks as readers see them.
  init(
    _ writer: LogWriter, epoch: Int, keptTasksMax: Int, published: @escaping () -> LogView,
    listed: @escaping () throws(LedgerError) -> LiveTasks
  ) {
    self.writer = writer
    self.keptTasksMax = keptTasksMax
    self.published = published
    self.listed = listed
    replica = writer.view.manifest.replica
    self.epoch = epoch
    base = writer.view
    rest = writer.view.lastSequence
    turnover = rest
    tip = Self.tip(of: writer.view)
  }

  private static func tip(of view: LogView) -> Tip {
    Tip(sequence: view.lastSequence, ownCount: view.active.ownCount, newest: view.newest)
  }

  /// Forgets what was known, where others appended or an append failed; only when nothing is queued.
  func startOver(epoch: Int) {
    self.epoch = epoch
    read(from: writer.view)
    rest = base.lastSequence
    turnover = rest
    hasForgotten = false
    tip = Self.tip(of: base)
    replica = base.manifest.replica
    kept.removeAll()
    forgetPasts()
    made = []
  }

  /// Forgets the tasks that were not asked for lately, where too many are kept; only when nothing is queued, and the session is not
  /// stale.
  func forgetOlderTasks() {
    guard kept.recentCount > keptTasksMax / 2 else { return }
    kept.turnOver()
    // Nobody has asked for those that go since the turnover before: only what came until then is read for them again.
    rest = hasForgotten ? tip.sequence : turnover
    turnover = tip.sequence
    hasForgotten = false
    read(from: writer.view)
  }

  /// Follows the list of files that readers see; with the turn.
  func followFiles() {
    let view = published()
    horizon = view.horizon
    guard view.manifest.number != base.manifest.number, view.lastSequence >= base.lastSequence,
      !base.hasLostLess(than: view),
      // Late commands want the events behind it grouped anew each time.
      since == nil
    else { return }
    read(from: view)
  }

  private func read(from view: LogView) {
    base = view
    unsealedBase = nil
    since = nil
  }

  /// All tasks with every event made so far.
  func tasks() throws(LedgerError) -> LiveTasks {
    var tasks = try listed()
    var items: [(TaskID, TaskItem?)] = []
    for task in Set(made.map(\.task)) { items.append((task, try self.task(task).state.item(task))) }
    tasks.apply(items, through: tip.sequence)
    return tasks
  }

  private func forgetPasts() {
    pasts = [:]
    pastsEventCount = 0
  }

  /// Whether the log is not what this session's events led to, or files are kept for little. Only while nobody leads.
  var isStale: Bool {
    writer.view.lastSequence != tip.sequence
      || (kept.count < Self.tasksCheap && base.manifest.number != writer.view.manifest.number)
      || base.hasLostLess(than: writer.view)
  }

  /// What history was folded when the turn began; nil when none was. Nobody folds any while the folder lock is held.
  private(set) var horizon: Horizon?

  /// A task with every event made so far.
  func task(_ id: TaskID) throws(LedgerError) -> KeptTask {
    if let task = kept.find(id) { return task }
    guard rest > 0 || hasForgotten else { return keep(id, TaskState()) }
    let rest = hasForgotten ? UInt64.max : self.rest
    var state = try base.sealedState(of: id, restingAfter: rest)
    for event in try unsealedHistory(of: id, through: rest) { state.fold(event) }
    if hasForgotten { for event in try eventsSinceBase(of: id) { state.fold(event) } }
    return keep(id, state)
  }

  private func keep(_ id: TaskID, _ state: TaskState) -> KeptTask {
    let task = KeptTask(id, state)
    kept.keep(task)
    return task
  }

  /// The state of a task as it stood at a stamp, from its whole history.
  func state(of task: KeptTask, before stamp: Stamp) throws(LedgerError) -> TaskState {
    if let past = pasts[task.id] { return past.state(before: stamp) }
    return try keepPast(of: task.id, base: baseHistory(of: task.id)).state(before: stamp)
  }

  @discardableResult
  private func keepPast(of task: TaskID, base: [Event]) throws(LedgerError) -> StampedHistory {
    let past = StampedHistory(base + (try eventsSinceBase(of: task)))
    if pastsEventCount + past.count > Self.pastsEventsMax { forgetPasts() }
    pasts[task] = past
    pastsEventCount += past.count
    return past
  }

  /// Reads what commands will need of sealed segments: together, because tasks share blocks.
  func prefetch(_ needs: [TaskNeed]) throws(LedgerError) {
    guard !base.sealed.isEmpty else { return }
    try prefetchStates(needs)
    // What is no older than the newest event of all is not late for its own task either.
    var newest = tip.newest?.time ?? .earliest
    var times: [TaskID: LedgerTime] = [:]
    for need in needs {
      guard let time = need.time else { continue }
      if time < newest { times[need.task] = min(times[need.task] ?? .latest, time) }
      newest = max(newest, time)
    }
    var late: Set<TaskID> = []
    for (task, time) in times where pasts[task] == nil {
      if kept.find(task)?.state.isNewer(than: time) ?? false { late.insert(task) }
    }
    guard late.count >= Self.prefetchTasksMin else { return }
    let sealed = try base.sealedHistories(of: late)
    for task in late {
      try keepPast(of: task, base: baseHistory(of: task, sealed: sealed[task] ?? []))
    }
  }

  /// Reads tasks from the newest snapshot and what was sealed since.
  private func prefetchStates(_ needs: [TaskNeed]) throws(LedgerError) {
    guard rest > 0, !hasForgotten else { return }
    var tasks: Set<TaskID> = []
    for need in needs where !kept.contains(need.task) { tasks.insert(need.task) }
    guard tasks.count >= Self.prefetchTasksMin else { return }
    let sealed = try base.sealedStates(of: tasks, restingAfter: rest)
    for task in tasks {
      var state = sealed[task] ?? TaskState()
      for event in try unsealedHistory(of: task, through: rest) { state.fold(event) }
      _ = keep(task, state)
    }
  }

  private func baseHistory(of task: TaskID) throws(LedgerError) -> [Event] {
    try baseHistory(of: task, sealed: base.sealedHistory(of: task))
  }

  private func baseHistory(
    of task: TaskID, sealed: [Event]
  ) throws(LedgerError) -> [Event] {
    sealed + (try unsealedHistory(of: task, through: .max))
  }

  /// - Parameter last: segments that begin after it are left out, unless they are known.
  private func unsealedHistory(
    of task: TaskID, through last: UInt64
  ) throws(LedgerError) -> [Event] {
    if let known = unsealedBase, known.through >= last { return known.events[task] ?? [] }
    let events = Dictionary(grouping: try base.unsealedEvents(through: last), by: \.task)
    unsealedBase = (last, events)
    return events[task] ?? []
  }

  /// The log with every event made so far.
  var wholeLog: WholeLog {
    let view = published()
    return WholeLog(view, made: made.filter { $0.sequence > view.lastSequence })
  }

  private func eventsSinceBase(of task: TaskID) throws(LedgerError) -> [Event] {
    if let since { return since[task] ?? [] }
    var events: [Event] = []
    let view = published()
    try view.forEachPortion(after: base.lastSequence) { (portion) throws(LedgerError) in
      events.append(contentsOf: portion)
      return true
    }
    events.append(contentsOf: made.lazy.filter { $0.sequence > view.lastSequence })
    let grouped = Dictionary(grouping: events, by: \.task)
    since = grouped
    return grouped[task] ?? []
  }

  /// Lets go of events that readers see by now.
  func forgetPublished() {
    let last = published().lastSequence
    guard let first = made.first, first.sequence <= last else { return }
    made.removeFirst(Int(min(last + 1 - first.sequence, UInt64(made.count))))
  }

  /// Called with the task of each event before that is added.
  var beforeAdding: ((KeptTask) -> Void)?

  /// Adds an event to its task.
  func add(_ event: Event, to task: KeptTask) {
    beforeAdding?(task)
    task.state.fold(event)
    tip.sequence = event.sequence
    tip.ownCount = event.stamp.count
    // At the same time as another replica's newest event, this one may be older or newer: the cautious answer costs a
    // millisecond.
    let isNewest = tip.newest.map { $0.isForeign ? $0.time < event.time : $0.time <= event.time }
    if isNewest ?? true { tip.newest = (event.time, false) }
    made.append(event)
    if since != nil { since?[event.task, default: []].append(event) }
    if !pasts.isEmpty, pasts[event.task]?.insert(event) != nil { pastsEventCount += 1 }
  }

  /// Where a transaction that fails must be taken back to.
  struct Mark {
    fileprivate var tip: Tip
    fileprivate var madeCount: Int
  }

  var mark: Mark { Mark(tip: tip, madeCount: made.count) }

  /// Takes back the events since a mark, which touched some tasks.
  func takeBack(to mark: Mark, _ touched: TouchedTasks) {
    tip = mark.tip
    for event in made[mark.madeCount...] where since?[event.task] != nil {
      since?[event.task]?.removeAll { $0.sequence >= event.sequence }
    }
    made.removeSubrange(mark.madeCount...)
    for entry in touched.entries {
      switch entry.before {
      case .new: entry.task.state = TaskState()
      case .state(let before): entry.task.state = before
      case .unknown:
        kept.remove(entry.task.id)
        hasForgotten = true
      }
      // What was folded into it cannot be taken out again.
      if let past = pasts.removeValue(forKey: entry.task.id) { pastsEventCount -= past.count }
    }
  }
}

extension TaskState {
  /// Whether an event of this time would be late.
  fileprivate func isNewer(than time: LedgerTime) -> Bool {
    newest.map { $0.time > time } ?? false
  }
}
