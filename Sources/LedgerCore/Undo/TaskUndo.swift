/// How events of one task are undone: by which commands, and what speaks against it.
///
/// Each event is undone by one event that names it, the one with the latest stamp first. What an event did is taken back thus:
///
/// | event | is undone by |
/// |---|---|
/// | upsert that made the task | delete |
/// | evict | upsert of what would be there without it |
/// | upsert that undid an evict | evict |
/// | toggle | toggle |
/// | delete | update of isDeleted to false, as restoring does |
/// | anything else | update that sets the old values, or unsets what was not set; a delete where that deletes |
///
/// Invariants:
/// - the steps, carried out in order onto the task as it stands, make `after` of `before`;
/// - no step undoes nothing: what never showed, or is as before already, needs none;
/// - unless forced, no step loses a change that came later and stays.
package struct TaskUndo: Sendable {
  /// What undoes one event.
  package struct Step: Sendable {
    /// What is undone.
    package var undone: Event
    package var command: Command
    /// What the command changes.
    package var changes: [AuditEntry.Change]
  }

  package let task: TaskID
  /// The task as it stands; nil where it does not exist.
  package let before: TaskItem?
  package private(set) var steps: [Step] = []
  /// What speaks against it; when forced, why some of it is left alone.
  package private(set) var conflicts: [Conflict] = []

  private var earlier: EarlierChanges
  private let later: LaterChanges
  private var state: TaskState

  /// The task afterwards; nil where it does not exist then.
  package var after: TaskItem? { state.item(task) }

  /// - Parameters:
  ///   - events: all events of the task, in order of sequence.
  ///   - undone: those that are to be undone, each the last of its chain.
  ///   - isForced: whether later changes may be lost.
  ///   - goal: what the task is to be in the end, where that is known: nothing that stays came later then.
  package init(
    _ task: TaskID, _ events: [Event], undoing undone: Set<UInt64>, goal: TaskState? = nil,
    isForced: Bool, author: String, message: String?
  ) throws(LedgerError) {
    self.task = task
    let chains = UndoChains(events)
    earlier = EarlierChanges(chains, events)
    later = LaterChanges(chains, without: undone)
    state = TaskState(events)
    before = state.item(task)
    let latestFirst = events.filter { undone.contains($0.sequence) }
      .sorted { $0.stamp > $1.stamp }
    func command(_ event: Event, _ kind: EventKind, _ changes: ChangeSet) -> Command {
      Command(kind, task, changes, author: author, message: message, undoes: event.sequence)
    }
    var last = state
    for event in latestFirst {
      let (before, count) = (state, steps.count)
      try undo(event, isForced: isForced || goal != nil) { command(event, $0, $1) }
      if steps.count > count { last = before }
      earlier.leaveOut(event)
    }
    guard let goal else { return }
    conflicts = []
    guard !isAt(goal), let step = steps.popLast() else { return }
    // What was undone and redone in between can leave another value than the one that was there: the last step sets it.
    state = last
    let (kind, changes) = try way(to: goal)
    let way = command(step.undone, kind, changes)
    if let made = try state.changes(for: way) { add(way, undoing: step.undone, made) }
  }

  /// Whether the task reads as in a state; one that does not exist there is deleted.
  private func isAt(_ goal: TaskState) -> Bool {
    guard let item = goal.item(task) else { return after?.isDeleted ?? true }
    return after == item
  }

  /// What makes the task read as in a state.
  private func way(to goal: TaskState) throws(LedgerError) -> (EventKind, ChangeSet) {
    guard let changes = try revival(of: goal) else { return (.delete, .empty) }
    return (state.exists ? .update : .upsert, changes)
  }

  private mutating func undo(
    _ event: Event, isForced: Bool, command: (EventKind, ChangeSet) -> Command
  ) throws(LedgerError) {
    let later = later.than(event)
    let since = later.filter { $0.sequence > event.sequence }
    if event.kind != .evict {
      if let evict = since.last(where: { $0.kind == .evict }) {
        conflicts.append(Conflict(task, by: evict))
        return
      }
      // It belongs to a life that had ended when it arrived: nothing of it ever showed.
      if later.contains(where: { $0.kind == .evict }) { return }
    } else if !isForced, state.exists, let last = since.last(where: self.later.isInEffect) {
      // The task was made anew; that nothing of the old life is missing in it makes it no less another's.
      conflicts.append(conflict(with: last))
      return
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
    add(command, undoing: event, made)
  }

  private mutating func add(_ command: Command, undoing event: Event, _ changes: [FieldChange]) {
    guard let newest = state.newest else { return }
    // As the ledger will stamp it: later than all that is there.
    let stamp = Stamp(time: newest.time, replica: newest.replica, count: newest.count + 1)
    let made = Event(
      sequence: state.revision + 1, stamp: stamp, kind: command.kind, task: task, changes: changes,
      author: command.author, transaction: state.revision + 1, endsTransaction: true,
      recorded: newest.time, undoes: event.sequence)
    let entry = TaskHistory.entry(made, after: state)
    steps.append(Step(undone: event, command: command, changes: entry.changes))
    state.fold(made)
  }

  /// What takes an event back; nil where there is nothing.
  private func inverse(
    of event: Event, later: [Event], _ resurfaced: [FieldChange]
  ) throws(LedgerError) -> (EventKind, ChangeSet)? {
    let past = earlier.state(before: event)
    switch event.kind {
    case .evict:
      // Without it the task would be what it was, with what came later and stays.
      var state = past
      for event in later { state.fold(event) }
      return try revival(of: state).map { (.upsert, $0) }
    case .upsert where earlier.revives(event):
      // Over a task that had been made anew and deleted: that is what is left again.
      return try revival(of: past).map { (.update, $0) } ?? (.evict, .empty)
    case .upsert where !past.exists && !isOvertaken(event, by: later):
      return (.delete, .empty)
    case .toggle:
      guard !isOvertaken(event, .isCompleted, later),
        state.reading(.isCompleted) != past.reading(.isCompleted)
      else { return nil }
      return (.toggle, .empty)
    case .delete:
      guard !isOvertaken(event, .isDeleted, later), past.reading(.isDeleted) != .bool(true) else {
        return nil
      }
      return (.update, try ChangeSet([FieldChange(.isDeleted, .bool(false))]))
    case .upsert, .update:
      let names = event.changes.map(\.name).filter { !isOvertaken(event, $0, later) }
      let changes = try ChangeSet(oldValues(of: names, in: past) + resurfaced)
      let deletes = changes.changes == [FieldChange(.isDeleted, .bool(true))]
      return deletes ? (.delete, .empty) : (.update, changes)
    }
  }

  /// The fields of a change that were left alone when it was undone and done again, because another had changed them by then, and that
  /// show its values again since that other is undone: with the values that they had before the change.
  private func resurfaced(under event: Event) -> [FieldChange] {
    guard event.kind == .update, let change = earlier.redone(by: event),
      change.kind == .update || change.kind == .upsert
    else { return [] }
    let past = earlier.state(before: change)
    guard past.exists else { return [] }
    let later = later.than(change)
    let names = change.changes.map(\.name).filter { name in
      !event.changes.contains { $0.name == name || $0.name.collides(with: name) }
        && !later.contains { $0.change(touching: name) != nil }
    }
    return oldValues(of: names, in: past)
  }

  /// Whether the task was there already when an upsert arrived that makes it at an earlier time.
  private func isOvertaken(_ event: Event, by later: [Event]) -> Bool {
    later.contains { $0.sequence < event.sequence && $0.kind == .upsert }
  }

  /// Whether a change with a later stamp was there already when the event arrived: then the field never showed its value.
  private func isOvertaken(_ event: Event, _ name: FieldName, _ later: [Event]) -> Bool {
    later.contains { $0.sequence < event.sequence && $0.change(touching: name) != nil }
  }

  /// Changes that give fields the values that showed in a state, where they have others by now. Of fields that exclude each other the
  /// hidden ones stay out.
  private func oldValues(of names: [FieldName], in past: TaskState) -> [FieldChange] {
    let shown = past.visibleFields.map { FieldChange(FieldName(unchecked: $0.name), $0.value) }
    // What one of the fields hides now, though no event ever unset it, shows again, too.
    let set = shown.filter { old in
      names.contains { $0 == old.name || $0.collides(with: old.name) }
    }
    // What gives way to a field that is set needs no unset of its own; and to unset what is not set would unset what lies below it.
    let unset = names.filter { name in
      !set.contains { $0.name == name || $0.name.collides(with: name) } && state.held(name) != nil
    }
    let now = state.visibleFields
    let differing = set.filter { old in
      now.first { $0.name.hasSameBytes(as: old.name.text) }?.value != old.value
    }
    return differing + unset.map { FieldChange($0, nil) }
  }

  /// What an upsert must set and unset to make the task what it is in a state; nil where it does not exist in that either.
  private func revival(of state: TaskState) throws(LedgerError) -> ChangeSet? {
    guard state.exists else { return nil }
    var changes: [FieldChange] = []
    for field in state.visibleFields {
      changes.append(FieldChange(FieldName(unchecked: field.name), field.value))
    }
    let set = Set(changes.map(\.name))
    for field in self.state.heldFields where !set.contains(field.name) {
      let isExcluded = changes.contains { $0.name.collides(with: field.name) }
      if !isExcluded { changes.append(FieldChange(field.name, nil)) }
    }
    return try ChangeSet(changes)
  }

  /// What an event that would be lost as a whole is told by.
  private func conflict(with event: Event) -> Conflict {
    let change = event.changes.first
    return Conflict(task, change?.name, theirs: change?.value, by: event)
  }

  /// The later changes that would be lost.
  private func conflicts(
    of event: Event, _ kind: EventKind, _ changes: [FieldChange], with since: [Event]
  ) -> [Conflict] {
    // With the task goes all that was done to it; and a task that was made anew is another's.
    if event.kind == .evict || kind == .evict || kind == .delete || earlier.revives(event) {
      return since.last(where: later.isInEffect).map { [conflict(with: $0)] } ?? []
    }
    return changes.compactMap { change in
      guard let other = since.last(where: { $0.change(touching: change.name) != nil }),
        let theirs = other.change(touching: change.name)
      else { return nil }
      return Conflict(task, theirs.name, ours: change.value, theirs: theirs.value, by: other)
    }
  }
}
