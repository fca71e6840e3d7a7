import LedgerCore

/// Which events a fold takes.
package enum FoldCut: Hashable, Sendable {
  /// All of them.
  case present
  /// Those with at most this sequence number: what the ledger knew then.
  case sequence(UInt64)
  /// Those with at most this time, whenever they arrived.
  case time(LedgerTime)

  /// Whether an event is taken.
  package func includes(_ event: Event) -> Bool {
    switch self {
    case .present: true
    case .sequence(let last): event.sequence <= last
    case .time(let last): event.time <= last
    }
  }

  /// No event after this one is taken.
  package var lastSequence: UInt64 {
    if case .sequence(let last) = self { last } else { .max }
  }

  /// Whether a run has no event that is taken.
  package func excludesAll(of footer: RunFooter) -> Bool {
    switch self {
    case .present: false
    case .sequence(let last): footer.firstSequence > last
    case .time(let last): footer.oldest.time > last
    }
  }

  /// Whether all events of a run are taken.
  package func includesAll(of footer: RunFooter) -> Bool {
    switch self {
    case .present: true
    case .sequence(let last): footer.lastSequence <= last
    case .time(let last): footer.newest.time <= last
    }
  }
}
