import LedgerStorage

/// What a command would do to a task that exists.
package struct CommandPreview {
  package var command: Command
  /// The task as it stands.
  package var before: TaskItem
  /// What the event would record; nil where there would be none.
  package var changes: [AuditEntry.Change]?
}

extension Ledger {
  /// What commands on tasks that exist would do, each by itself: nothing is appended, and no lock is taken.
  ///
  /// - Parameter expected: a task and the revision at which it must be.
  /// - Throws: `LedgerError` with code `noSuchTask` or `conflict` where the commands would be refused.
  package func preview(
    _ commands: [Command], expecting expected: (task: TaskID, revision: UInt64)? = nil
  ) throws(LedgerError) -> [CommandPreview] {
    let log = WholeLog(try currentView())
    try log.view.manifest.checkIsNoBackup(path)
    if let expected {
      let state = try log.view.state(of: expected.task)
      try Transaction.require(expected.revision, of: expected.task, at: state.revision, in: log)
    }
    var previews: [CommandPreview] = []
    for command in commands {
      let state = try log.view.state(of: command.task)
      let changes = try state.changes(for: command)?.map { change in
        AuditEntry.Change(name: change.name, old: state.reading(change.name), new: change.value)
      }
      guard let before = state.item(command.task) else { continue }
      previews.append(CommandPreview(command: command, before: before, changes: changes))
    }
    return previews
  }

  /// The first ids, in order, that begin with a text: of tasks that are there, deleted or evicted.
  ///
  /// - Throws: `LedgerError` with code `damaged` or `io` when the ledger cannot be read.
  package func ids(startingWith text: String, limit: Int) throws(LedgerError) -> [TaskID] {
    try currentView().ids(startingWith: text, limit: limit)
  }
}
