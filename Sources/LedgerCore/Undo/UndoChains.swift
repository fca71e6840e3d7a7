/// Which events of one task are undone, told by the events alone.
///
/// An event can name an earlier one of its task that it undoes. So there are chains: a change, the event that undid it, the event that
/// redid it by undoing that one, and so on. A change is in effect while nothing, or an even number of events, follows it in its
/// chain.
///
/// Invariants:
/// - every event is in one chain; its sequence numbers ascend;
/// - an event that names none, or none that can be followed, is the first of its chain.
package struct UndoChains {
  /// The chains, each in order of sequence.
  package private(set) var chains: [[Event]] = []
  private var places: [UInt64: (chain: Int, place: Int)] = [:]

  /// - Parameter events: all events of one task, in order of sequence.
  package init(_ events: [Event]) {
    for event in events {
      if let undoes = event.undoes, undoes < event.sequence, let found = places[undoes],
        found.place == chains[found.chain].count - 1
      {
        chains[found.chain].append(event)
        places[event.sequence] = (found.chain, found.place + 1)
      } else {
        places[event.sequence] = (chains.count, 0)
        chains.append([event])
      }
    }
  }

  /// The chain of an event; empty for one that is not there.
  package func chain(of sequence: UInt64) -> [Event] {
    places[sequence].map { chains[$0.chain] } ?? []
  }

  /// Whether what an event did was taken back, and not done again since.
  package func isUndone(_ sequence: UInt64) -> Bool {
    places[sequence].map { (chains[$0.chain].count - 1 - $0.place) % 2 == 1 } ?? false
  }

  /// Whether an event takes a change back, as opposed to a change, or one that does it again.
  package func isUndo(_ sequence: UInt64) -> Bool {
    places[sequence].map { $0.place % 2 == 1 } ?? false
  }

  /// Whether what an event undoes can be followed, where it undoes something.
  package func isKnown(_ sequence: UInt64) -> Bool {
    guard let found = places[sequence] else { return false }
    return found.place > 0 || chains[found.chain].first?.undoes == nil
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
