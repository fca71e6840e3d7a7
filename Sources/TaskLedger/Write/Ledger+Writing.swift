import LedgerFormat
import LedgerStorage

/// Changing tasks.
extension Ledger {
  /// Creates a task, or sets the given fields of one that is there and leaves its others alone: a field that the given task does not
  /// have stays as it is. Use ``update(_:expecting:message:_:)`` to unset one.
  ///
  /// ```swift
  /// let milk = try ledger.upsert(TaskItem(body: "Get milk"))
  /// ```
  /// - Parameters:
  ///   - revision: the revision at which the task must be, as ``revision(of:)`` tells it; 0 for an id that never was. Nil: any.
  ///   - message: why, in the author's words.
  /// - Returns: the task's id.
  /// - Throws: ``LedgerError`` with code `invalid` for a field that the rules refuse, `conflict` for a task at another revision, with who
  ///   changed it in ``LedgerError/conflicts``, `busy` when another process holds the ledger for too long, `io` when it cannot be
  ///   written: nothing was changed, unless the message says that a sync failed.
  @discardableResult
  public func upsert(
    _ task: TaskItem, expecting revision: UInt64? = nil, message: String? = nil
  ) throws -> TaskID {
    try transaction(message: message) { try $0.upsert(task, expecting: revision) }
  }

  /// Changes a task that exists.
  ///
  /// ```swift
  /// try ledger.update(milk) { $0.body = "Get oat milk"; $0["priority"] = 2 }
  /// ```
  /// - Parameters:
  ///   - revision: as in `upsert`.
  ///   - message: as in `upsert`.
  ///   - change: changes the task as it stands; only the fields that then differ are recorded.
  /// - Returns: false when nothing differs, and then nothing is appended.
  /// - Throws: ``LedgerError`` with code `noSuchTask` or `conflict`, and then `change` is not called; else as `upsert`.
  @discardableResult
  public func update(
    _ id: TaskID, expecting revision: UInt64? = nil, message: String? = nil,
    _ change: (inout TaskItem) throws -> Void
  ) throws -> Bool {
    try transaction(message: message) { try $0.update(id, expecting: revision, change) }
  }

  /// Reverses `isCompleted`.
  ///
  /// - Parameters:
  ///   - revision: as in `upsert`.
  ///   - message: as in `upsert`.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  public func toggle(
    _ id: TaskID, expecting revision: UInt64? = nil, message: String? = nil
  ) throws {
    try transaction(message: message) { try $0.toggle(id, expecting: revision) }
  }

  /// Deletes a task softly: it stays a document with `isDeleted` set and can be restored.
  ///
  /// - Parameters:
  ///   - revision: as in `upsert`.
  ///   - message: as in `upsert`.
  /// - Returns: false when it was deleted already.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  @discardableResult
  public func delete(
    _ id: TaskID, expecting revision: UInt64? = nil, message: String? = nil
  ) throws -> Bool {
    try transaction(message: message) { try $0.delete(id, expecting: revision) }
  }

  /// Takes a soft deletion back.
  ///
  /// - Parameters:
  ///   - revision: as in `upsert`.
  ///   - message: as in `upsert`.
  /// - Returns: false when the task was not deleted.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  @discardableResult
  public func restore(
    _ id: TaskID, expecting revision: UInt64? = nil, message: String? = nil
  ) throws -> Bool {
    try transaction(message: message) { try $0.restore(id, expecting: revision) }
  }

  /// Removes a task from the live state of this ledger, for this ledger alone; its history stays.
  ///
  /// - Parameters:
  ///   - revision: as in `upsert`.
  ///   - message: as in `upsert`.
  /// - Throws: ``LedgerError`` with code `noSuchTask`; else as `upsert`.
  public func evict(
    _ id: TaskID, expecting revision: UInt64? = nil, message: String? = nil
  ) throws {
    try transaction(message: message) { try $0.evict(id, expecting: revision) }
  }

  /// Appends changes together: all are there after a crash, or none.
  ///
  /// ```swift
  /// try ledger.transaction(author: "importer", message: "from CSV") { transaction in
  ///   for row in rows { try transaction.upsert(row) }
  /// }
  /// ```
  /// - Parameters:
  ///   - author: who makes the changes; the ledger's author when left out.
  ///   - message: why, in the author's words.
  ///   - body: makes the changes. While it runs, other writers wait and readers do not. When it throws, nothing is changed. Inside it,
  ///     read by the transaction: the ledger shows only what was committed. A change by the ledger itself is refused there.
  /// - Returns: what `body` returned, once the changes are durable.
  /// - Throws: what `body` throws; else as `upsert`.
  @discardableResult
  public func transaction<R>(
    author: String? = nil, message: String? = nil, _ body: (Transaction) throws -> R
  ) throws -> R {
    let author = try author.map(AuthorName.checked) ?? self.author
    return try appendGroup { group in
      try group.transaction(author: author, message: message, body)
    }
  }
}
