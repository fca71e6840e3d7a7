import LedgerFormat

/// An edit session: a task as it would be, which the ledger does not see until it is saved.
///
/// ```swift
/// let draft = try ledger.edit(milk)
/// draft.body = "Soy milk"
/// draft["priority"] = 2
/// try draft.save(message: "she asked for it")   // or draft.discard()
/// ```
/// A draft can be used from any thread; it is a class so that a view and what saves it share one. Each read and each setting of a property
/// is whole, but `draft.body += "x"` is one of each: what another thread sets in between is lost. ``change(_:)`` reads and sets as one.
/// It stays usable after it was saved or discarded. <doc:Drafts> tells what happens when somebody else changes the task meanwhile.
public final class Draft: Sendable {
  /// Whose value a conflict is settled by.
  public enum Side: Sendable, CaseIterable {
    /// What the draft has.
    case ours
    /// What the ledger has by now.
    case theirs
  }

  /// The task's id.
  public let id: TaskID
  /// The ledger that the task is of, whichever handle it is saved by.
  private let ledger: ReplicaID
  /// The handle that it is saved by.
  private let handle: Guarded<Ledger>
  private let content: Guarded<DraftContent>

  init(_ ledger: Ledger, _ id: TaskID, base: TaskItem?, revision: UInt64) {
    self.ledger = ledger.identity
    handle = Guarded(ledger)
    self.id = id
    content = Guarded(DraftContent(id: id, base: base, revision: revision))
  }

  /// Has the draft saved by another handle of its ledger, such as one that was opened after the first had failed.
  ///
  /// ```swift
  /// do {
  ///   try draft.save()
  /// } catch let error as LedgerError where error.code == .poisoned {
  ///   draft.use(try Ledger.open(at: path, author: "ann"))    // what was typed is still there
  ///   try draft.save()
  /// }
  /// ```
  /// What the draft started from stays: what was changed since then, through whichever handle, is met as a conflict. A task that was
  /// saved after all, though nobody could know, is none. The ledger must be the same one: by a handle of another it is not saved.
  public func use(_ ledger: Ledger) { handle.withLock { $0 = ledger } }

  /// The task as it would be.
  public var task: TaskItem { content.withLock { $0.item } }

  /// Whether the task is not in the ledger yet.
  public var isNew: Bool { content.withLock { $0.base == nil } }

  /// Whether anything differs from the task as it was when the draft was made, or saved last; of a new task, whether any field is set.
  public var hasChanges: Bool { content.withLock { $0.hasChanges } }

  /// The revision of the task that the draft started from; 0 for a task that never was.
  public var revision: UInt64 { content.withLock { $0.revision } }

  /// The text of the task.
  public var body: String {
    get { task.body }
    set { change { $0.body = newValue } }
  }

  /// Whether it is done.
  public var isCompleted: Bool {
    get { task.isCompleted }
    set { change { $0.isCompleted = newValue } }
  }

  /// Whether it is softly deleted.
  public var isDeleted: Bool {
    get { task.isDeleted }
    set { change { $0.isDeleted = newValue } }
  }

  /// The value of a field under its dotted name, as of ``TaskItem``.
  public subscript(name: String) -> Value? {
    get { task[name] }
    set { change { $0[name] = newValue } }
  }

  /// Changes several fields at once, or one by what it was; nothing else is done to the draft meanwhile. `body` must not use the draft
  /// itself: that is a mistake in the program, which ends there.
  ///
  /// ```swift
  /// draft.change { $0.body += ", and bread" }
  /// ```
  public func change(_ body: (inout TaskItem) -> Void) { content.withLock { body(&$0.item) } }

  func changeItem(_ body: (inout TaskItem) throws -> Void) throws {
    try content.withLock { try body(&$0.item) }
  }

  /// Drops all changes: the draft is again as it was when it was made, or saved last.
  public func discard() { content.withLock { $0.discard() } }

  /// Appends what differs, as one transaction. Other fields are left as they are in the ledger by now, whoever changed them.
  ///
  /// - Parameters:
  ///   - author: who makes the change; the ledger's author when left out.
  ///   - message: why, in the author's words.
  /// - Returns: false when there was nothing to save; a new task is made even if no field is set.
  /// - Throws: ``LedgerError`` with code `conflict` when somebody else changed a field of the draft to something else, deleted or evicted
  ///   the task, or made a different one with the id of a new one, and ``LedgerError/conflicts`` tells each field with both values and who it was, and
  ///   ``resolve(_:keeping:)`` settles them. `busy` while another thread saves the same draft; `invalid` for a handle of another ledger, which
  ///   ``use(_:)`` gave it. Else as
  ///   ``Ledger/upsert(_:expecting:message:)``. Nothing was appended, and the draft is as it was.
  @discardableResult
  public func save(author: String? = nil, message: String? = nil) throws -> Bool {
    guard let saving = try content.withLock({ content throws(LedgerError) in try content.begin() })
    else { return false }
    defer { content.withLock { $0.isSaving = false } }
    var found: TaskItem?
    do {
      let ledger = handle.withLock { $0 }
      guard ledger.identity == self.ledger else { throw isOfAnother(than: ledger) }
      let saved = try ledger.transaction(author: author, message: message) { transaction in
        let before = try transaction.state(of: id)
        found = before.item(id)
        let conflicts = try saving.conflicts(with: found) { () throws(LedgerError) in
          try transaction.wholeLog.history(of: id)
        }
        guard conflicts.isEmpty else { throw Self.conflict(id, conflicts) }
        try perform(saving, exists: found != nil, in: transaction)
        let after = try transaction.state(of: id)
        return (item: after.item(id), revision: after.revision, isChanged: after != before)
      }
      content.withLock { $0.rebase(onto: saved.item, saved.revision, saving: saving.item) }
      return saved.isChanged
    } catch let error as LedgerError where error.code == .conflict {
      content.withLock { $0.met = found }
      throw error
    }
  }

  private func perform(
    _ saving: DraftContent, exists: Bool, in transaction: Transaction
  ) throws(LedgerError) {
    guard exists else {
      try transaction.upsert(saving.item)
      return
    }
    try transaction.update(id, try ChangeSet(saving.changes))
  }

  private func isOfAnother(than ledger: Ledger) -> LedgerError {
    LedgerError(
      .invalid, "the draft of task \"\(id)\" is of another ledger than the one that is to save it",
      path: ledger.path,
      hint: "open the ledger that it came from; nothing was saved, and the draft is as it was")
  }

  private static func conflict(_ id: TaskID, _ conflicts: [Conflict]) -> LedgerError {
    let reasons = conflicts.map { conflict in
      let ours = conflict.field.map { _ in
        conflict.ours.map { ", the draft has \($0.description.shortened)" }
          ?? ", the draft unsets it"
      }
      return conflict.reason + (ours ?? "")
    }
    var error = LedgerError(
      .conflict, "the task \"\(id)\" was changed meanwhile: \(reasons.joined(separator: "; "))",
      hint: "keep theirs or ours for each of them, then save again")
    error.conflicts = conflicts
    return error
  }

  /// Settles conflicts that ``save(author:message:)`` met; then it can be saved again, and meets only what changes after that.
  ///
  /// ```swift
  /// do {
  ///   try draft.save()
  /// } catch let error as LedgerError where error.code == .conflict {
  ///   for conflict in error.conflicts { draft.resolve([conflict], keeping: ask(conflict)) }
  ///   try draft.save()
  /// }
  /// ```
  /// For a field, `theirs` takes the value over, `ours` keeps that of the draft. Of a task that was deleted meanwhile, `ours` brings it
  /// back, `theirs` leaves it deleted, and the draft's other changes are saved all the same. Of one that was evicted, `ours` makes
  /// it again with all fields of the draft, `theirs` gives them up. Of one that was made meanwhile, `ours` sets the draft's fields
  /// in it, `theirs` takes it over as it is.
  public func resolve(_ conflicts: [Conflict], keeping side: Side) {
    content.withLock { content in
      for conflict in conflicts where conflict.task == id {
        content.resolve(conflict, keeping: side)
      }
    }
  }
}

extension Ledger {
  /// Begins to edit a task.
  ///
  /// - Throws: ``LedgerError`` with code `noSuchTask`; `damaged` or `io` when the ledger cannot be read.
  public func edit(_ id: TaskID) throws(LedgerError) -> Draft {
    let (task, revision) = try taskAndRevision(id)
    guard let task else {
      throw LedgerError(
        .noSuchTask, "there is no task \"\(id)\" to edit",
        hint: "`ledger list` shows the tasks that exist, `ledger audit ID` the history of one")
    }
    return Draft(self, id, base: task, revision: revision)
  }

  /// Begins a task that does not exist yet; saving makes it.
  ///
  /// - Parameter id: its id; a new one when left out.
  public func draft(_ id: TaskID? = nil) -> Draft {
    Draft(self, id ?? configuration.makeID(), base: nil, revision: 0)
  }
}
