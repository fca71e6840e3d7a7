/// What orders events: (time, replica, count).
struct PlainStamp: Hashable, Comparable, Sendable {
  /// Unix milliseconds.
  var time: Int64
  /// Who made the event; compared as bytes.
  var replica: PlainText
  /// The replica's own count of its events, from 1.
  var count: Int

  static func < (one: PlainStamp, other: PlainStamp) -> Bool {
    if one.time != other.time { return one.time < other.time }
    if one.replica != other.replica { return one.replica < other.replica }
    return one.count < other.count
  }
}

/// One field that an event sets, or unsets when the value is nil.
struct PlainChange: Equatable, Sendable {
  var name: PlainText
  var value: PlainJSON?
}

/// An immutable fact about one task.
struct PlainEvent: Equatable, Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case upsert, update, toggle, delete, evict
  }

  /// Position in this ledger, by order of arrival, from 1.
  var sequence: Int
  var stamp: PlainStamp
  var kind: Kind
  var task: PlainText
  /// Only what differed when the event was made, sorted by name.
  var changes: [PlainChange]
  var author: PlainText?
  var message: PlainText?
  /// The sequence number of the first event of its transaction.
  var transaction: Int
  /// The machine's clock when it was recorded.
  var recorded: Int64

  func change(of name: PlainText) -> PlainChange? { changes.first { $0.name == name } }

  /// What the size limits measure: author, message and the recorded changes, these as one object, in canonical JSON.
  var size: Int {
    let texts = [author, message].compactMap { $0 }.map { PlainJSON.text($0) }
    let fields = PlainJSON.object(changes.map { PlainMember($0.name, $0.value ?? .null) })
    return (texts + [fields]).reduce(0) { $0 + $1.canonical.count }
  }
}
