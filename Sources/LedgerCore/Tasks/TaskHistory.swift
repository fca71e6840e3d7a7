/// One event of a task's history, with what its fields held before.
public struct AuditEntry: Hashable, Sendable {
  /// A field that the event set or unset.
  public struct Change: Hashable, Sendable {
    /// The field.
    public var name: FieldName
    /// Its value in the task as it stood just before the event's stamp; nil where field or task was not
    /// there.
    public var old: Value?
    /// The value set; nil for an unset.
    public var new: Value?

    package init(name: FieldName, old: Value?, new: Value?) {
      self.name = name
      self.old = old
      self.new = new
    }
  }

  /// The event.
  public var event: Event
  /// What it changed.
  public var changes: [Change]
  /// The fields whose value never showed, because something later-stamped was there when the event arrived.
  public var lost: [FieldName]
  /// Whether it lies before the horizon of a fold: only what still counts of the event is left, and what its fields held
  /// before is not known.
  public var isFolded = false

  /// Its position in the ledger.
  public var sequence: UInt64 { event.sequence }
  /// When it happened.
  public var time: LedgerTime { event.time }
  /// What happened.
  public var kind: EventKind { event.kind }
  /// Why, in the author's words.
  public var message: String? { event.message }
  /// Who did it.
  public var author: String { event.author }

  package init(event: Event, changes: [Change], lost: [FieldName]) {
    self.event = event
    self.changes = changes
    self.lost = lost
  }
}

/// The history of one task.
package enum TaskHistory {
  /// The entries of all events of one task, which are given and returned in order of sequence.
  package static func audit(_ events: [Event]) -> [AuditEntry] { auditAndState(events).entries }

  /// The same, and the state that the events add up to.
  package static func auditAndState(
    _ events: [Event]
  ) -> (entries: [AuditEntry], state: TaskState) {
    var state = TaskState()
    guard zip(events, events.dropFirst()).allSatisfy({ $0.stamp < $1.stamp }) else {
      return (auditOfLate(events), TaskState(events))
    }
    let entries = events.map { event in
      defer { state.fold(event) }
      return entry(event, after: state)
    }
    return (entries, state)
  }

  /// The entries of events of which some arrived after later-stamped ones.
  private static func auditOfLate(_ events: [Event]) -> [AuditEntry] {
    let olds = oldValues(events)
    let lost = lostFields(events)
    return events.indices.map { index in
      entry(events[index], olds: olds[index], lost: lost[index])
    }
  }

  /// The entry of an event that is folded onto everything before it: nothing later-stamped is there.
  package static func entry(_ event: Event, after state: TaskState) -> AuditEntry {
    entry(event, olds: olds(of: event, in: state), lost: [])
  }

  private static func entry(_ event: Event, olds: [Value?], lost: [FieldName]) -> AuditEntry {
    let changes = zip(event.changes, olds).map { change, old in
      AuditEntry.Change(name: change.name, old: old, new: change.value)
    }
    return AuditEntry(event: event, changes: changes, lost: lost)
  }

  private static func olds(of event: Event, in state: TaskState) -> [Value?] {
    event.changes.map { state.exists ? state.reading($0.name) : nil }
  }

  /// Per event and change the value before the event's stamp.
  private static func oldValues(_ events: [Event]) -> [[Value?]] {
    var result = [[Value?]](repeating: [], count: events.count)
    var state = TaskState()
    for index in events.indices.sorted(by: { events[$0].stamp < events[$1].stamp }) {
      result[index] = olds(of: events[index], in: state)
      state.fold(events[index])
    }
    return result
  }

  /// Per event the fields whose value arrived when a later-stamped set or unset of the same field, or a
  /// later-stamped evict, was already there.
  private static func lostFields(_ events: [Event]) -> [[FieldName]] {
    var newestOfField: [FieldName: Stamp] = [:]
    var newestEvict: Stamp?
    return events.map { event in
      var lost: [FieldName] = []
      let evicted = newestEvict.map { event.stamp < $0 } ?? false
      for change in event.changes {
        let newest = newestOfField[change.name]
        let superseded = newest.map { event.stamp < $0 } ?? false
        if change.value != nil, evicted || superseded { lost.append(change.name) }
        newestOfField[change.name] = max(newest ?? event.stamp, event.stamp)
      }
      if event.kind == .evict { newestEvict = max(newestEvict ?? event.stamp, event.stamp) }
      return lost
    }
  }
}

extension AuditEntry.Change: CustomStringConvertible {
  /// The field with its old and new value, such as `body: "Get milk" → "Get oat milk"`.
  public var description: String {
    let new = new.map(\.description) ?? "unset"
    return old.map { "\(name): \($0) → \(new)" } ?? "\(name): \(new)"
  }
}
