import LedgerFormat

/// What was undone, and how; of a dry run, what would be.
public struct UndoOutcome: Sendable {
  /// A transaction of which something is undone.
  public struct Source: Hashable, Sendable {
    /// The sequence number of its first event.
    public var transaction: UInt64
    /// Who made it.
    public var author: String
    /// When.
    public var time: LedgerTime
    /// Why, in the author's words.
    public var message: String?
  }

  /// One event undone by another.
  public struct Step: Sendable {
    /// The sequence number of the event that is undone.
    public var undoes: UInt64
    /// The kind of the event that undoes it.
    public var kind: EventKind
    /// What that changes.
    public var changes: [AuditEntry.Change]
    /// That event; nil in a dry run.
    public var event: Event?
  }

  /// What it means for one task.
  public struct TaskChange: Sendable, Identifiable {
    /// The task.
    public var id: TaskID
    /// The task before; nil where it did not exist.
    public var before: TaskItem?
    /// The task afterwards; nil where it does not exist any more.
    public var after: TaskItem?
    /// Whether it goes back to a moment when the task did not exist: then it is deleted afterwards, or does not exist.
    public var isMadeSince = false
    /// How it gets there, in order.
    public var steps: [Step]
  }

  /// The transactions that are undone, or of which something is done again, the newest first.
  public var sources: [Source]
  /// Whether the sources are done again, as by a redo, and not undone. What takes a way back to a moment back undoes it, where that had
  /// done something again.
  public var isRedo = false
  /// The tasks that change; each has a step at least.
  public var tasks: [TaskChange]
  /// What was left alone although it was forced: there is nothing left to which it could be done.
  public var leftAlone: [Conflict]
  /// The number of the transaction that undoes them; nil in a dry run.
  public var transaction: UInt64?
}

extension UndoOutcome.TaskChange {
  /// The fields that read differently afterwards, by name; none where the task does not exist then.
  public var changes: [AuditEntry.Change] {
    guard let after else { return [] }
    let names = Set(((before?.fields ?? []) + after.fields).map { FieldName(unchecked: $0.name) })
    return names.sorted().compactMap { name in
      let old = before.flatMap { $0[name.text] ?? name.defaultValue }
      let new = after[name.text] ?? name.defaultValue
      return old == new ? nil : AuditEntry.Change(name: name, old: old, new: new)
    }
  }
}
