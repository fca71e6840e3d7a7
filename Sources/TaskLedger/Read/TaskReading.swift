/// What tasks can be read from: a ``Ledger`` as it stands, a moment of it, or a transaction under way.
public protocol TaskReading {
  /// A task; nil when it does not exist. A softly deleted task exists.
  func task(_ id: TaskID) throws(LedgerError) -> TaskItem?

  /// The tasks that the options ask for.
  func tasks(_ options: TaskListOptions) throws(LedgerError) -> [TaskItem]
}

extension Ledger: TaskReading {}
extension LedgerMoment: TaskReading {}
extension Transaction: TaskReading {}

extension TaskReading {
  /// The tasks that meet a query, deleted ones, too, where they do.
  ///
  /// ```swift
  /// let open = try ledger.find(!Field("isDeleted") && !Field("isCompleted"), sortedBy: "due", limit: 20)
  /// ```
  /// - Parameters:
  ///   - query: what the tasks must meet.
  ///   - sortedBy: the order; ties are broken by id.
  ///   - limit: how many tasks at most; nil for all.
  ///   - offset: how many tasks are passed over first.
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read.
  public func find(
    _ query: Query, sortedBy: TaskSort = .byID, limit: Int? = nil, offset: Int = 0
  ) throws(LedgerError) -> [TaskItem] {
    try tasks(TaskListOptions(query, sortedBy: sortedBy, limit: limit, offset: offset))
  }

  /// The tasks that meet a query, given as text.
  ///
  /// ```swift
  /// let mine = try ledger.find("!isDeleted && owner == $me", ["me": .text(name)], sortedBy: "due")
  /// ```
  /// - Parameters:
  ///   - query: the text of a ``Query``; what it asks for beside literals comes as arguments.
  ///   - arguments: the values that `$name` stands for; nil is null.
  ///   - sortedBy: the order; ties are broken by id.
  ///   - limit: how many tasks at most; nil for all.
  ///   - offset: how many tasks are passed over first.
  /// - Throws: ``LedgerError`` with code `invalid`, and the column, for a text that is no query, `damaged` or `io` when the
  ///   ledger cannot be read.
  public func find(
    _ query: String, _ arguments: [String: Value?] = [:], sortedBy: TaskSort = .byID,
    limit: Int? = nil, offset: Int = 0
  ) throws(LedgerError) -> [TaskItem] {
    try find(Query(query, arguments), sortedBy: sortedBy, limit: limit, offset: offset)
  }

  /// How many tasks meet a query, deleted ones, too, where they do; without a query how many are not deleted.
  ///
  /// ```swift
  /// let open = try ledger.count(of: !Field("isDeleted") && !Field("isCompleted"))
  /// ```
  /// - Throws: ``LedgerError`` as ``find(_:sortedBy:limit:offset:)``.
  public func count(of query: Query = .undeleted) throws(LedgerError) -> Int {
    try tasks(TaskListOptions(query)).count
  }

  /// How many tasks meet a query, given as text.
  ///
  /// ```swift
  /// let mine = try ledger.count(of: "!isDeleted && owner == $me", ["me": .text(name)])
  /// ```
  /// - Parameters:
  ///   - query: the text of a ``Query``; what it asks for beside literals comes as arguments.
  ///   - arguments: the values that `$name` stands for; nil is null.
  /// - Throws: ``LedgerError`` with code `invalid`, and the column, for a text that is no query; else as ``count(of:)``.
  public func count(
    of query: String, _ arguments: [String: Value?] = [:]
  ) throws(LedgerError) -> Int {
    try count(of: Query(query, arguments))
  }
}
