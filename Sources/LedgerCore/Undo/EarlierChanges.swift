/// What a task's history comes to at an event, given what is undone by now.
struct EarlierChanges {
  /// Nothing of the task was ever undone: its history as it is.
  private let plain: StampedHistory?
  /// What is left of each chain.
  private var chains: [UndoChain]

  /// - Parameter events: all events of the task.
  init(_ chains: UndoChains, _ events: [Event]) {
    self.chains = chains.chains
    plain = chains.chains.count == events.count ? StampedHistory(events) : nil
  }

  /// Notes that an event, the last of its chain, is undone.
  mutating func leaveOut(_ event: Event) {
    for place in chains.indices where chains[place].events.last?.sequence == event.sequence {
      chains[place].events.removeLast()
    }
  }

  /// The task as it stood just before an event, which is the last of its chain.
  func state(before event: Event) -> TaskState {
    if let plain { return plain.state(before: event.stamp) }
    var state = TaskState()
    for chain in chains {
      let isOwn = chain.events.last?.sequence == event.sequence
      for earlier in chain.events where earlier.stamp < event.stamp {
        state.fold(isOwn ? earlier : Self.rest(of: earlier, in: chain))
      }
    }
    return state
  }

  /// An event of a change that was undone, without the fields that were left alone when it was, because something else had changed
  /// them by then: to set such a value again would bring back what was undone.
  private static func rest(of event: Event, in chain: UndoChain) -> Event {
    guard chain.isUndone, let undo = chain.events.last, undo.kind == .update else { return event }
    var rest = event
    rest.changes.removeAll { change in !undo.changes.contains { $0.name == change.name } }
    return rest
  }

  /// The task that the changes in effect add up to, each at the time when it was first made: a life that was ended again by a redo
  /// had ended before what came after it.
  var stateInEffect: TaskState {
    TaskState(chains.lazy.filter(\.isInEffect).compactMap(\.events.first))
  }

  /// The change that an event, the last of its chain, did again; nil where it is no redo.
  func redone(by event: Event) -> Event? {
    guard let chain = chains.first(where: { $0.events.last?.sequence == event.sequence }),
      chain.events.count > 1, chain.isInEffect
    else { return nil }
    return chain.events.first
  }
}
