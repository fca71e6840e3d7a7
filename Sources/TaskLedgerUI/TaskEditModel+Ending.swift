import TaskLedger

/// The ways in which editing ends.
extension TaskEditModel {
  /// Saves what was typed, as one transaction, and closes. Where nothing was typed nothing is saved, and no empty task is made.
  ///
  /// - Parameter message: why, in the author's words.
  /// - Returns: false when it is not saved: ``error`` says why, or ``conflicts`` asks whose changes to keep.
  @discardableResult
  public func save(message: String? = nil) async -> Bool {
    guard step == .editing else { return false }
    self.message = message
    return await save()
  }

  /// Settles a conflict; when none is left, saves.
  ///
  /// - Parameters:
  ///   - conflict: one of ``conflicts``.
  ///   - side: whose value is kept.
  /// - Returns: whether it is saved.
  @discardableResult
  public func resolve(_ conflict: ShownConflict, keeping side: Draft.Side) async -> Bool {
    await resolve([conflict], keeping: side)
  }

  /// Settles all conflicts alike, and saves.
  ///
  /// - Parameter side: whose values are kept.
  /// - Returns: whether it is saved.
  @discardableResult
  public func resolveAll(keeping side: Draft.Side) async -> Bool {
    await resolve(conflicts, keeping: side)
  }

  /// Deletes the task softly, and closes; what was typed is dropped. A task that is gone already counts as deleted.
  ///
  /// - Returns: false when it failed, and ``error`` says why.
  @discardableResult
  public func delete() async -> Bool {
    guard canDelete else { return false }
    let before = step
    step = .working
    error = nil
    do throws(LedgerError) {
      try await ledger.perform { [id] in try $0.delete(id) }
    } catch {
      guard error.code == .noSuchTask else {
        goOn(before, after: ShownError(.delete, error))
        return false
      }
    }
    close(.deleted)
    return true
  }

  /// Drops what was typed, and closes. Does nothing while it is being saved or deleted.
  public func cancel() {
    guard !isWorking, !isClosed else { return }
    draft.discard()
    refresh()
    close(.cancelled)
  }

  private func resolve(_ settled: [ShownConflict], keeping side: Draft.Side) async -> Bool {
    let settled = conflicts.filter { conflict in settled.contains { $0.id == conflict.id } }
    guard !settled.isEmpty else { return false }
    if side == .theirs, settled.contains(where: { $0.kind == .evicted }) {
      draft.discard()
      close(.deleted)
      return true
    }
    draft.resolve(settled.map(\.conflict), keeping: side)
    let open = conflicts.filter { conflict in !settled.contains { $0.id == conflict.id } }
    step = open.isEmpty ? .editing : .conflict(open)
    refresh()
    return open.isEmpty ? await save() : false
  }

  private func save() async -> Bool {
    step = .working
    error = nil
    do throws(LedgerError) {
      // Once more for what is typed meanwhile.
      while draft.hasChanges {
        try await ledger.perform { [draft, message] ledger in
          draft.use(ledger)
          try draft.save(message: message)
        }
      }
    } catch {
      if error.conflicts.isEmpty {
        goOn(.editing, after: ShownError(.save, error))
      } else {
        let isNew = draft.isNew
        goOn(.conflict(error.conflicts.map { ShownConflict($0, isNew: isNew) }), after: nil)
      }
      return false
    }
    refresh()
    close(.saved)
    return true
  }
}
