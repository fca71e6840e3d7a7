/// What happened to one task: who, when, from what to what.
extension PlainModel {
  struct HistoryEntry: Equatable, Sendable {
    let event: PlainEvent
    let changes: [HistoryChange]
    /// The names of the set fields whose value never showed, sorted by bytes.
    let lost: [PlainText]

    var sequence: Int { event.sequence }
    var stamp: PlainStamp { event.stamp }
    var kind: PlainEvent.Kind { event.kind }
  }

  /// One field; nil is "absent".
  struct HistoryChange: Equatable, Sendable {
    let name: PlainText
    let old: PlainJSON?
    let new: PlainJSON?
  }

  /// Every event of the task in the order of sequence.
  func history(of id: PlainText) -> [HistoryEntry] {
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
