/// What a task's history comes to at an event, given what is undone by now.
///
/// Invariants:
/// - `steps` are all events of the task, by stamp; those that are undone by now are in `leftOut`, and no more in `chains`;
/// - `fields` has for each field what they say of it, by stamp, so that looking one up does not fold them all.
struct EarlierChanges {
  /// An event, and the chain that it is of.
  fileprivate struct Step {
    var event: Event
    var chain: Int
  }

  /// What a step says of a field.
  fileprivate struct Entry {
    var step: Int
    var value: Value?
  }

  private let places: UndoChains
  /// What is left of each chain.
  fileprivate var chains: [UndoChain]
  fileprivate let steps: [Step]
  /// The steps that end a life, and those that make the task.
  fileprivate let evicts: [Int]
  fileprivate let upserts: [Int]
  fileprivate let fields: [FieldName: [Entry]]
  fileprivate let names: FieldNames
  fileprivate var leftOut: Set<UInt64> = []

  /// - Parameter events: all events of the task.
  init(_ chains: UndoChains, _ events: [Event]) {
    places = chains
    self.chains = chains.chains
    let steps = events.map { Step(event: $0, chain: chains.place(of: $0)?.chain ?? 0) }
      .sorted { $0.event.stamp < $1.event.stamp }
    var fields: [FieldName: [Entry]] = [:]
    for number in steps.indices {
      for change in steps[number].event.changes {
        fields[change.name, default: []].append(Entry(step: number, value: change.value))
      }
    }
    evicts = steps.indices.filter { steps[$0].event.kind == .evict }
    upserts = steps.indices.filter { steps[$0].event.kind == .upsert }
    names = FieldNames(fields.keys)
    self.steps = steps
    self.fields = fields
  }

  /// The chain that an event is the last of.
  fileprivate func chain(endingWith event: Event) -> Int? {
    guard let chain = places.place(of: event)?.chain,
      chains[chain].events.last?.sequence == event.sequence
    else { return nil }
    return chain
  }

  /// Notes that an event, the last of its chain, is undone.
  mutating func leaveOut(_ event: Event) {
    guard let chain = chain(endingWith: event) else { return }
    chains[chain].events.removeLast()
    leftOut.insert(event.sequence)
  }

  /// The task that the changes in effect add up to, each at the time when it was first made: a life that was ended again by a redo
  /// had ended before what came after it.
  var stateInEffect: TaskState {
    TaskState(chains.lazy.filter(\.isInEffect).compactMap(\.events.first))
  }

  /// The change that an event, the last of its chain, did again; nil where it is no redo.
  func redone(by event: Event) -> Event? {
    guard let chain = chain(endingWith: event), chains[chain].events.count > 1,
      chains[chain].isInEffect
    else { return nil }
    return chains[chain].events.first
  }

  /// The task as it stood just before an event, which is the last of its chain.
  func past(of event: Event) -> Past { Past(self, before: event) }

  /// The task as it stood at a stamp: what is asked of it is looked up.
  struct Past {
    private let changes: EarlierChanges
    /// The number of steps before the stamp.
    private let end: Int
    /// The chain of the event that it is the past of.
    private let own: Int?
    private let evict: Int?
    private let upsert: Int?

    fileprivate init(_ changes: EarlierChanges, before event: Event) {
      self.changes = changes
      own = changes.chain(endingWith: event)
      end = changes.steps.prefixCount { $0.event.stamp < event.stamp }
      evict = changes.last(of: changes.evicts, before: end)
      upsert = changes.last(of: changes.upserts, before: end)
    }
  }
}

extension EarlierChanges {
  /// The last step before another that is not left out.
  fileprivate func last(of numbers: [Int], before end: Int) -> Int? {
    var count = numbers.prefixCount { $0 < end }
    while count > 0, leftOut.contains(steps[numbers[count - 1]].event.sequence) { count -= 1 }
    return count > 0 ? numbers[count - 1] : nil
  }

  /// Whether a step still says something of a field. Of a change that was undone the fields do not count that were left alone when it
  /// was, because something else had changed them by then: to set such a value again would bring back what was undone.
  fileprivate func counts(_ step: Int, of name: FieldName, own: Int?) -> Bool {
    let step = steps[step]
    if leftOut.contains(step.event.sequence) { return false }
    let chain = chains[step.chain]
    guard step.chain != own, chain.isUndone, let undo = chain.events.last, undo.kind == .update
    else { return true }
    return undo.changes.contains { $0.name == name }
  }
}

extension EarlierChanges.Past {
  /// Whether the task was there.
  var exists: Bool { upsert.map { $0 > evict ?? -1 } ?? false }

  /// What the present life had last done to a field.
  private func entry(_ name: FieldName) -> (step: Int, value: Value?)? {
    guard let entries = changes.fields[name] else { return nil }
    var count = entries.prefixCount { $0.step < end }
    while count > 0, entries[count - 1].step > evict ?? -1 {
      let entry = entries[count - 1]
      if changes.counts(entry.step, of: name, own: own) { return (entry.step, entry.value) }
      count -= 1
    }
    return nil
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
    for step in (evict ?? 0)..<end {
      var event = changes.steps[step].event
      guard !changes.leftOut.contains(event.sequence) else { continue }
      event.changes.removeAll { !changes.counts(step, of: $0.name, own: own) }
      state.fold(event)
    }
    return state
  }
}
