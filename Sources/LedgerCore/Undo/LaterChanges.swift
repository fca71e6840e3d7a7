/// The events of one task that stay when others are undone, and what of them came later than one of those.
///
/// A change that was undone again since, and what undid it, cancel each other out: they are no later change. Nor is what undid a change
/// that itself is not later: the old values are those without it.
struct LaterChanges {
  private struct Chain {
    var chain: UndoChain
    var oldest: Stamp
    var newest: Stamp

    /// Whether all that it changed is as if it had never been. Who undid an evict brought a life back, and who undid a creation
    /// deleted the task.
    var leavesNothing: Bool {
      guard chain.isUndone, !chain.undoesAgain, !chain.isOfEvict else { return false }
      return chain.events.first?.kind != .upsert || chain.events.last?.kind != .delete
    }
  }

  /// The chains that stay, those that end last first.
  private let chains: [Chain]
  /// Those of the changes in effect, by the sequence numbers of their events.
  private let inEffect: Set<UInt64>

  /// - Parameter undone: the events that are to be undone, each the last of its chain.
  init(_ chains: UndoChains, without undone: Set<UInt64>) {
    let staying = chains.chains.compactMap { chain -> Chain? in
      guard let last = chain.events.last, !undone.contains(last.sequence) else { return nil }
      let stamps = chain.events.lazy.map(\.stamp)
      return Chain(
        chain: chain, oldest: stamps.min() ?? last.stamp, newest: stamps.max() ?? last.stamp)
    }
    self.chains = staying.sorted { $0.newest > $1.newest }
    inEffect = Set(
      staying.lazy.filter(\.chain.isInEffect).flatMap(\.chain.events).map(\.sequence))
  }

  /// Whether an event is of a change that is in effect: with a task that is taken away only such a change is lost.
  func isInEffect(_ event: Event) -> Bool { inEffect.contains(event.sequence) }

  /// The changes that are stamped later than an event, by stamp.
  func than(_ event: Event) -> [Event] {
    var later: [Event] = []
    for chain in chains {
      guard chain.newest > event.stamp else { break }
      let events = chain.chain.events
      if chain.oldest > event.stamp {
        if events.count % 2 == 1 { later.append(contentsOf: events) }
      } else if !chain.leavesNothing {
        let after = events.filter { $0.stamp > event.stamp }
        if after.count % 2 == 1 { later.append(contentsOf: after) }
      }
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
  func covers(_ name: FieldName) -> Bool { changes.contains { $0.covers(name) } }
}

extension FieldChange {
  /// Whether an earlier value of a field does not show under the change: it is of that field, or sets one that excludes it.
  func covers(_ field: FieldName) -> Bool {
    name == field || (value != nil && name.collides(with: field))
  }
}
