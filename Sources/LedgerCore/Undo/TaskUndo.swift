/// How events of one task are undone: by which commands, and what speaks against it.
///
/// Each event is undone by one event that names it, the one with the latest stamp first. What an event did is taken back thus:
///
/// | event | is undone by |
/// |---|---|
/// | upsert that made the task | delete |
/// | evict | upsert of what would be there without it |
/// | upsert that undid an evict | evict; over a task made anew, an update to what was left of that |
/// | toggle | toggle |
/// | delete | update of isDeleted to false, as restoring does |
/// | anything else | update that sets the old values, or unsets what was not set; a delete where that deletes |
///
/// Invariants:
/// - the steps, carried out in order onto the task as it stands, make `after` of `before`;
/// - no step undoes nothing: what never showed, or is as before already, needs none;
/// - unless forced, no step loses a change that came later and stays;
/// - where a goal is given, `after` reads as the goal does, whatever came late; a task that does not exist there is deleted or gone;
/// - where nothing came after the events that are undone, `after` reads as the task did before them.
package struct TaskUndo: Sendable {
  /// What undoes one event.
  package struct Step: Sendable {
    /// The sequence number of the event that is undone.
    package var undone: UInt64
    package var command: Command
    /// What the command changes.
    package var changes: [AuditEntry.Change]
  }

  /// What it comes to, without the history that it follows from.
  package struct Result: Sendable {
    package var task: TaskID
    /// The task as it stands; nil where it does not exist.
    package var before: TaskItem?
    /// The task afterwards; nil where it does not exist then.
    package var after: TaskItem?
    package var steps: [Step]
    /// What speaks against it; when forced, why some of it is left alone.
    package var conflicts: [Conflict]
    /// Whether there is a goal, and the task does not exist in it.
    package var isMadeSince: Bool
  }

  /// What a task is to be in the end.
  package struct Goal {
    package var state: TaskState
    /// The event that a step names where something must be done, and none that is to be undone calls for it.
    package var stand: UInt64
    /// Whether a task that does not exist in the end may be there, deleted.
    fileprivate var mayBeDeleted = true

    package init(_ state: TaskState, stand: UInt64) {
      self.state = state
      self.stand = stand
    }
  }

  let task: TaskID
  private let isMadeSince: Bool
  private let before: TaskItem?
  private(set) var steps: [Step] = []
  private(set) var conflicts: [Conflict] = []

  package var result: Result {
    Result(
      task: task, before: before, after: after, steps: steps, conflicts: conflicts,
      isMadeSince: isMadeSince)
  }

  /// What is before an event, what came later and stays, and the task as the steps so far have left it.
  private(set) var earlier: EarlierChanges
  let later: LaterChanges
  let chains: UndoChains
  let undos: StandingUndos
  private(set) var state: TaskState
  /// The task as it stands, and the events that the steps so far make.
  private let start: TaskState
  private var made: [Event] = []

  private var after: TaskItem? { state.item(task) }

  /// - Parameters:
  ///   - events: all events of the task, in order of sequence.
  ///   - undone: those that are to be undone, each the last of its chain.
  ///   - isForced: whether later changes may be lost.
  ///   - goal: what the task is to be in the end, where that is known. Then all that stays is in it already, and no conflict is met.
  package init(
    _ task: TaskID, _ events: [Event], undoing undone: Set<UInt64>, goal: Goal? = nil,
    isForced: Bool, author: String, message: String?
  ) throws(LedgerError) {
    self.task = task
    isMadeSince = goal.map { !$0.state.exists } ?? false
    start = TaskState(events)
    state = start
    before = state.item(task)
    let all = UndoChains(events)
    let count = events.count
    let events = EndedLives(all).inTime(events)
    let chains = events.count < count ? UndoChains(events) : all
    self.chains = chains
    earlier = EarlierChanges(chains, events)
    later = LaterChanges(chains, without: undone)
    undos = StandingUndos(chains, events)
    if let goal, isAt(goal) { return }
    let end = goal ?? Self.goal(events, undone)
    let latestFirst = events.filter { undone.contains($0.sequence) }
      .sorted { $0.stamp > $1.stamp }
    func command(_ undone: UInt64, _ kind: EventKind, _ changes: ChangeSet) -> Command {
      Command(kind, task, changes, author: author, message: message, undoes: undone)
    }
    for event in latestFirst {
      try undo(event, isForced: isForced || end != nil) { command(event.sequence, $0, $1) }
      earlier.leaveOut(event)
    }
    guard let end else { return }
    conflicts = []
    guard !isAt(end) else { return }
    // What was undone and redone in between, and what came late, can leave another value than the one that was there. The last step
    // sets it; where nothing needed one, it is the only one.
    let stand = steps.popLast()?.undone ?? end.stand
    state = start
    for event in made.dropLast() { state.fold(event) }
    guard !isAt(end) else { return }
    let (kind, changes) = try way(to: end)
    let way = command(stand, kind, changes)
    if let made = try state.changes(for: way) { try add(way, undoing: stand, made) }
  }

  /// What the task was before the events that are undone, where nothing came after them and they undo something themselves: to take an
  /// undo back is to be where one was. Of a change it is what follows from the others that are in effect.
  private static func goal(_ events: [Event], _ undone: Set<UInt64>) -> Goal? {
    let rest = events.prefix { !undone.contains($0.sequence) }
    let tail = events[rest.endIndex...]
    guard let last = tail.last,
      tail.allSatisfy({ undone.contains($0.sequence) && $0.undoes != nil })
    else { return nil }
    var goal = Goal(TaskState(rest), stand: last.sequence)
    goal.mayBeDeleted = false
    return goal
  }

  /// Whether the task reads as it is to.
  private func isAt(_ goal: Goal) -> Bool {
    guard let item = goal.state.item(task) else {
      return after.map { $0.isDeleted && goal.mayBeDeleted } ?? true
    }
    return after == item
  }

  /// What makes the task read as it is to.
  private func way(to goal: Goal) throws(LedgerError) -> (EventKind, ChangeSet) {
    guard let changes = try revival(of: goal.state) else {
      return (goal.mayBeDeleted ? .delete : .evict, .empty)
    }
    return (state.exists ? .update : .upsert, changes)
  }

  private mutating func undo(
    _ event: Event, isForced: Bool, command: (EventKind, ChangeSet) -> Command
  ) throws(LedgerError) {
    let later = later.than(event)
    let since = later.filter { $0.sequence > event.sequence }
    if !chains.endsLife(event) {
      // What was undone in a life is not done again in another, which was brought back in its place by undoing the evict that had ended it.
      let isUndo = chains.isUndo(event.sequence)
      if let end = since.last(where: { isEnd($0) || (isUndo && chains.revives($0)) }) {
        conflicts.append(Conflict(task, by: end))
        return
      }
      // It belongs to a life that had ended when it arrived: nothing of it ever showed.
      if later.contains(where: { $0.kind == .evict }) { return }
    } else {
      // The task was made anew, and that life has ended, too: it is to come back first.
      if let end = since.last(where: isEnd) {
        conflicts.append(Conflict(task, by: end))
        return
      }
      // The task was made anew; that nothing of the old life is missing in it makes it no less another's.
      if !isForced, state.exists, let last = since.last(where: self.later.isInEffect) {
        conflicts.append(conflict(with: last))
        return
      }
    }
    let resurfaced = resurfaced(under: event)
    guard var (kind, changes) = try inverse(of: event, later: later, resurfaced) else { return }
    if !state.exists, kind != .upsert {
      // An evict that was redone came after what it had come before.
      var rest = earlier
      rest.leaveOut(event)
      guard let revival = try revival(of: rest.stateInEffect) else { return }
      (kind, changes) = (.upsert, revival)
    }
    let command = command(kind, changes)
    guard let made = try state.changes(for: command) else { return }
    if !isForced {
      let own = made.filter { change in !resurfaced.contains { $0.name == change.name } }
      let found = conflicts(of: event, kind, own, with: since)
      guard found.isEmpty else { return conflicts.append(contentsOf: found) }
    }
    try add(command, undoing: event.sequence, made)
  }

  /// Whether an event ended a life that has not come back since.
  private func isEnd(_ event: Event) -> Bool {
    chains.endsLife(event) && !chains.isUndone(event.sequence)
  }

  /// - Throws: `LedgerError` with code `invalid` where the task has more fields than one event can set.
  private mutating func add(
    _ command: Command, undoing undone: UInt64, _ changes: [FieldChange]
  ) throws(LedgerError) {
    guard let newest = state.newest else { return }
    // As the ledger will stamp it: later than all that is there.
    guard newest.count < .max else {
      throw LedgerError(
        .invalid,
        "the newest event of the task \"\(task)\" is number \(newest.count) of its replica, expected one that others can follow",
        hint: "`ledger verify` looks for damage")
    }
    let stamp = Stamp(time: newest.time, replica: newest.replica, count: newest.count + 1)
    let made = Event(
      sequence: state.revision + 1, stamp: stamp, kind: command.kind, task: task, changes: changes,
      author: command.author, transaction: state.revision + 1, endsTransaction: true,
      recorded: newest.time, undoes: undone)
    guard made.isWithinLimit else {
      throw LedgerError(
        .invalid,
        "the task \"\(task)\" cannot be what it was: that takes an event of \(made.canonicalSize) bytes, expected at most \(Limits.eventBytesMax)",
        hint: "`ledger get \(task.text.shellWord) --at MOMENT` shows it as it was")
    }
    let entry = TaskHistory.entry(made, after: state)
    steps.append(Step(undone: undone, command: command, changes: entry.changes))
    state.fold(made)
    self.made.append(made)
  }
}
