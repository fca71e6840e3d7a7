import LedgerCore

/// The tasks that meet a query, as values of a type, now and each time that they have changed: what
/// ``Ledger/observe(as:_:sortedBy:limit:)`` gives.
///
/// Each iterator is an observation of its own. It holds its ledger, and leaves nothing behind when it goes.
public struct TypedObservation<Document: Decodable & Sendable>: AsyncSequence, Sendable {
  let tasks: TaskObservation

  public func makeAsyncIterator() -> Iterator {
    Iterator(observer: TypedObserver(tasks.makeAsyncIterator().observer))
  }

  /// Gives the values, one task at a time asking for them.
  public struct Iterator: AsyncIteratorProtocol {
    let observer: TypedObserver<Document>

    /// The next value: the first at once, each other one when the result has changed since the one before; nil when the task is
    /// cancelled.
    ///
    /// - Throws: ``LedgerError`` when a task does not fit the type, or the ledger cannot be read any more; what the type throws by
    ///   itself. After that there is nothing more.
    public mutating func next() async throws -> ObservedDocuments<Document>? {
      try await observer.next()
    }

    /// The next value, worked out beside the actor that asks.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ObservedDocuments<Document>? {
      try await observer.next()
    }
  }
}

/// What a typed observation shows at one moment, and what changed since the value before.
///
/// ```swift
/// for try await chores in try ledger.observe(as: Chore.self, "!isDeleted", sortedBy: "due") {
///   print(chores.count, chores.first?.body ?? "nothing to do", chores.changes.insertions)
/// }
/// ```
public struct ObservedDocuments<Document: Sendable>: RandomAccessCollection, Sendable {
  private let documents: [Document]
  /// The sequence number of the last event that is in.
  public let sequence: UInt64
  /// What leads here from the value that the same iterator gave before; in its first value every document is an insertion.
  public let changes: TaskListChanges

  /// Nothing, and no event: what to show until there is a first value.
  public init() { self.init([], sequence: 0, changes: TaskListChanges()) }

  init(_ documents: [Document], sequence: UInt64, changes: TaskListChanges) {
    self.documents = documents
    self.sequence = sequence
    self.changes = changes
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { documents.count }

  public subscript(index: Int) -> Document { documents[index] }
}

/// One iterator of a typed observation: keeps the values, and makes those anew that changed.
final class TypedObserver<Document: Decodable & Sendable>: Sendable {
  private let observer: TaskObserver
  /// What was given last; nil after a failure.
  private let shown = Guarded<[Document]?>([])

  init(_ observer: TaskObserver) { self.observer = observer }

  func next() async throws -> ObservedDocuments<Document>? {
    guard let old = shown.withLock({ $0 }), let tasks = try await observer.next() else {
      return nil
    }
    do {
      let new = try tasks.changes.list(after: old) { try tasks[$0].decoded(as: Document.self) }
      shown.withLock { $0 = new }
      return ObservedDocuments(new, sequence: tasks.sequence, changes: tasks.changes)
    } catch {
      shown.withLock { $0 = nil }
      observer.stop()
      throw error
    }
  }
}

extension TaskListChanges {
  /// The new list, made of the old one and of what is new or reads differently, which is asked for by its new index.
  func list<Item>(after old: [Item], _ new: (Int) throws -> Item) rethrows -> [Item] {
    let gone = Set(deletions).union(moves.map(\.from))
    let inserted = Set(insertions)
    let updated = Set(updates)
    let moved = Dictionary(uniqueKeysWithValues: moves.map { ($0.to, $0.from) })
    var rest = old.indices.lazy.filter { !gone.contains($0) }.makeIterator()
    return try (0..<(old.count - deletions.count + insertions.count)).map { index in
      if inserted.contains(index) { return try new(index) }
      // What stays is next in line, whether it reads differently or not.
      guard let place = moved[index] ?? rest.next(), !updated.contains(index) else {
        return try new(index)
      }
      return old[place]
    }
  }
}

/// Observing tasks as an app declares them.
extension Ledger {
  /// The tasks that meet a query, as values of a type, now and after each commit that changes the result.
  ///
  /// ```swift
  /// for try await chores in ledger.observe(as: Chore.self, !Field("isDeleted"), sortedBy: "due") {
  ///   show(Array(chores))
  /// }
  /// ```
  /// It is ``observe(_:sortedBy:limit:)`` with each task read as `type`; only those that changed are read anew. A value is an array: a
  /// commit costs each observation a copy of it. For lists of many thousands observe tasks, and read those that are shown.
  ///
  /// - Parameters:
  ///   - type: what each task is read as.
  ///   - query: what the tasks must meet; without it, all that are not deleted.
  ///   - sortedBy: the order; ties are broken by id.
  ///   - limit: only the first so many tasks; nil for all.
  /// - Returns: values of ``ObservedDocuments``. Waiting for one throws ``LedgerError`` with code `invalid` that names task and field
  ///   where one does not fit the type; `damaged`, `notFound` or `io` when the ledger cannot be read any more. Then there are no more.
  public func observe<T: Decodable & Sendable>(
    as type: T.Type, _ query: Query = .undeleted, sortedBy: TaskSort = .byID, limit: Int? = nil
  ) -> TypedObservation<T> {
    TypedObservation(tasks: observe(query, sortedBy: sortedBy, limit: limit))
  }

  /// The tasks that meet a query given as text, as values of a type, now and after each commit that changes the result.
  ///
  /// ```swift
  /// let mine = try ledger.observe(as: Chore.self, "!isDeleted && owner == $me", ["me": .text(name)])
  /// ```
  /// - Parameters:
  ///   - type: what each task is read as.
  ///   - query: the text of a ``Query``; what it asks for beside literals comes as arguments.
  ///   - arguments: the values that `$name` stands for; nil is null.
  ///   - sortedBy: the order; ties are broken by id.
  ///   - limit: only the first so many tasks; nil for all.
  /// - Returns: as ``observe(as:_:sortedBy:limit:)``.
  /// - Throws: ``LedgerError`` with code `invalid`, and the column, for a text that is no query.
  public func observe<T: Decodable & Sendable>(
    as type: T.Type, _ query: String, _ arguments: [String: Value?] = [:],
    sortedBy: TaskSort = .byID, limit: Int? = nil
  ) throws(LedgerError) -> TypedObservation<T> {
    observe(as: type, try Query(query, arguments), sortedBy: sortedBy, limit: limit)
  }
}
