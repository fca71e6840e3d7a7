/// What takes events back, and what would be lost with that.
extension TaskUndo {
  /// What takes an event back; nil where there is nothing.
  func inverse(
    of event: Event, later: [Event], _ resurfaced: [FieldChange]
  ) throws(LedgerError) -> (EventKind, ChangeSet)? {
    let past = earlier.past(of: event)
    switch event.kind {
    case _ where chains.endsLife(event):
      // Without it the task would be what it was, with what came later and stays.
      var state = past.state
      for event in later { state.fold(event) }
      return try revival(of: state).map { (.upsert, $0) }
    case _ where chains.revives(event):
      // Over a task that had been made anew and deleted: that is what is left again.
      return try revival(of: past.state).map { (.update, $0) } ?? (.evict, .empty)
    case .upsert where !past.exists && !isOvertaken(event, by: later):
      return (.delete, .empty)
    case .toggle:
      guard !isOvertaken(event, .isCompleted, later), !isIdle(event, .isCompleted, past),
        state.reading(.isCompleted) != past.reading(.isCompleted)
      else { return nil }
      return (.toggle, .empty)
    case .delete:
      guard !isOvertaken(event, .isDeleted, later), past.reading(.isDeleted) != .bool(true) else {
        return nil
      }
      return (.update, try ChangeSet([FieldChange(.isDeleted, .bool(false))]))
    case .upsert, .update, .evict:
      let names = event.changes.map(\.name).filter {
        !isOvertaken(event, $0, later) && !isIdle(event, $0, past)
      }
      // What such a field had hidden, but a later change has set or unset, stays as it is.
      let all = oldValues(of: names, in: past)
      let own = Set(names)
      var old = all.filter { change in
        own.contains(change.name) || !isOvertaken(event, change.name, later)
      }
      if old.count < all.count {
        let kept = FieldNames(old.lazy.map(\.name))
        old += Self.unsets(names.filter { !kept.touches($0) })
      }
      // A field that comes back takes the place of those that it excludes.
      let taken = FieldNames(old.lazy.map(\.name))
      let rest = resurfaced.filter { !taken.touches($0.name) }
      let changes = try ChangeSet(old + rest)
      let deletes = changes.changes == [FieldChange(.isDeleted, .bool(true))]
      return deletes ? (.delete, .empty) : (.update, changes)
    }
  }

  /// The fields of a change that were left alone when it was undone, or then done again, because another had changed them by then, and
  /// that show its values again since that other is undone. When the change is undone they get the values that they had before it, when it
  /// is done again its own.
  func resurfaced(under event: Event) -> [FieldChange] {
    guard let change = earlier.root(of: event), change.kind == .update || change.kind == .upsert
    else { return [] }
    let past = earlier.past(of: change)
    guard past.exists else { return [] }
    let later = later.than(change)
    let own = FieldNames(event.changes.lazy.map(\.name))
    let left = change.changes.filter { field in
      !own.touches(field.name) && !isLost(change, field.name)
        && !later.contains { other in
          other.change(touching: field.name).map { !isLost(other, $0.name) } ?? false
        }
    }
    guard chains.isUndo(event.sequence) else { return oldValues(of: left.map(\.name), in: past) }
    return left.filter { state.reading($0.name) != $0.value ?? $0.name.defaultValue }
  }

  /// Whether the task was there already when an upsert arrived that makes it at an earlier time.
  private func isOvertaken(_ event: Event, by later: [Event]) -> Bool {
    later.contains { $0.sequence < event.sequence && $0.kind == .upsert }
  }

  /// Whether a change with a later stamp was there already when the event arrived: then the field never showed its value. A change and
  /// what undid it are no later change, but if both were there, it did not show either.
  private func isOvertaken(_ event: Event, _ name: FieldName, _ later: [Event]) -> Bool {
    let isCovered = later.contains { other in
      other.sequence < event.sequence
        && other.changes.contains { $0.covers(name) && !isLost(other, $0.name) }
    }
    return isCovered || isLost(event, name)
  }

  /// Whether a field would hold the same without the event: late history, and what was undone since, can leave a change with nothing that
  /// it changed. Whatever came later, there is nothing to take back.
  private func isIdle(
    _ event: Event, _ name: FieldName, _ past: EarlierChanges.Past
  ) -> Bool {
    guard let index = event.changes.index(ofName: name.text, nameOf: \.name.text),
      !past.holdsOther(than: name)
    else { return false }
    return past.reading(name) == event.changes[index].value ?? name.defaultValue
  }

  /// Whether an undo or redo with a later stamp was there already when the event arrived: while that stands, and what is in between,
  /// its value of the field does not show.
  private func isLost(_ event: Event, _ name: FieldName) -> Bool {
    undos.over(event).contains {
      $0.covers(name) && !chains.isUncovered(event, name, below: $0)
    }
  }

  /// Changes that give fields the values that showed in a state, where they have others by now. Of fields that exclude each other the
  /// hidden ones stay out.
  private func oldValues(of names: [FieldName], in past: EarlierChanges.Past) -> [FieldChange] {
    // What one of the fields hides now, though no event ever unset it, shows again, too.
    let set = past.shown(around: names)
    let shown = FieldNames(set.lazy.map(\.name))
    // What gives way to a field that is set needs no unset of its own; and to unset what is not set would unset what lies below it.
    let unset = names.filter { !shown.touches($0) && state.held($0) != nil }
    let differing = set.filter { state.shown($0.name) != $0.value }
    return differing + Self.unsets(unset)
  }

  /// The unsets of fields. One takes all below it along: late history can have set both.
  private static func unsets(_ names: [FieldName]) -> [FieldChange] {
    let all = Set(names)
    return names.filter { name in !name.prefixes.contains(where: all.contains) }
      .map { FieldChange($0, nil) }
  }

  /// What an upsert must set and unset to make the task what it is in a state; nil where it does not exist in that either.
  func revival(of state: TaskState) throws(LedgerError) -> ChangeSet? {
    guard state.exists else { return nil }
    var changes: [FieldChange] = []
    for field in state.visibleFields {
      changes.append(FieldChange(FieldName(unchecked: field.name), field.value))
    }
    let set = FieldNames(changes.lazy.map(\.name))
    let gone = self.state.heldFields.map(\.name).filter { !set.touches($0) }
    return try ChangeSet(changes + Self.unsets(gone))
  }

  /// What an event that would be lost as a whole is told by.
  func conflict(with event: Event) -> Conflict {
    let change = event.changes.first
    return Conflict(task, change?.name, theirs: change?.value, by: event)
  }

  /// The later changes that would be lost.
  func conflicts(
    of event: Event, _ kind: EventKind, _ changes: [FieldChange], with since: [Event]
  ) -> [Conflict] {
    // With the task goes all that was done to it; and a task that was made anew is another's.
    let isWhole = chains.endsLife(event) || chains.revives(event)
    if isWhole || kind == .evict || kind == .delete {
      return since.last(where: later.isInEffect).map { [conflict(with: $0)] } ?? []
    }
    return changes.compactMap { change in
      for other in since.reversed() {
        guard let theirs = other.change(touching: change.name), !isLost(other, theirs.name) else {
          continue
        }
        return Conflict(task, theirs.name, ours: change.value, theirs: theirs.value, by: other)
      }
      for other in since.reversed() {
        guard let theirs = chains.redone(by: other, touching: change.name) else { continue }
        return Conflict(task, theirs.name, ours: change.value, theirs: theirs.value, by: other)
      }
      return nil
    }
  }
}
