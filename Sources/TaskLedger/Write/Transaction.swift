import LedgerFormat
import LedgerStorage

/// Changes that are appended together: all are there after a crash, or none.
///
/// It is handed to the closure of ``Ledger/transaction(author:message:_:)`` and reads its own writes. It must not be kept or used after
/// the closure has returned, nor from another thread.
public final class Transaction {
  private let session: WriteSession
  private let configuration: LedgerConfiguration
  private let author: String
  private let message: String?
  private let now: LedgerTime
  /// Where the session was before it.
  let mark: WriteSession.Mark
  /// The tasks that it touched.
  private(set) var touched = TouchedTasks()
  private var isOpen = true
  private var byteCount = 0
  /// The events made so far.
  package private(set) var events: [Event] = []

  init(
    _ session: WriteSession, configuration: LedgerConfiguration, author: String, message: String?
  ) {
    self.session = session
    self.configuration = configuration
    self.author = author
    self.message = message
    now = configuration.clock()
    mark = session.mark
  }

  /// Creates a task, or sets the given fields of one that is there and leaves its others alone.
  ///
  /// - Parameter revision: the revision at which the task must be; 0 for an id that never was. Nil: any. Changes that this transaction
  ///   has made count.
  /// - Returns: the task's id.
  /// - Throws: ``LedgerError`` with code `invalid` for a field that the rules refuse, `conflict` for a task at another revision; the
  ///   transaction goes on without it.
  @discardableResult
  public func upsert(
    _ task: TaskItem, expecting revision: UInt64? = nil
  ) throws(LedgerError) -> TaskID {
    try require(revision, of: task.id)
    var changes: [FieldChange] = []
    changes.reserveCapacity(task.fields.count)
    for field in task.fields {
      changes.append(FieldChange(try FieldName(field.name), field.value))
    }
    try perform(command(.upsert, task.id, try ChangeSet(changes)))
    return task.id
  }

  /// Changes a task that exists.
  ///
  /// - Parameters:
  ///   - revision: as in ``upsert(_:expecting:)``.
  ///   - change: changes the task as it stands; only the fields that then differ are recorded.
  /// - Returns: false when nothing differs, and then nothing is appended.
  /// - Throws: ``LedgerError`` with code `noSuchTask` or, for a task at another revision, `conflict`, and then `change` is not called;
  ///   `invalid` for a field that the rules refuse.
  @discardableResult
  public func update(
    _ id: TaskID, expecting revision: UInt64? = nil, _ change: (inout TaskItem) throws -> Void
  ) throws -> Bool {
    try require(revision, of: id)
    let state = try session.task(id).state
    guard let before = state.item(id) else {
      _ = try state.changes(for: command(.update, id))
      return false
    }
    var after = before
    try change(&after)
    return try update(id, try ChangeSet(after.changes(from: before)))
  }

  /// Sets and unsets fields of a task that exists.
  @discardableResult
  func update(_ id: TaskID, _ changes: ChangeSet) throws(LedgerError) -> Bool {
    try perform(command(.update, id, changes)) != nil
  }

  /// Reverses `isCompleted`.
  ///
  /// - Parameter revision: as in ``upsert(_:expecting:)``.
  /// - Throws: ``LedgerError`` with code `noSuchTask`, `conflict` for a task at another revision.
  public func toggle(_ id: TaskID, expecting revision: UInt64? = nil) throws(LedgerError) {
    try require(revision, of: id)
    try perform(command(.toggle, id))
  }

  /// Deletes a task softly: it stays a document with `isDeleted` set and can be restored.
  ///
  /// - Parameter revision: as in ``upsert(_:expecting:)``.
  /// - Returns: false when it was deleted already.
  /// - Throws: ``LedgerError`` with code `noSuchTask`, `conflict` for a task at another revision.
  @discardableResult
  public func delete(
    _ id: TaskID, expecting revision: UInt64? = nil
  ) throws(LedgerError) -> Bool {
    try require(revision, of: id)
    return try perform(command(.delete, id)) != nil
  }

  /// Takes a soft deletion back.
  ///
  /// - Parameter revision: as in ``upsert(_:expecting:)``.
  /// - Returns: false when the task was not deleted.
  /// - Throws: ``LedgerError`` with code `noSuchTask`, `conflict` for a task at another revision.
  @discardableResult
  public func restore(
    _ id: TaskID, expecting revision: UInt64? = nil
  ) throws(LedgerError) -> Bool {
    try require(revision, of: id)
    let changes = try ChangeSet([FieldChange(.isDeleted, .bool(false))])
    return try perform(command(.update, id, changes)) != nil
  }

  /// Removes a task from the live state of this ledger; its history stays.
  ///
  /// - Parameter revision: as in ``upsert(_:expecting:)``.
  /// - Throws: ``LedgerError`` with code `noSuchTask`, `conflict` for a task at another revision.
  public func evict(_ id: TaskID, expecting revision: UInt64? = nil) throws(LedgerError) {
    try require(revision, of: id)
    try perform(command(.evict, id))
  }

  /// A task as it stands inside the transaction; nil when it does not exist.
  public func task(_ id: TaskID) throws(LedgerError) -> TaskItem? {
    try session.task(id).state.item(id)
  }

  /// The tasks as they stand inside the transaction.
  ///
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read.
  public func tasks(_ options: TaskListOptions = TaskListOptions()) throws(LedgerError)
    -> [TaskItem]
  {
    var picker = TaskPicker(options)
    if let ids = options.query.onlyIDs {
      for id in ids {
        if let item = try task(id), !picker.offer(item) { break }
      }
    } else {
      try session.tasks().forEachTask { picker.offer($0) }
    }
    return picker.result
  }

  /// Reads what many commands will need all at once, which costs far less than one by one.
  package func prefetch(_ commands: [Command]) throws(LedgerError) {
    try session.prefetch(commands.map(TaskNeed.init))
  }

  /// What a task's events add up to inside the transaction.
  package func state(of id: TaskID) throws(LedgerError) -> TaskState { try session.task(id).state }

  /// The log with every event made so far, those of the transaction included.
  var wholeLog: WholeLog { session.wholeLog }

  func command(
    _ kind: EventKind, _ task: TaskID, _ changes: ChangeSet = .empty
  ) -> Command {
    Command(kind, task, changes, author: author, message: message)
  }

  /// Makes the event of a command.
  ///
  /// - Returns: the event; nil when the command would change nothing.
  @discardableResult
  package func perform(_ command: Command) throws(LedgerError) -> Event? {
    precondition(isOpen, "a transaction is used after its closure has returned")
    let task = try session.task(command.task)
    let event = try session.event(
      for: command, of: task, transaction: events.first?.sequence, now: now)
    guard let event else { return nil }
    let size = try event.checkedSize()
    guard events.count < Limits.transactionEventsMax else {
      throw LedgerError(
        .invalid,
        "a transaction has \(events.count + 1) events, expected at most \(Limits.transactionEventsMax)",
        hint: "split it into smaller ones")
    }
    guard byteCount + size <= Limits.transactionBytesMax else {
      throw LedgerError(
        .invalid,
        "a transaction has \(byteCount + size) bytes with its event \(events.count + 1), expected at most \(Limits.transactionBytesMax)",
        hint: "split it into smaller ones")
    }
    byteCount += size
    touched.note(task)
    session.add(event, to: task)
    events.append(event)
    return event
  }

  /// Ends the transaction; what is left is to write its events.
  func close() -> [Event] {
    isOpen = false
    if !events.isEmpty { events[events.count - 1].endsTransaction = true }
    return events
  }

  /// Takes everything back.
  func rollBack() {
    isOpen = false
    session.takeBack(to: mark, touched)
  }
}
