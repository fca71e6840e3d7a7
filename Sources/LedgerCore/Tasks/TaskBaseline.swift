/// What still counts of the events of one task.
///
/// Invariants:
/// - its events add up to the same ``TaskState`` as all that were folded into it, stamp by stamp;
/// - they are those that set or unset a field which the state holds, with these changes alone, the newest evict, the
///   newest upsert, and the last one in order of sequence and of stamps;
/// - what was folded into it may be given in parts, in order of sequence.
package struct TaskBaseline {
  /// The events, in order of sequence.
  package private(set) var events: [Event] = []
  /// The fold of all events that were given.
  package private(set) var state = TaskState()
  private var reducedCount = 0
  /// The fields of the state by stamp, while many are looked for.
  private var byStamp: [Stamp: [TaskState.Field]]?

  /// So many more events are kept before those that no longer count are let go.
  private static let slack = 256
  /// So few fields are looked through for each event.
  private static let fewFields = 16

  package init() {}

  /// Adds the next event.
  package mutating func fold(_ event: Event) {
    state.fold(event)
    events.append(event)
    if events.count > 2 * reducedCount + Self.slack { reduce() }
  }

  /// Lets go of what no longer counts.
  package mutating func reduce() {
    if state.fields.count > Self.fewFields {
      byStamp = Dictionary(grouping: state.fields, by: \.stamp)
    }
    defer { byStamp = nil }
    events = events.compactMap { event in
      let changes = changes(setBy: event.stamp)
      guard !changes.isEmpty || isMark(event.stamp) || event.sequence == state.revision else {
        return nil
      }
      return Self.rest(of: event, changes, state)
    }
    reducedCount = events.count
  }

  /// What of the fields that the state holds an event set or unset.
  private func changes(setBy stamp: Stamp) -> [FieldChange] {
    let fields = byStamp.map { $0[stamp] ?? [] } ?? state.fields
    return fields.compactMap { field in
      field.stamp == stamp ? FieldChange(field.name, field.value) : nil
    }
  }

  private func isMark(_ stamp: Stamp) -> Bool {
    stamp == state.newestEvict || stamp == state.newestUpsert || stamp == state.newest
  }

  private static func rest(
    of event: Event, _ changes: [FieldChange], _ state: TaskState
  ) -> Event {
    var rest = event
    rest.changes = changes
    let isMark = event.stamp == state.newestEvict || event.stamp == state.newestUpsert
    // An upsert or evict that is not the newest says nothing any more but what it set.
    if !isMark, event.kind == .upsert || event.kind == .evict { rest.kind = .update }
    rest.message = nil
    rest.undoes = nil
    rest.transaction = event.sequence
    rest.endsTransaction = true
    rest.recorded = event.time
    return rest
  }
}
