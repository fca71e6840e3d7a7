import LedgerCore
import LedgerStorage

/// Every event after a position, in order and without a gap, and then each new one as it is committed: what
/// ``Ledger/events(after:)-(UInt64)`` gives.
///
/// Each iterator begins at the position. It holds its ledger, and leaves nothing behind when it goes.
public struct LedgerEvents: AsyncSequence, Sendable {
  let ledger: Ledger
  let position: UInt64

  public func makeAsyncIterator() -> Iterator {
    Iterator(follower: EventFollower(ledger, after: position))
  }

  /// Gives the events, one task at a time asking for them.
  public struct Iterator: AsyncIteratorProtocol {
    let follower: EventFollower

    /// The next event, once there is one; nil when the task is cancelled.
    ///
    /// - Throws: ``LedgerError``, as ``Ledger/events(after:)-(UInt64)`` says; after that there is nothing more.
    public mutating func next() async throws(LedgerError) -> Event? { try await follower.next() }

    /// The next event, read beside the actor that asks.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LedgerError) -> Event? {
      try await follower.next()
    }
  }
}

/// Following the log.
extension Ledger {
  /// Every event after a sequence number, those that are there and those to come, of this process and of others.
  ///
  /// ```swift
  /// for try await event in ledger.events(after: 0) { print(event.sequence, event.kind, event.task) }
  /// ```
  /// Nothing is left out, however slow the consumer is, but what a repair has recorded as lost; what is not committed is never shown. The end of the loop or of its task
  /// ends it.
  ///
  /// - Parameter sequence: 0 for all events; ``lastSequence`` for those to come.
  /// - Returns: the events. Waiting for one throws ``LedgerError`` with code `beyondEnd` for a position that no event has yet,
  ///   `invalid` when events after the position were folded away, naming the horizon, `damaged` when the ledger went back behind
  ///   an event that was given, `damaged`, `notFound` or `io` when it cannot be read.
  public func events(after sequence: UInt64) -> LedgerEvents {
    LedgerEvents(ledger: self, position: sequence)
  }

  /// Every event that a consumer has not processed yet, those that are there and those to come.
  ///
  /// - Parameter checkpoint: where to begin; it moves only when it is told to.
  /// - Returns: as ``events(after:)-(UInt64)``.
  public func events(after checkpoint: Checkpoint) -> LedgerEvents {
    events(after: checkpoint.sequence)
  }

  /// Up to which event the history was folded; 0 where it was not. Positions before it cannot be followed from.
  ///
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read.
  public var foldedThrough: UInt64 {
    get throws(LedgerError) { try currentView().horizon?.sequence ?? 0 }
  }
}
