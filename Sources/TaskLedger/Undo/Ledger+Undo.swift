import LedgerFormat
import LedgerStorage

/// Undo and redo.
extension Ledger {
  /// Takes changes back, by events that name what they undo; history is never rewritten.
  ///
  /// ```swift
  /// try ledger.undo()                                        // what this author did last
  /// try ledger.undo()                                        // and what came before that
  /// try ledger.redo()                                        // comes forward again
  /// try ledger.undo(.task(milk))                             // the last change of one task
  /// try ledger.undo(.moment(.time(LedgerTime("2026-11-30"))), message: "back to this morning")
  /// ```
  /// <doc:Undo> says what each kind of event is undone by, and what counts as undone.
  /// - Parameters:
  ///   - target: what is undone.
  ///   - author: whose last transaction, and who undoes it; the ledger's author when left out.
  ///   - message: why, in the author's words.
  ///   - isForced: whether it is done although later changes are lost. A task that was evicted since is left alone.
  ///   - isDryRun: whether to find out only; then nothing is appended, and no lock is taken.
  ///   - progress: called now and then with the number of events read and made so far.
  /// - Returns: what was undone, with the tasks before and after.
  /// - Throws: ``LedgerError`` with code `nothingToUndo`; `conflict` where a later change would be lost, with each in
  ///   ``LedgerError/conflicts``; `beyondEnd` for a transaction or a moment that is not there; else as `upsert`. Nothing was changed.
  @discardableResult
  public func undo(
    _ target: UndoTarget = .last, author: String? = nil, message: String? = nil,
    isForced: Bool = false, isDryRun: Bool = false, progress: ((UInt64) -> Void)? = nil
  ) throws -> UndoOutcome {
    let wish = UndoPlan.Wish(
      author: try author.map(AuthorName.checked) ?? self.author, message: message,
      isForced: isForced, progress: UndoProgress(progress))
    return try carryOut(wish, isDryRun: isDryRun) { (search) throws(LedgerError) in
      try search.undo(target)
    }
  }

  /// Takes the author's last undo back that nothing has taken back yet, unless the author has made another change since.
  ///
  /// The parameters are those of ``undo(_:author:message:isForced:isDryRun:progress:)``.
  ///
  /// - Returns: what was redone, with the tasks before and after.
  /// - Throws: as `undo`.
  @discardableResult
  public func redo(
    author: String? = nil, message: String? = nil, isForced: Bool = false, isDryRun: Bool = false,
    progress: ((UInt64) -> Void)? = nil
  ) throws -> UndoOutcome {
    let wish = UndoPlan.Wish(
      author: try author.map(AuthorName.checked) ?? self.author, message: message,
      isForced: isForced, progress: UndoProgress(progress))
    return try carryOut(wish, isDryRun: isDryRun) { (search) throws(LedgerError) in
      try search.redo()
    }
  }

  private func carryOut(
    _ wish: UndoPlan.Wish, isDryRun: Bool, _ find: (UndoSearch) throws(LedgerError) -> UndoPlan
  ) throws -> UndoOutcome {
    // Looking for it can mean to read much: others need not wait for that.
    let known = WholeLog(try currentView())
    try known.view.manifest.checkIsNoBackup(path)
    var plan = try find(UndoSearch(log: known, wish: wish))
    if isDryRun { return plan.outcome }
    try transaction(author: wish.author, message: wish.message) { transaction in
      let log = transaction.wholeLog
      if !known.isSame(as: log) { plan = try find(UndoSearch(log: log, wish: wish)) }
      try plan.perform(in: transaction, noting: wish.progress)
    }
    return plan.outcome
  }
}
