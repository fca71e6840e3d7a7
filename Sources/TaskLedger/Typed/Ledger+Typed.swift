/// Writing tasks as an app declares them.
extension Ledger {
  /// Creates a task of a value, or sets the fields that the value has of one that is there, and leaves its others alone.
  ///
  /// ```swift
  /// let id = try ledger.upsert(Chore(body: "Sweep", priority: 2))
  /// ```
  /// - Parameters:
  ///   - value: encodes named fields, `_id` among them; without one a new task is made each time.
  ///   - unsettingNil: whether the fields are unset that the value has and that are nil; else they are left alone, too. One to which
  ///     the value gives an explicit null (`encodeNil`) is unset in any case.
  ///   - revision: the revision at which the task must be, as ``revision(of:)`` tells it; 0 for an id that never was. Nil: any.
  ///   - message: why, in the author's words.
  /// - Returns: the task's id.
  /// - Throws: ``LedgerError`` with code `invalid` that names the field for what the rules refuse; else as `upsert` of a ``TaskItem``.
  @discardableResult
  public func upsert(
    _ value: some Encodable, unsettingNil: Bool = false, expecting revision: UInt64? = nil,
    message: String? = nil
  ) throws -> TaskID {
    try transaction(message: message) {
      try $0.upsert(value, unsettingNil: unsettingNil, expecting: revision)
    }
  }

  /// Changes a task that exists, as a value of a type.
  ///
  /// ```swift
  /// try ledger.update(id, as: Chore.self) { $0.priority = nil; $0.isCompleted = true }
  /// ```
  /// - Parameters:
  ///   - type: what the task is read as. Fields that it does not know stay as they are.
  ///   - revision: as in `upsert`.
  ///   - message: as in `upsert`.
  ///   - change: changes the value; the fields that then differ are set, those that are then nil, or gone from a dictionary, unset.
  /// - Returns: false when nothing differs, and then nothing is appended.
  /// - Throws: ``LedgerError`` with code `noSuchTask` or `conflict`, and then `change` is not called, or `invalid` where the task does not fit the
  ///   type, a field is refused, or `_id` was changed; what `change` throws; else as `upsert`.
  @discardableResult
  public func update<T: Codable>(
    _ id: TaskID, as type: T.Type, expecting revision: UInt64? = nil, message: String? = nil,
    _ change: (inout T) throws -> Void
  ) throws -> Bool {
    try transaction(message: message) { try $0.update(id, as: type, expecting: revision, change) }
  }
}

extension Transaction {
  /// Creates a task of a value, or sets the fields that the value has of one that is there, and leaves its others alone.
  ///
  /// - Parameters:
  ///   - value: encodes named fields, `_id` among them; without one a new task is made each time.
  ///   - unsettingNil: whether the fields are unset that the value has and that are nil; else they are left alone, too.
  ///   - revision: as in ``upsert(_:expecting:)``.
  /// - Returns: the task's id.
  /// - Throws: ``LedgerError`` with code `invalid` that names the field for what the rules refuse, `conflict` for a task at another
  ///   revision; the transaction goes on without it.
  @discardableResult
  public func upsert(
    _ value: some Encodable, unsettingNil: Bool = false, expecting revision: UInt64? = nil
  ) throws -> TaskID {
    let change = try TypedChange(value)
    try require(revision, of: change.id)
    let changes = try change.changes(to: try task(change.id), unsettingNil: unsettingNil)
    try perform(command(.upsert, change.id, changes))
    return change.id
  }

  /// Changes a task that exists, as a value of a type.
  ///
  /// - Parameters:
  ///   - type: what the task is read as. Fields that it does not know stay as they are.
  ///   - revision: as in `upsert`.
  ///   - change: changes the value; the fields that then differ are set, those that are then nil, or gone from a dictionary, unset.
  /// - Returns: false when nothing differs, and then nothing is appended.
  /// - Throws: ``LedgerError`` with code `noSuchTask` or `conflict`, and then `change` is not called, or `invalid` where the task does not fit the
  ///   type, a field is refused, or `_id` was changed; what `change` throws.
  @discardableResult
  public func update<T: Codable>(
    _ id: TaskID, as type: T.Type, expecting revision: UInt64? = nil,
    _ change: (inout T) throws -> Void
  ) throws -> Bool {
    try update(id, expecting: revision) { try $0.update(as: type, change) }
  }
}
