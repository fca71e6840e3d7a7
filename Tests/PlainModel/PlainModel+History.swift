/// What happened to one task: who, when, from what to what.
extension PlainModel {
  package struct HistoryEntry: Equatable, Sendable {
    package let event: PlainEvent
    package let changes: [HistoryChange]
    /// The names of the set fields whose value never showed, sorted by bytes.
    package let lost: [PlainText]

    package init(event: PlainEvent, changes: [HistoryChange], lost: [PlainText]) {
      self.event = event
      self.changes = changes
      self.lost = lost
    }

    package var sequence: Int { event.sequence }
    package var stamp: PlainStamp { event.stamp }
    package var kind: PlainEvent.Kind { event.kind }
  }

  /// One field; nil is "absent".
  package struct HistoryChange: Equatable, Sendable {
    package let name: PlainText
    package let old: PlainJSON?
    package let new: PlainJSON?

    package init(name: PlainText, old: PlainJSON?, new: PlainJSON?) {
      self.name = name
      self.old = old
      self.new = new
    }
  }

  /// Every event of the task in the order of sequence.
  package func history(of id: PlainText) -> [HistoryEntry] {
    let events = events(of: id)
    return events.map { event in
      let before = PlainTask(id, folding: events.filter { $0.stamp < event.stamp })
      return HistoryEntry(
        event: event,
        changes: event.changes.map { change in
          // Hidden fields and the three defaults are there; of no task nothing is.
          let old = before.exists ? before.reading(change.name) : nil
          return HistoryChange(name: change.name, old: old, new: change.value)
        },
        lost: event.changes.filter { $0.value != nil }.map(\.name).filter { name in
          events.contains { $0.sequence < event.sequence && $0.supersedes(name, of: event) }
        })
    }
  }
}

extension PlainEvent {
  /// Whether this event, when it is there first, keeps the other's value from ever showing.
  ///
  /// A prefix or an extension that is set later only hides the value: unset it, and the value shows.
  fileprivate func supersedes(_ name: PlainText, of other: PlainEvent) -> Bool {
    other.stamp < stamp && (kind == .evict || change(of: name) != nil)
  }
}
