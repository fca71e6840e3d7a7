/// The five kinds of event.
public enum EventKind: UInt8, Sendable, CaseIterable {
  /// Creates a task, or sets fields of one that is there.
  case upsert = 0
  /// Sets or unsets fields of a task that exists.
  case update = 1
  /// Reverses `isCompleted`; records the value that it set.
  case toggle = 2
  /// Sets `isDeleted`; the task can be restored.
  case delete = 3
  /// Removes the task from the live state of this ledger; its history stays.
  case evict = 4
}

extension EventKind: CustomStringConvertible {
  /// The name as messages and JSON have it.
  public var description: String {
    switch self {
    case .upsert: "upsert"
    case .update: "update"
    case .toggle: "toggle"
    case .delete: "delete"
    case .evict: "evict"
    }
  }

  /// The kind with this name.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.description.hasSameBytes(as: name) }) else {
      return nil
    }
    self = kind
  }
}

/// A field and the value that was set, or nil where it was unset.
public struct FieldChange: Hashable, Sendable {
  /// The field.
  public var name: FieldName
  /// The value set; nil for an unset.
  public var value: Value?

  /// Makes a change; nil unsets the field.
  public init(_ name: FieldName, _ value: Value?) {
    self.name = name
    self.value = value
  }
}

/// An immutable fact about one task.
public struct Event: Sendable {
  /// Its position in this ledger, from 1.
  public var sequence: UInt64
  /// What orders it among events: time, replica, count.
  public var stamp: Stamp
  /// What happened.
  public var kind: EventKind
  /// To which task.
  public var task: TaskID
  /// The fields set and unset, sorted by name.
  public var changes: [FieldChange]
  /// Who did it.
  public var author: String
  /// Why, in the author's words.
  public var message: String?
  /// The sequence number of the first event of its transaction.
  public var transaction: UInt64
  /// Whether it is the last event of its transaction.
  public var endsTransaction: Bool
  /// The machine's clock when the transaction was recorded.
  public var recorded: LedgerTime
  /// The sequence number of the event that this one undoes or redoes.
  public var undoes: UInt64?

  /// When it happened.
  public var time: LedgerTime { stamp.time }

  package init(
    sequence: UInt64, stamp: Stamp, kind: EventKind, task: TaskID, changes: [FieldChange],
    author: String, message: String? = nil, transaction: UInt64, endsTransaction: Bool,
    recorded: LedgerTime, undoes: UInt64? = nil
  ) {
    self.sequence = sequence
    self.stamp = stamp
    self.kind = kind
    self.task = task
    self.changes = changes
    self.author = author
    self.message = message
    self.transaction = transaction
    self.endsTransaction = endsTransaction
    self.recorded = recorded
    self.undoes = undoes
  }
}

extension Event: Hashable {
  /// Whether all of the two is the same; texts are compared as bytes.
  public static func == (left: Event, right: Event) -> Bool {
    left.sequence == right.sequence && left.stamp == right.stamp && left.kind == right.kind
      && left.task == right.task && left.changes == right.changes
      && left.author.hasSameBytes(as: right.author)
      && String.haveSameBytes(left.message, right.message)
      && left.transaction == right.transaction && left.endsTransaction == right.endsTransaction
      && left.recorded == right.recorded && left.undoes == right.undoes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(sequence)
    hasher.combine(stamp)
    hasher.combine(task)
  }
}

extension Event {
  /// Whether it is within the limit of an event. Only where that is not plain to see are the bytes counted.
  package var isWithinLimit: Bool {
    // No byte of text takes more than six, `\u001f`, and no change has less text than punctuation.
    var most = 8 * (author.utf8.count + (message?.utf8.count ?? 0) + 2)
    for change in changes {
      most += 8 * (change.name.text.utf8.count + 1)
      switch change.value {
      case nil, .bool: break
      case .int, .double: most += 32
      case .text(let text): most += 8 * (text.utf8.count + 1)
      case .array(let values) where values.isEmpty: break
      case .array: return canonicalSize <= Limits.eventBytesMax
      }
    }
    return most <= Limits.eventBytesMax || canonicalSize <= Limits.eventBytesMax
  }

  /// The size that the limits speak of: the bytes of canonical JSON of author, message and changes, these as one
  /// object from field names to values, null for an unset.
  package var canonicalSize: Int {
    var size = CanonicalJSON.size(of: author) + 2 + max(0, changes.count - 1)
    if let message { size += CanonicalJSON.size(of: message) }
    for change in changes {
      size += CanonicalJSON.size(of: change.name.text) + 1 + (change.value?.canonicalSize ?? 4)
    }
    return size
  }
}
