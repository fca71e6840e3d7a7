import LedgerCore

/// The tasks that meet a query, as they are now and each time that they have changed: what ``Ledger/observe(_:sortedBy:limit:)``
/// gives.
///
/// Each iterator is an observation of its own. It holds its ledger, and leaves nothing behind when it goes.
public struct TaskObservation: AsyncSequence, Sendable {
  let ledger: Ledger
  let query: Query
  let order: TaskSort
  let limit: Int?

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      observer: TaskObserver(ledger, ObservedList(query, sortedBy: order, limit: limit)))
  }

  /// Gives the values, one task at a time asking for them.
  public struct Iterator: AsyncIteratorProtocol {
    let observer: TaskObserver

    /// The next value: the first at once, each other one when the result has changed since the one before; nil when the task is
    /// cancelled.
    ///
    /// - Throws: ``LedgerError`` when the ledger cannot be read any more; after that there is nothing more.
    public mutating func next() async throws(LedgerError) -> ObservedTasks? {
      try await observer.next()
    }

    /// The next value, worked out beside the actor that asks.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LedgerError) -> ObservedTasks? {
      try await observer.next()
    }
  }
}

/// Observing.
extension Ledger {
  /// The tasks that meet a query, now and after each commit that changes the result.
  ///
  /// ```swift
  /// for try await tasks in try ledger.observe("!isDeleted && !isCompleted", sortedBy: "due", limit: 50) {
  ///   show(tasks, tasks.changes)
  /// }
  /// ```
  /// The first value comes at once. The others follow commits, of this process and of others; who takes his time gets the newest
  /// one and misses those before. What is not committed is never shown, and the end of the loop or of its task ends it.
  ///
  /// - Parameters:
  ///   - query: what the tasks must meet.
  ///   - sortedBy: the order; ties are broken by id.
  ///   - limit: only the first so many tasks; nil for all.
  /// - Returns: values of ``ObservedTasks``. Waiting for one throws ``LedgerError`` with code `damaged`, `notFound` or `io` when
  ///   the ledger cannot be read any more, and then there are no more.
  public func observe(
    _ query: Query, sortedBy: TaskSort = .byID, limit: Int? = nil
  ) -> TaskObservation {
    TaskObservation(ledger: self, query: query, order: sortedBy, limit: limit)
  }

  /// The tasks that meet a query given as text, now and after each commit that changes the result.
  ///
  /// - Parameters:
  ///   - query: the text of a ``Query``; what it asks for beside literals comes as arguments.
  ///   - arguments: the values that `$name` stands for; nil is null.
  ///   - sortedBy: the order; ties are broken by id.
  ///   - limit: only the first so many tasks; nil for all.
  /// - Returns: as ``observe(_:sortedBy:limit:)``.
  /// - Throws: ``LedgerError`` with code `invalid`, and the column, for a text that is no query.
  public func observe(
    _ query: String, _ arguments: [String: Value?] = [:], sortedBy: TaskSort = .byID,
    limit: Int? = nil
  ) throws(LedgerError) -> TaskObservation {
    observe(try Query(query, arguments), sortedBy: sortedBy, limit: limit)
  }
}
