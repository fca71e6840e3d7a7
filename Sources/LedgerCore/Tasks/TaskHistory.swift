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
  package static func audit(_ events: [Event]) -> [AuditEntry] { Array(history(of: events)) }

  /// The same, each put together when it is asked for.
  ///
  /// - Parameter horizon: events up to it were folded.
  package static func history(
    of events: [Event], foldedThrough horizon: UInt64 = 0
  ) -> AuditedHistory {
    guard events.indices.dropFirst().allSatisfy({ events[$0 - 1].stamp < events[$0].stamp }) else {
      return AuditedHistory(
        events, changes: changesOfLate(events), lost: lostFields(events), state: TaskState(events),
        horizon: horizon)
    }
    var state = TaskState()
    var changes: [[AuditEntry.Change]] = []
    changes.reserveCapacity(events.count)
    for event in events {
      changes.append(self.changes(of: event, after: state))
      state.fold(event)
    }
    return AuditedHistory(events, changes: changes, lost: [], state: state, horizon: horizon)
  }

  /// The entry of an event that is folded onto everything before it: nothing later-stamped is there.
  package static func entry(_ event: Event, after state: TaskState) -> AuditEntry {
    AuditEntry(event: event, changes: changes(of: event, after: state), lost: [])
  }

  private static func changes(of event: Event, after state: TaskState) -> [AuditEntry.Change] {
    let exists = state.exists
    return event.changes.map { change in
      AuditEntry.Change(
        name: change.name, old: exists ? state.reading(change.name) : nil, new: change.value)
    }
  }

  /// Per event its changes, with what stood there before its stamp.
  private static func changesOfLate(_ events: [Event]) -> [[AuditEntry.Change]] {
    var result = [[AuditEntry.Change]](repeating: [], count: events.count)
    var state = TaskState()
    for index in events.indices.sorted(by: { events[$0].stamp < events[$1].stamp }) {
      result[index] = changes(of: events[index], after: state)
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
