/// What undid or redid something of a task and was not taken back itself: what arrived late under it does not show.
struct StandingUndos {
  /// In order of sequence.
  private let events: [Event]
  /// For each of them the newest stamp of it and those before it.
  private let newest: [Stamp]

  /// - Parameter events: all events of the task, in order of sequence.
  init(_ chains: UndoChains, _ events: [Event]) {
    self.events = events.filter { $0.undoes != nil && !chains.isUndone($0.sequence) }
    var newest: [Stamp] = []
    for event in self.events { newest.append(max(newest.last ?? event.stamp, event.stamp)) }
    self.newest = newest
  }

  /// Those that were there when an event arrived, and are stamped later; most often none.
  func over(_ event: Event) -> [Event] {
    let count = events.prefixCount { $0.sequence < event.sequence }
    guard count > 0, newest[count - 1] > event.stamp else { return [] }
    return events[..<count].filter { $0.stamp > event.stamp }
  }
}
