import LedgerFormat

/// A task that differs between two ledgers, or two moments of one.
public struct TaskDifference: Equatable, Sendable {
  /// How it differs.
  public enum Kind: String, Hashable, Sendable {
    /// It exists on the second side alone.
    case added
    /// It exists on the first side alone.
    case gone
    /// It exists on both, with other fields.
    case changed
  }

  /// One of the two sides.
  public enum Side: Hashable, Sendable {
    /// What is compared: the earlier moment, the first ledger.
    case first
    /// What it is compared with: the later moment, the second ledger.
    case second
  }

  /// An event that only one side knows of.
  public struct Cause: Hashable, Sendable {
    /// Which side.
    public var side: Side
    /// The event, with what its fields held before.
    public var entry: AuditEntry
  }

  /// A field that differs.
  public struct Change: Hashable, Sendable {
    /// The name of the field.
    public var name: String
    /// Its value on the first side; nil where it is not shown there.
    public var old: Value?
    /// Its value on the second side; nil where it is not shown there.
    public var new: Value?
    /// The events that made the difference, in order of their stamps.
    public var causes: [Cause]
  }

  /// The task.
  public var id: TaskID
  /// How it differs.
  public var kind: Kind
  /// The task on the first side.
  public var old: TaskItem?
  /// The task on the second side.
  public var new: TaskItem?
  /// The fields that differ, in order of their names.
  public var changes: [Change]
  /// Every event of the task that only one side knows of, in order of stamps.
  public var causes: [Cause]
}

/// How many tasks differ.
public struct DifferenceCounts: Hashable, Sendable {
  /// Tasks that exist on the second side alone.
  public var added = 0
  /// Tasks that exist on the first side alone.
  public var gone = 0
  /// Tasks that exist on both sides, with other fields.
  public var changed = 0
  /// Tasks that are the same.
  public var same = 0

  /// Whether any task differs.
  public var isDifferent: Bool { added + gone + changed > 0 }
}

extension TaskDifference {
  /// - Parameters:
  ///   - old: the task on the first side.
  ///   - new: the task on the second side; one of the two is there.
  ///   - first: the history of the task on the first side, in order of sequence.
  ///   - second: the same of the second side.
  init(_ id: TaskID, old: TaskItem?, new: TaskItem?, first: KnownHistory, second: KnownHistory) {
    self.id = id
    self.old = old
    self.new = new
    kind = old == nil ? .added : new == nil ? .gone : .changed
    let causes = Self.causes(first, second)
    self.causes = causes
    changes = Self.names(old, new).compactMap { name in
      let (before, after) = (Self.shown(name, in: old), Self.shown(name, in: new))
      guard before != after else { return nil }
      if old == nil || new == nil, Self.isMute(name, before ?? after) { return nil }
      return Change(name: name, old: before, new: after, causes: Self.of(name, causes))
    }
  }

  private static func causes(_ first: KnownHistory, _ second: KnownHistory) -> [Cause] {
    let causes =
      first.entries(unknownTo: second).map { Cause(side: .first, entry: $0) }
      + second.entries(unknownTo: first).map { Cause(side: .second, entry: $0) }
    return causes.sorted { $0.entry.event.stamp < $1.entry.event.stamp }
  }

  /// What a document shows for a field: the three standard ones always have a value.
  private static func shown(_ name: String, in item: TaskItem?) -> Value? {
    guard let item else { return nil }
    return item[name] ?? (try? FieldName(name))?.defaultValue
  }

  /// Whether there is no need to say of a task that came or went that a field has a value: every task has it, but for
  /// the body, which is there in any case.
  private static func isMute(_ name: String, _ value: Value?) -> Bool {
    guard let field = try? FieldName(name), field != .body else { return false }
    return value == field.defaultValue
  }

  private static func names(_ old: TaskItem?, _ new: TaskItem?) -> [String] {
    let standard = [FieldName.body, .isCompleted, .isDeleted].map(\.text)
    let names = Set(((old?.fields ?? []) + (new?.fields ?? [])).map { ByteText($0.name) })
    return names.union(standard.map(ByteText.init)).sorted().map(\.text)
  }

  /// Those that touched a field, or a prefix or extension of it, or ended the task's life; where none did, all: the task came
  /// or went as a whole.
  private static func of(_ name: String, _ causes: [Cause]) -> [Cause] {
    guard let field = try? FieldName(name) else { return causes }
    let touching = causes.filter { cause in
      cause.entry.kind == .evict
        || cause.entry.event.changes.contains { $0.name == field || $0.name.collides(with: field) }
    }
    return touching.isEmpty ? causes : touching
  }
}
