/// Reading tasks as an app declares them.
extension TaskReading {
  /// A task as a value of a type; nil when it does not exist. A softly deleted task exists.
  ///
  /// ```swift
  /// struct Chore: Codable {
  ///   var _id = TaskID.random()
  ///   var body: String
  ///   var isCompleted = false
  ///   var priority: Int?
  /// }
  /// let chore = try ledger.task(id, as: Chore.self)
  /// ```
  /// - Throws: ``LedgerError`` with code `invalid` that names the field where the task does not fit the type, `damaged` or `io` when the
  ///   ledger cannot be read; what the type throws by itself.
  public func task<T: Decodable>(_ id: TaskID, as type: T.Type) throws -> T? {
    try task(id)?.decoded(as: type)
  }

  /// The tasks that meet a query, as values of a type, deleted ones, too, where they do; without a query all that are not deleted.
  ///
  /// ```swift
  /// let all = try ledger.find(as: Chore.self)
  /// let chores = try ledger.find(as: Chore.self, !Field("isDeleted"), sortedBy: "priority:desc")
  /// ```
  /// - Parameters:
  ///   - type: what each task is read as.
  ///   - query: what the tasks must meet.
  ///   - sortedBy: the order; ties are broken by id.
  ///   - limit: how many tasks at most; nil for all.
  ///   - offset: how many tasks are passed over first.
  /// - Throws: ``LedgerError`` with code `invalid` that names task and field for the first that does not fit the type; use
  ///   ``TaskItem/decoded(as:)`` to take those that do. Else as ``task(_:as:)``.
  public func find<T: Decodable>(
    as type: T.Type, _ query: Query = .undeleted, sortedBy: TaskSort = .byID, limit: Int? = nil,
    offset: Int = 0
  ) throws -> [T] {
    try find(query, sortedBy: sortedBy, limit: limit, offset: offset)
      .map { try $0.decoded(as: type) }
  }

  /// The tasks that meet a query, given as text, as values of a type.
  ///
  /// ```swift
  /// let mine = try ledger.find(as: Chore.self, "!isDeleted && owner == $me", ["me": .text(name)])
  /// ```
  /// - Parameters:
  ///   - type: what each task is read as.
  ///   - query: the text of a ``Query``; what it asks for beside literals comes as arguments.
  ///   - arguments: the values that `$name` stands for; nil is null.
  ///   - sortedBy: the order; ties are broken by id.
  ///   - limit: how many tasks at most; nil for all.
  ///   - offset: how many tasks are passed over first.
  /// - Throws: ``LedgerError`` with code `invalid`, and the column, for a text that is no query; else as
  ///   ``find(as:_:sortedBy:limit:offset:)``.
  public func find<T: Decodable>(
    as type: T.Type, _ query: String, _ arguments: [String: Value?] = [:],
    sortedBy: TaskSort = .byID, limit: Int? = nil, offset: Int = 0
  ) throws -> [T] {
    try find(
      as: type, Query(query, arguments), sortedBy: sortedBy, limit: limit, offset: offset)
  }
}
