/// What a task's history comes to at an event, given what is undone by now.
///
/// Invariants:
/// - `steps` are all events of the task, by stamp; those that this undo has undone are in `leftOut`, and no more in `chains`;
/// - `fields` has for each field what they say of it, by stamp, so that looking one up does not fold them all.
struct EarlierChanges {
  /// An event, and the chain that it is of.
  struct Step {
    var event: Event
    var chain: Int
    /// Its place in the chain: the change itself, what undid it, what did it again, and so on.
    var place: Int
  }

  /// What a step says of a field.
  struct Entry {
    var step: Int
    var value: Value?
  }

  private let places: UndoChains
  /// What is left of each chain.
  private(set) var chains: [UndoChain]
  let steps: [Step]
  /// The steps that end a life, and those that make the task.
  let evicts: [Int]
  let upserts: [Int]
  let fields: [FieldName: [Entry]]
  /// Of each field when what had touched it was undone that is undone by now, by stamp.
  private var revoked: [FieldName: [(stamp: Stamp, chain: Int)]]
  let names: FieldNames
  private var leftOut: Set<UInt64> = []

  /// - Parameter events: all events of the task.
  init(_ chains: UndoChains, _ events: [Event]) {
    places = chains
    self.chains = chains.chains
    let steps = events.compactMap { event in
      chains.place(of: event).map { Step(event: event, chain: $0.chain, place: $0.place) }
    }.sorted { $0.event.stamp < $1.event.stamp }
    var fields: [FieldName: [Entry]] = [:]
    var revoked: [FieldName: [(stamp: Stamp, chain: Int)]] = [:]
    for number in steps.indices {
      let chain = self.chains[steps[number].chain]
      let undone = chain.isUndone ? chain.events.last?.stamp : nil
      for change in steps[number].event.changes {
        fields[change.name, default: []].append(Entry(step: number, value: change.value))
        if let undone { revoked[change.name, default: []].append((undone, steps[number].chain)) }
      }
    }
    self.revoked = revoked.mapValues { $0.sorted { $0.stamp < $1.stamp } }
    evicts = steps.indices.filter { steps[$0].event.kind == .evict }
    upserts = steps.indices.filter { steps[$0].event.kind == .upsert }
    names = FieldNames(fields.keys)
    self.steps = steps
    self.fields = fields
  }

  /// The chain that an event is the last of.
  func chain(endingWith event: Event) -> Int? {
    guard let chain = places.place(of: event)?.chain,
      chains[chain].events.last?.sequence == event.sequence
    else { return nil }
    return chain
  }

  /// Notes that an event, the last of its chain, is undone.
  mutating func leaveOut(_ event: Event) {
    guard let chain = chain(endingWith: event) else { return }
    let names = Set(chains[chain].events.lazy.flatMap(\.changes).map(\.name))
    chains[chain].events.removeLast()
    leftOut.insert(event.sequence)
    for name in names {
      while let last = revoked[name]?.last, !isUndone(last.chain, at: last.stamp) {
        revoked[name]?.removeLast()
      }
    }
  }

  /// Whether a chain ends with what undid its change at a stamp.
  private func isUndone(_ chain: Int, at stamp: Stamp) -> Bool {
    chains[chain].isUndone && chains[chain].events.last?.stamp == stamp
  }

  /// The task that the changes in effect add up to, each at the time when it was first made: a life that was ended again by a redo
  /// had ended before what came after it.
  var stateInEffect: TaskState {
    TaskState(chains.lazy.filter(\.isInEffect).compactMap(\.events.first))
  }

  /// The change that an event, the last of its chain, took back or did again; nil where it is that change itself.
  func root(of event: Event) -> Event? {
    guard let chain = chain(endingWith: event), chains[chain].events.count > 1,
      !chains[chain].undoesAgain
    else { return nil }
    return chains[chain].events.first
  }

  /// The task as it stood just before an event, which is the last of its chain.
  func past(of event: Event) -> Past { Past(self, before: event) }

  /// The task as it stood at a stamp, without what is undone by now: what is asked of it is looked up.
  struct Past {
    let changes: EarlierChanges
    /// The event that it is the past of.
    let event: Event
    /// The number of steps before that.
    let end: Int
    /// The place of the event, where it is the last of a chain.
    let own: (chain: Int, place: Int)?
    let evict: Int?
    let upsert: Int?

    init(_ changes: EarlierChanges, before event: Event) {
      self.changes = changes
      self.event = event
      let chain = changes.chain(endingWith: event)
      own = chain.map { ($0, changes.chains[$0].events.count - 1) }
      end = changes.steps.prefixCount { $0.event.stamp < event.stamp }
      evict = changes.last(of: changes.evicts, before: end) {
        !changes.isRevoked($0, since: event, own: chain)
      }
      upsert = changes.last(of: changes.upserts, before: end) { _ in true }
    }
  }
}

extension EarlierChanges {
  /// The last step before another that is not left out.
  func last(
    of numbers: [Int], before end: Int, where isWanted: (Step) -> Bool
  ) -> Int? {
    var count = numbers.prefixCount { $0 < end }
    while count > 0 {
      let step = steps[numbers[count - 1]]
      if !leftOut.contains(step.event.sequence), isWanted(step) { return numbers[count - 1] }
      count -= 1
    }
    return nil
  }

  /// Whether a step was in effect at an event, and is undone by something after that.
  func isRevoked(_ step: Step, since event: Event, own: Int?) -> Bool {
    let chain = chains[step.chain]
    return step.chain != own && chain.isUndone && chain.wasInEffect(at: event.stamp)
  }

  /// Whether a step made a task anew where the end of the life before is undone by now, or in the past of an event.
  private func isOfLifeReplaced(_ number: Int, in past: Past) -> Bool {
    guard steps[number].event.kind == .upsert,
      let end = last(of: evicts, before: number, where: { _ in true }).map({ steps[$0] })
    else { return false }
    if let own = past.own, own.chain == end.chain { return (own.place - end.place) % 2 == 0 }
    return chains[end.chain].isUndone
  }

  /// Whether a step still says something of a field in the past of an event. To set a value of a change again that is undone by now would
  /// bring back what was undone. So nothing of it counts that was undone after the event; nor do the fields that were left alone before
  /// it, because something else had changed them by then. What undid a creation left its fields as they are.
  ///
  /// - Parameter isOver: whether something is undone by now of which a value may have come back when the step was undone.
  func counts(
    _ number: Int, of name: FieldName, in past: Past, overRevoked isOver: Bool = false
  ) -> Bool {
    let step = steps[number]
    if leftOut.contains(step.event.sequence) { return false }
    // Before something is done again lies what undid it, and the other way round.
    if let own = past.own, own.chain == step.chain { return (own.place - step.place) % 2 == 1 }
    let chain = chains[step.chain]
    guard chain.isUndone, let undo = chain.events.last else { return true }
    let isTouched = undo.changes.contains { $0.name == name }
    let isLeft = undo.kind != .update && !isTouched
    if chain.wasInEffect(at: past.event.stamp) {
      return isLeft && !isOfLifeReplaced(number, in: past)
    }
    if !isOver || chain.isUndo(at: step.place) { return undo.kind != .update || isTouched }
    return isLeft && !isOfLifeReplaced(number, in: past)
  }

  /// Whether the values of a step follow from other changes: it undid or redid one. But to undo a creation is to delete.
  func isMadeOfOthers(_ step: Step) -> Bool {
    let chain = chains[step.chain]
    return step.place > 0
      && !(chain.isUndone && step.event.kind == .delete && chain.events.first?.kind == .upsert)
  }

  /// Whether a step that undid or redid something had not been taken back when an event was made.
  func stands(_ step: Step, in past: Past) -> Bool {
    let chain = chains[step.chain]
    return step.chain == past.own?.chain
      || chain.wasInEffect(at: past.event.stamp) != chain.isUndo(at: step.place)
  }

  /// Whether something touched a field that was in effect at an event, and is undone by now.
  func isRevoked(_ name: FieldName, _ entries: [Entry], in past: Past) -> Bool {
    guard let newest = revoked[name]?.last, newest.stamp > past.event.stamp else { return false }
    let start = past.lastEnd ?? -1
    return entries.contains { entry in
      entry.step < past.end && entry.step > start
        && isRevoked(steps[entry.step], since: past.event, own: past.own?.chain)
        && !counts(entry.step, of: name, in: past)
    }
  }
}
