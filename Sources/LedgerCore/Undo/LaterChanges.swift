/// The events of one task that stay when others are undone, and what of them came later than one of those.
///
/// A change that was undone again since, and what undid it, cancel each other out: they are no later change. Where the change itself
/// is not later, but what undid it is, they do not.
struct LaterChanges {
  /// The chains that stay, those that end last first.
  private let chains: [(newest: Stamp, chain: UndoChain)]

  /// - Parameter undone: the events that are to be undone, each the last of its chain.
  init(_ chains: UndoChains, without undone: Set<UInt64>) {
    self.chains = chains.chains.compactMap { chain in
      guard let last = chain.events.last, !undone.contains(last.sequence) else { return nil }
      return (chain.events.reduce(last.stamp) { max($0, $1.stamp) }, chain)
    }.sorted { $0.newest > $1.newest }
  }

  /// Whether an event is of a change that is in effect: with a task that is taken away only such a change is lost.
  func isInEffect(_ event: Event) -> Bool {
    chains.contains { _, chain in
      chain.isInEffect && chain.events.contains { $0.sequence == event.sequence }
    }
  }

  /// The changes that are stamped later than an event, by stamp.
  func than(_ event: Event) -> [Event] {
    var later: [Event] = []
    for (newest, chain) in chains {
      guard newest > event.stamp else { break }
      let after = chain.events.filter { $0.stamp > event.stamp }
      if after.count % 2 == 1 { later.append(contentsOf: after) }
    }
    return later.sorted { $0.stamp < $1.stamp }
  }
}

extension Event {
  /// What the event says of a field, or of one above or below it that excludes it.
  func change(touching name: FieldName) -> FieldChange? {
    changes.first { $0.name == name } ?? changes.first { $0.name.collides(with: name) }
  }

  /// Whether an earlier value of a field does not show under the event: where it sets or unsets the field, or sets one that excludes it.
  func covers(_ name: FieldName) -> Bool {
    changes.contains { change in
      change.name == name || (change.value != nil && change.name.collides(with: name))
    }
  }
}
