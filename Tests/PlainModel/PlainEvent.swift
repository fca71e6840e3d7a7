/// What orders events: (time, replica, count).
package struct PlainStamp: Hashable, Comparable, Sendable {
  /// Unix milliseconds.
  package var time: Int64
  /// Who made the event; compared as bytes.
  package var replica: PlainText
  /// The replica's own count of its events, from 1.
  package var count: Int

  package init(time: Int64, replica: PlainText, count: Int) {
    self.time = time
    self.replica = replica
    self.count = count
  }

  package static func < (one: PlainStamp, other: PlainStamp) -> Bool {
    if one.time != other.time { return one.time < other.time }
    if one.replica != other.replica { return one.replica < other.replica }
    return one.count < other.count
  }
}

/// One field that an event sets, or unsets when the value is nil.
package struct PlainChange: Equatable, Sendable {
  package var name: PlainText
  package var value: PlainJSON?

  package init(name: PlainText, value: PlainJSON?) {
    self.name = name
    self.value = value
  }
}

/// An immutable fact about one task.
package struct PlainEvent: Equatable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case upsert, update, toggle, delete, evict
  }

  /// Position in this ledger, by order of arrival, from 1.
  package var sequence: Int
  package var stamp: PlainStamp
  package var kind: Kind
  package var task: PlainText
  /// Only what differed when the event was made, sorted by name.
  package var changes: [PlainChange]
  package var author: PlainText?
  package var message: PlainText?
  /// The sequence number of the first event of its transaction.
  package var transaction: Int
  /// The machine's clock when it was recorded.
  package var recorded: Int64

  package init(
    sequence: Int, stamp: PlainStamp, kind: Kind, task: PlainText, changes: [PlainChange],
    author: PlainText?, message: PlainText?, transaction: Int, recorded: Int64
  ) {
    self.sequence = sequence
    self.stamp = stamp
    self.kind = kind
    self.task = task
    self.changes = changes
    self.author = author
    self.message = message
    self.transaction = transaction
    self.recorded = recorded
  }

  package func change(of name: PlainText) -> PlainChange? { changes.first { $0.name == name } }

  /// What the size limits measure: author, message and the recorded changes, these as one object, in canonical JSON.
  package var size: Int {
    let texts = [author, message].compactMap { $0 }.map { PlainJSON.text($0) }
    let fields = PlainJSON.object(changes.map { PlainMember($0.name, $0.value ?? .null) })
    return (texts + [fields]).reduce(0) { $0 + $1.canonical.count }
  }
}
