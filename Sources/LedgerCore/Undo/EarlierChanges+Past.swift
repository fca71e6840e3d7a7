/// What is asked of the task as it stood just before an event.
extension EarlierChanges.Past {
  /// Whether the task was there.
  var exists: Bool { upsert.map { $0 > evict ?? -1 } ?? false }

  /// What the present life had last done to a field.
  private func entry(_ name: FieldName) -> (step: Int, value: Value?)? {
    guard let entries = changes.fields[name] else { return nil }
    let isOver = changes.isRevoked(name, entries, in: self)
    let start = (isOver ? lastEnd : evict) ?? -1
    var count = entries.prefixCount { $0.step < end }
    // What undid or redid something over what is undone by now may have set a value of that. It says no more than that what came late
    // under it does not show.
    var covers: UInt64 = .max
    while count > 0, entries[count - 1].step > start {
      let entry = entries[count - 1]
      count -= 1
      let step = changes.steps[entry.step]
      guard step.event.sequence < covers,
        changes.counts(entry.step, of: name, in: self, overRevoked: isOver)
      else {
        continue
      }
      guard isOver, changes.isMadeOfOthers(step) else { return (entry.step, entry.value) }
      if changes.stands(step, in: self) { covers = min(covers, step.event.sequence) }
    }
    return nil
  }

  /// The last evict that was not undone before the event.
  var lastEnd: Int? {
    changes.last(of: changes.evicts, before: end) { step in
      if let own, own.chain == step.chain { return (own.place - step.place) % 2 == 1 }
      return !changes.chains[step.chain].isUndone
    }
  }

  /// The value of a field as a reader saw it, hidden fields included.
  func reading(_ name: FieldName) -> Value? { entry(name)?.value ?? name.defaultValue }

  /// Whether a field was set that excludes this one.
  func holdsOther(than name: FieldName) -> Bool {
    changes.names.colliding(with: name).contains { entry($0)?.value != nil }
  }

  /// The value of a field that was set, and that no later-stamped prefix or extension hid.
  private func shown(_ name: FieldName) -> Value? {
    guard let own = entry(name), let value = own.value else { return nil }
    let isHidden = changes.names.colliding(with: name).contains { other in
      entry(other).map { $0.value != nil && $0.step > own.step } ?? false
    }
    return isHidden ? nil : value
  }

  /// The values that showed of some fields and of those that exclude one of them, by name.
  func shown(around names: [FieldName]) -> [FieldChange] {
    var all = Set(names)
    for name in names { all.formUnion(changes.names.colliding(with: name)) }
    return all.sorted().compactMap { name in shown(name).map { FieldChange(name, $0) } }
  }

  /// All of it.
  var state: TaskState {
    var state = TaskState()
    func fold(_ step: Int?, _ fields: [FieldChange]) {
      guard let step else { return }
      var event = changes.steps[step].event
      event.changes = fields
      state.fold(event)
    }
    if exists { fold(upsert, []) }
    for name in changes.fields.keys {
      if let entry = entry(name) { fold(entry.step, [FieldChange(name, entry.value)]) }
    }
    return state
  }
}
