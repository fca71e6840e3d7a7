/// What the events of one task add up to, whatever the order in which they are folded.
///
/// Invariants:
/// - `fields` is sorted by name and names are unique;
/// - each field holds the newest value (nil: unset) by stamp;
/// - no field is stamped before the newest evict;
/// - no stamp is newer than `newest`;
/// - `hasDottedField` says whether a field is dotted;
/// - folding is commutative and associative, and folding an event twice changes nothing.
package struct TaskState: Hashable, Sendable {
  /// A field with the stamp of the event that set or unset it last.
  package struct Field: Hashable, Sendable {
    package var name: FieldName
    package var stamp: Stamp
    package var value: Value?
  }

  package private(set) var newestEvict: Stamp?
  package private(set) var newestUpsert: Stamp?
  package private(set) var fields: [Field] = []
  /// Whether any field is dotted: without one no field is above or below another.
  private(set) var hasDottedField = false
  /// The newest stamp of any event of the task.
  package private(set) var newest: Stamp?
  /// The sequence number of the last event that touched the task; 0 when none did.
  package private(set) var revision: UInt64 = 0

  package init() {}

  /// It grows whenever the same events come to add up to another state: what was folded by other rules is folded anew.
  package static let rulesVersion: UInt64 = 1

  /// The fold of events, in any order.
  package init(_ events: some Sequence<Event>) {
    for event in events { fold(event) }
  }

  /// Adds one event.
  package mutating func fold(_ event: Event) {
    revision = max(revision, event.sequence)
    newest = max(newest ?? event.stamp, event.stamp)
    if event.kind == .evict { noteEvict(event.stamp) }
    if event.kind == .upsert { newestUpsert = max(newestUpsert ?? event.stamp, event.stamp) }
    if event.changes.count <= Self.fewFields {
      // A list that grows by itself doubles: of a new task it would hold more room than fields.
      if fields.isEmpty { fields.reserveCapacity(event.changes.count) }
      for change in event.changes {
        note(Field(name: change.name, stamp: event.stamp, value: change.value))
      }
    } else {
      noteMany(
        event.changes.map { Field(name: $0.name, stamp: event.stamp, value: $0.value) })
    }
  }

  /// Adds what another fold of the same task's events holds.
  package mutating func merge(_ other: TaskState) {
    revision = max(revision, other.revision)
    if let stamp = other.newest { newest = max(newest ?? stamp, stamp) }
    if let stamp = other.newestEvict { noteEvict(stamp) }
    if let stamp = other.newestUpsert { newestUpsert = max(newestUpsert ?? stamp, stamp) }
    noteMany(other.fields)
  }

  private mutating func noteEvict(_ stamp: Stamp) {
    if let newestEvict, newestEvict >= stamp { return }
    newestEvict = stamp
    fields.removeAll { $0.stamp < stamp }
    // Of most evicted tasks nothing is left, and nothing comes.
    if fields.isEmpty { fields = [] }
    hasDottedField = fields.contains { $0.name.isDotted }
  }

  /// Up to this many new fields are inserted one by one; each insertion moves all that stands behind it.
  private static let fewFields = 8

  private mutating func note(_ field: Field) {
    if let newestEvict, field.stamp < newestEvict { return }
    let index = firstIndex(notBefore: field.name)
    if index < fields.count, fields[index].name == field.name {
      if fields[index].stamp < field.stamp { fields[index] = field }
    } else {
      fields.insert(field, at: index)
      if field.name.isDotted { hasDottedField = true }
    }
  }

  /// Notes fields in any order; where they are sorted, many new ones are inserted in one pass.
  private mutating func noteMany(_ others: [Field]) {
    var added: [Field] = []
    for other in others {
      if let last = added.last, !(last.name < other.name) {
        insert(added)
        added = []
      }
      if index(of: other.name) != nil {
        note(other)
      } else if newestEvict.map({ $0 <= other.stamp }) ?? true {
        added.append(other)
      }
    }
    insert(added)
  }

  /// Inserts fields that are sorted and not there.
  private mutating func insert(_ added: [Field]) {
    if added.contains(where: { $0.name.isDotted }) { hasDottedField = true }
    if fields.isEmpty {
      fields = added
    } else if added.count > Self.fewFields {
      fields = merged(with: added)
    } else {
      for field in added { note(field) }
    }
  }

  private func merged(with added: [Field]) -> [Field] {
    var merged: [Field] = []
    merged.reserveCapacity(fields.count + added.count)
    var rest = added[...]
    for field in fields {
      while let next = rest.first, next.name < field.name { merged.append(rest.removeFirst()) }
      merged.append(field)
    }
    merged.append(contentsOf: rest)
    return merged
  }

  private func firstIndex(notBefore name: FieldName) -> Int {
    fields.firstIndex(notBefore: name.text) { $0.name.text }
  }

  private func index(of name: FieldName) -> Int? {
    let index = firstIndex(notBefore: name)
    return index < fields.count && fields[index].name == name ? index : nil
  }

  /// The fields, unset ones too, whose names this name is a proper prefix of.
  func extensions(of name: FieldName) -> ArraySlice<Field> {
    fields[fields.extensions(ofName: name.text) { $0.name.text }]
  }

  /// Whether the task exists: an upsert is among the events after the newest evict.
  package var exists: Bool {
    guard let newestUpsert else { return false }
    guard let newestEvict else { return true }
    return newestUpsert > newestEvict
  }

  /// The value that the present life holds for a field, hidden or not; nil where it is not set.
  package func held(_ name: FieldName) -> Value? {
    index(of: name).flatMap { fields[$0].value }
  }

  /// The fields that the present life holds, hidden ones too.
  package var heldFields: some Sequence<Field> { fields.lazy.filter { $0.value != nil } }

  /// The value of a field that is set, and that no later-stamped prefix or extension hides.
  func shown(_ name: FieldName) -> Value? {
    guard let index = index(of: name), let value = fields[index].value else { return nil }
    guard hasDottedField else { return value }
    let stamp = fields[index].stamp
    if name.isDotted {
      for prefix in name.prefixes {
        guard let other = self.index(of: prefix), fields[other].value != nil else { continue }
        if !(fields[other].stamp < stamp) { return nil }
      }
    }
    let isHidden = extensions(of: name).contains { $0.value != nil && stamp < $0.stamp }
    return isHidden ? nil : value
  }

  /// The set fields that no later-stamped prefix or extension hides.
  package var visibleFields: [(name: String, value: Value)] {
    var hidden: Set<FieldName> = []
    for field in fields where hasDottedField && field.value != nil && field.name.isDotted {
      for prefix in field.name.prefixes {
        guard let index = index(of: prefix), fields[index].value != nil else { continue }
        hidden.insert(fields[index].stamp < field.stamp ? prefix : field.name)
      }
    }
    var visible: [(name: String, value: Value)] = []
    visible.reserveCapacity(fields.count)
    for field in fields {
      guard let value = field.value, hidden.isEmpty || !hidden.contains(field.name) else {
        continue
      }
      visible.append((field.name.text, value))
    }
    return visible
  }

  /// The document, when the task exists.
  package func item(_ id: TaskID) -> TaskItem? {
    exists ? TaskItem(id: id, sortedFields: visibleFields) : nil
  }
}

extension TaskState {
  /// The broken invariants in words; empty when all hold.
  package var brokenInvariants: [String] {
    var broken: [String] = []
    for (field, next) in zip(fields, fields.dropFirst()) where !(field.name < next.name) {
      broken.append("\(next.name) does not follow \(field.name)")
    }
    if let newestEvict {
      for field in fields where field.stamp < newestEvict {
        broken.append("\(field.name) is older than the newest evict")
      }
    }
    if hasDottedField != fields.contains(where: { $0.name.isDotted }) {
      broken.append("whether a field is dotted is not known")
    }
    let stamps = [newestEvict, newestUpsert] + fields.map(\.stamp)
    if let stamp = stamps.compactMap(\.self).max(), newest.map({ $0 < stamp }) ?? true {
      broken.append("a stamp is newer than the newest event")
    }
    return broken
  }
}
