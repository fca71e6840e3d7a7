import LedgerCore

/// What a set of events adds up to, computed straight from the words of the rules and without regard to speed.
struct PlainFold {
  /// A field with the stamp of its newest change.
  struct Field {
    var name: FieldName
    var stamp: Stamp
    var value: Value?
  }

  let events: [Event]

  var newestEvict: Stamp? { events.filter { $0.kind == .evict }.map(\.stamp).max() }

  /// The events stamped after the newest evict.
  var presentLife: [Event] {
    guard let newestEvict else { return events }
    return events.filter { $0.stamp > newestEvict }
  }

  var exists: Bool { presentLife.contains { $0.kind == .upsert } }

  /// The newest change of each field, by stamp.
  var fields: [Field] {
    var newest: [FieldName: Field] = [:]
    for event in presentLife {
      for change in event.changes {
        if let there = newest[change.name], there.stamp > event.stamp { continue }
        newest[change.name] = Field(name: change.name, stamp: event.stamp, value: change.value)
      }
    }
    return newest.values.sorted { $0.name < $1.name }
  }

  func held(_ name: FieldName) -> Value? { fields.first { $0.name == name }?.value }

  /// The set fields without a later-stamped set prefix or extension.
  var visible: [Field] {
    let set = fields.filter { $0.value != nil }
    return set.filter { field in
      !set.contains { $0.stamp > field.stamp && $0.name.collides(with: field.name) }
    }
  }

  /// Whether a state is the fold of the events.
  func agrees(with state: TaskState) -> Bool {
    state.exists == exists && state.newestEvict == newestEvict
      && state.fields.elementsEqual(fields) { held, field in
        held.name == field.name && held.stamp == field.stamp && held.value == field.value
      }
      && state.newestUpsert == events.filter { $0.kind == .upsert }.map(\.stamp).max()
      && state.newest == events.map(\.stamp).max()
      && state.revision == events.map(\.sequence).max() ?? 0
      && state.visibleFields.elementsEqual(visible) { shown, field in
        shown.name.hasSameBytes(as: field.name.text) && shown.value == field.value
      }
  }
}
