/// One task as the fold of a set of its events: a pure function of that set.
package struct PlainTask: Sendable {
  /// A field that is set, and by which event.
  package struct Held: Sendable {
    package var value: PlainJSON
    package var stamp: PlainStamp
  }

  package let id: PlainText
  /// Whether the present life holds an upsert.
  package private(set) var exists = false
  /// The set fields of the present life, hidden ones and those before its first upsert included.
  package private(set) var fields: [PlainText: Held] = [:]

  package init(_ id: PlainText, folding events: [PlainEvent]) {
    self.id = id
    // In the order of stamps the last event to touch a field is the one with the latest stamp, and
    // whatever an evict clears is what was stamped before it.
    for event in events.sorted(by: { $0.stamp < $1.stamp }) { fold(event) }
  }

  private mutating func fold(_ event: PlainEvent) {
    if event.kind == .evict {
      exists = false
      fields = [:]
      return
    }
    if event.kind == .upsert { exists = true }
    for change in event.changes {
      fields[change.name] = change.value.map { Held(value: $0, stamp: event.stamp) }
    }
  }

  /// What a command compares with: the value, hidden or not, else what an absent field reads as.
  package func reading(_ name: PlainText) -> PlainJSON? {
    fields[name]?.value ?? PlainStandardField.reading(name)
  }

  /// Late history can leave `a` and `a.b` both set. The later stamp shows, unless it is hidden
  /// itself; either way it hides the earlier one.
  package func isHidden(_ name: PlainText) -> Bool {
    guard let held = fields[name] else { return false }
    return fields.contains { $0.key.collides(with: name) && $0.value.stamp > held.stamp }
  }

  /// The task as a document: the three fields that are always there, and what is set and shows.
  package var document: PlainJSON {
    var shown: [(path: ArraySlice<PlainText>, value: PlainJSON)] = [(["_id"], .text(id))]
    for name in ["body", "isCompleted", "isDeleted"] as [PlainText] {
      shown.append(([name], reading(name)!))
    }
    for (name, held) in fields where PlainStandardField.reading(name) == nil && !isHidden(name) {
      shown.append((name.segments[...], held.value))
    }
    return Self.nested(shown)
  }

  private static func nested(_ fields: [(path: ArraySlice<PlainText>, value: PlainJSON)])
    -> PlainJSON
  {
    let members = Dictionary(grouping: fields) { $0.path.first! }.map { key, group in
      if group[0].path.count == 1 {
        precondition(group.count == 1, "a field shows together with its extension")
        return PlainMember(key, group[0].value)
      }
      return PlainMember(key, nested(group.map { ($0.path.dropFirst(), $0.value) }))
    }
    return .object(members)
  }
}
