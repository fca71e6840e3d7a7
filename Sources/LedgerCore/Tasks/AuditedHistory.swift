/// The entries of all events of one task in order of sequence, and what the events add up to.
///
/// An entry is put together when it is asked for: all of them would take as much memory as the events once more.
package struct AuditedHistory: RandomAccessCollection, Sendable {
  package let events: [Event]
  /// What the events add up to.
  package let state: TaskState
  /// Per event.
  private let changes: [[AuditEntry.Change]]
  /// Per event; none where each was stamped after the one before.
  private let lost: [[FieldName]]
  /// Of events up to it only what still counts is left: nobody knows what they replaced, nor what was lost.
  private let horizon: UInt64

  init(
    _ events: [Event], changes: [[AuditEntry.Change]], lost: [[FieldName]], state: TaskState,
    horizon: UInt64
  ) {
    self.events = events
    self.changes = changes
    self.lost = lost
    self.state = state
    self.horizon = horizon
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { events.count }

  /// Whether there is an event that was folded.
  package var hasFolded: Bool { events.first.map(isFolded) ?? false }

  package subscript(place: Int) -> AuditEntry {
    var entry = AuditEntry(
      event: events[place], changes: changes[place], lost: lost.isEmpty ? [] : lost[place])
    guard isFolded(entry.event) else { return entry }
    entry.isFolded = true
    entry.lost = []
    for change in entry.changes.indices { entry.changes[change].old = nil }
    return entry
  }

  private func isFolded(_ event: Event) -> Bool { event.sequence <= horizon }
}
