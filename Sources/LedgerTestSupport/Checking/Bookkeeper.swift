import TaskLedger

/// Keeps book of what was asked of a ledger and what it acknowledged.
///
/// Events are noted before the ledger writes them, so that what a crash left can be told from what was never asked for.
package final class Bookkeeper: Sendable {
  /// One transaction.
  package struct Entry: Sendable {
    package let events: [Event]
    package internal(set) var isAcknowledged = false

    package var firstSequence: UInt64 { events[0].sequence }
  }

  private let book: Guarded<[Entry]>

  /// Opens a book, in which something may stand already.
  package init(_ entries: [Entry] = []) { book = Guarded(entries) }

  /// Every transaction that was asked for and had something to write, in the order of asking.
  package var entries: [Entry] { book.withLock { $0 } }

  /// How many transactions were acknowledged.
  package var acknowledgedCount: Int { book.withLock { $0.count(where: \.isAcknowledged) } }

  /// Runs a transaction; when this returns, it is in the book as acknowledged.
  package func transaction(
    _ ledger: Ledger, author: String? = nil, message: String? = nil,
    _ body: (Transaction) throws -> Void
  ) throws {
    var place: Int?
    try ledger.transaction(author: author, message: message) { transaction in
      try body(transaction)
      var events = transaction.events
      guard !events.isEmpty else { return }
      events[events.count - 1].endsTransaction = true
      place = book.withLock { book in
        book.append(Entry(events: events))
        return book.count - 1
      }
    }
    if let place { book.withLock { $0[place].isAcknowledged = true } }
  }
}
