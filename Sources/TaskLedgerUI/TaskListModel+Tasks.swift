import TaskLedger

/// What a person does to the tasks on the list.
extension TaskListModel {
  /// Completes a task, or takes that back, whichever it does not show yet. What somebody else has already done is not undone.
  ///
  /// - Parameter task: the task as it is shown.
  /// - Returns: false when it failed, and ``error`` says why.
  @discardableResult
  public func toggle(_ task: TaskItem) async -> Bool {
    await perform(.toggle) { ledger in
      try ledger.transaction { transaction in
        if let now = try transaction.task(task.id), now.isCompleted != task.isCompleted { return }
        try transaction.toggle(task.id)
      }
    }
  }

  /// Deletes a task softly: it goes from the list, and stays in the ledger until the trash is emptied.
  ///
  /// - Returns: false when it failed, and ``error`` says why.
  @discardableResult
  public func delete(_ id: TaskID) async -> Bool {
    await perform(.delete) { try $0.delete(id) }
  }

  /// Takes a deletion back. A list that offers this is made with `emptiesTrash: false`: any other evicts what is deleted each time that it
  /// opens, and then nothing is left to restore.
  ///
  /// - Returns: false when it failed, such as after the trash was emptied, and ``error`` says why.
  @discardableResult
  public func restore(_ id: TaskID) async -> Bool {
    await perform(.restore) { try $0.restore(id) }
  }

  private func perform(
    _ deed: ShownError.Deed, _ work: @Sendable (Ledger) throws -> Void
  ) async -> Bool {
    do throws(LedgerError) {
      try await ledger.perform(work)
      return true
    } catch {
      self.error = ShownError(deed, error)
      return false
    }
  }
}

/// The sheet.
extension TaskListModel {
  /// Opens a task for editing: ``sheet`` is there afterwards. Does nothing while another is open.
  public func edit(_ id: TaskID) async { await present { try $0.edit(id) } }

  /// Opens a sheet for a task that is to be made.
  ///
  /// - Parameter change: what it has from the start, such as the project that the list is of.
  public func editNew(_ change: @escaping @Sendable (inout TaskItem) -> Void = { _ in }) async {
    await present { ledger in
      let draft = ledger.draft()
      draft.change(change)
      return draft
    }
  }

  private func present(_ makeDraft: @Sendable (Ledger) throws -> Draft) async {
    guard sheet == nil else { return }
    do throws(LedgerError) {
      let draft = try await ledger.perform(makeDraft)
      // Who taps twice has opened it by now.
      if sheet == nil { sheet = TaskEditModel(draft, in: ledger, of: self) }
    } catch {
      self.error = ShownError(.edit, error)
    }
  }

  /// Closes the sheet of a model, where it is still open.
  func dismiss(_ model: TaskEditModel) {
    if sheet === model { sheet = nil }
  }

  /// Shows a sheet again that was closed while it was being saved, so that nothing that was typed is lost.
  ///
  /// - Returns: false where another one is open.
  func bringBack(_ model: TaskEditModel) -> Bool {
    if sheet == nil { sheet = model }
    return sheet === model
  }
}
