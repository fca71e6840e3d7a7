/// What a caller wants done to one task.
package struct Command: Sendable {
  package var kind: EventKind
  package var task: TaskID
  /// What to set and unset; empty but for upsert and update.
  package var changes: ChangeSet
  /// When it happened; nil: now.
  package var time: LedgerTime?
  package var author: String
  package var message: String?
  package var undoes: UInt64?

  package init(
    _ kind: EventKind, _ task: TaskID, _ changes: ChangeSet = .empty, time: LedgerTime? = nil,
    author: String, message: String? = nil, undoes: UInt64? = nil
  ) {
    self.kind = kind
    self.task = task
    self.changes = changes
    self.time = time
    self.author = author
    self.message = message
    self.undoes = undoes
  }
}

extension Command: Hashable {
  /// Whether all of the two is the same; texts are compared as bytes.
  package static func == (left: Command, right: Command) -> Bool {
    left.kind == right.kind && left.task == right.task && left.changes == right.changes
      && left.time == right.time && left.author.hasSameBytes(as: right.author)
      && String.haveSameBytes(left.message, right.message) && left.undoes == right.undoes
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(task)
    hasher.combine(changes)
  }
}

extension TaskState {
  /// The changes of the event that a command makes of the task as it stands here; nil when it would change
  /// nothing.
  ///
  /// - Throws: `LedgerError` with code `noSuchTask` for anything but an upsert of a task that does not
  ///   exist.
  package func changes(for command: Command) throws(LedgerError) -> [FieldChange]? {
    guard exists || command.kind == .upsert else {
      throw LedgerError(
        .noSuchTask, "there is no task \"\(command.task)\"",
        hint: newestEvict == nil
          ? "`ledger list` shows the tasks that exist, `ledger audit ID` the history of one"
          : "it was evicted; `ledger undo ID` takes that back, `ledger audit ID` shows its history")
    }
    switch command.kind {
    case .evict:
      return []
    case .toggle:
      let isCompleted = reading(.isCompleted) == .bool(true)
      return [FieldChange(.isCompleted, .bool(!isCompleted))]
    case .delete:
      if reading(.isDeleted) == .bool(true) { return nil }
      return [FieldChange(.isDeleted, .bool(true))]
    case .upsert where !exists:
      return recorded(command.changes, creating: true)
    case .upsert, .update:
      let changes = recorded(command.changes, creating: false)
      return changes.isEmpty ? nil : changes
    }
  }

  /// The value of a field as a reader sees it, hidden fields included.
  package func reading(_ name: FieldName) -> Value? { held(name) ?? name.defaultValue }

  /// What is recorded of the given changes: those that differ (all values, when the task is created), and the
  /// unsets of what they collide with.
  private func recorded(_ given: ChangeSet, creating: Bool) -> [FieldChange] {
    if creating, fields.isEmpty, given.changes.allSatisfy({ $0.value != nil }) {
      return given.changes
    }
    var result: [FieldChange] = []
    var unset: Set<FieldName> = []
    for change in given.changes {
      if let value = change.value {
        if creating || reading(change.name) != value { result.append(change) }
      } else if let value = held(change.name),
        creating || change.name.defaultValue != value
      {
        unset.insert(change.name)
      }
      noteCollisions(of: change, into: &unset)
    }
    guard !unset.isEmpty else { return result }
    result.append(contentsOf: unset.map { FieldChange($0, nil) })
    return result.sorted { $0.name < $1.name }
  }

  /// A set unsets the held prefixes and extensions of its field, an unset the held extensions.
  private func noteCollisions(of change: FieldChange, into unset: inout Set<FieldName>) {
    guard change.name.defaultValue == nil else { return }
    if hasDottedField {
      for field in extensions(of: change.name) where field.value != nil { unset.insert(field.name) }
    }
    guard change.value != nil, change.name.isDotted else { return }
    for prefix in change.name.prefixes where held(prefix) != nil { unset.insert(prefix) }
  }
}
