/// Which events of one task are undone, told by the events alone.
///
/// An event can name an earlier one of its task that it undoes. So there are chains. A change is in effect while nothing, or an even
/// number of events, follows it in its chain.
///
/// Invariants:
/// - every event is in one chain; its sequence numbers ascend;
/// - an event that names none, none that can be followed, or one that is undone already, is the first of its chain.
package struct UndoChains {
  package private(set) var chains: [UndoChain] = []
  private var places: [UInt64: (chain: Int, place: Int)] = [:]

  /// - Parameter events: all events of one task, in order of sequence.
  package init(_ events: [Event]) {
    for event in events {
      let named = event.undoes.flatMap { $0 < event.sequence ? places[$0] : nil }
      if let named, named.place == chains[named.chain].events.count - 1 {
        chains[named.chain].events.append(event)
        places[event.sequence] = (named.chain, named.place + 1)
      } else {
        places[event.sequence] = (chains.count, 0)
        chains.append(UndoChain(events: [event], undoesAgain: named != nil))
      }
    }
  }

  /// The number of the chain that an event is of, and its place in that.
  func place(of event: Event) -> (chain: Int, place: Int)? { places[event.sequence] }

  /// The chain of an event; empty for one that is not there.
  package func chain(of sequence: UInt64) -> [Event] {
    places[sequence].map { chains[$0.chain].events } ?? []
  }

  /// The change that an event undoes or does again, as far as it can be followed: the event itself where it does neither.
  package func root(of sequence: UInt64) -> Event? {
    guard let first = chain(of: sequence).first else { return nil }
    return first.undoes.flatMap { chain(of: $0).first } ?? first
  }

  /// Whether what an event did was taken back, and not done again since.
  package func isUndone(_ sequence: UInt64) -> Bool {
    places[sequence].map { (chains[$0.chain].events.count - 1 - $0.place) % 2 == 1 } ?? false
  }

  /// Whether an event takes a change back, as opposed to a change, or one that does it again.
  package func isUndo(_ sequence: UInt64) -> Bool {
    places[sequence].map { chains[$0.chain].isUndo(at: $0.place) } ?? false
  }

  /// Whether an event ends a life, of whatever kind it is.
  func endsLife(_ event: Event) -> Bool {
    places[event.sequence].map { chains[$0.chain].endsLife(at: $0.place) } ?? false
  }

  /// Whether an event takes the end of a life back.
  func revives(_ event: Event) -> Bool {
    places[event.sequence].map { chains[$0.chain].revives(at: $0.place) } ?? false
  }

  /// What an event, where it does a change again, made of a field though it did not touch it, because something else had made the same
  /// of it by then.
  func redone(by event: Event, touching name: FieldName) -> FieldChange? {
    guard let found = places[event.sequence], found.place > 0 else { return nil }
    let chain = chains[found.chain]
    guard !chain.undoesAgain, !chain.isUndo(at: found.place),
      chain.events[found.place - 1].change(touching: name) != nil
    else { return nil }
    return chain.events[0].change(touching: name)
  }

  /// Whether what lay over a field of an event, and below a later one, was taken back since the event arrived: the value came up again.
  func isUncovered(_ event: Event, _ name: FieldName, below later: Event) -> Bool {
    chains.contains { chain in
      zip(chain.events, chain.events.dropFirst()).contains { over, back in
        over.stamp > event.stamp && over.stamp < later.stamp && back.sequence > event.sequence
          && (over.kind == .evict || over.covers(name))
      }
    }
  }

  /// Whether what an event undoes can be followed, where it undoes something.
  package func isKnown(_ sequence: UInt64) -> Bool {
    guard let found = places[sequence] else { return false }
    let chain = chains[found.chain]
    return found.place > 0 || chain.undoesAgain || chain.events.first?.undoes == nil
  }
}

/// Which events are undone, while the events of a log go by from its last to its first.
package struct UndoneMarks {
  private var undone: Set<UInt64> = []

  package init() {}

  /// Whether the next event is undone.
  package mutating func pass(_ event: Event) -> Bool {
    if undone.remove(event.sequence) != nil { return true }
    if let undoes = event.undoes { undone.insert(undoes) }
    return false
  }
}
