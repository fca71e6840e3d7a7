import TaskLedger

/// An event as a test writes it down: what is given, what is done, or what is expected of it.
///
/// ```swift
/// .upsert("milk", ["body": "Get milk", "priority": 2])
/// .update("milk", ["due": nil]).by("bob").at("2026-11-30T09:00:00Z").because("not so urgent")
/// .toggle("milk")
/// ```
/// As something that is done it is a command, which may turn out to change nothing. As something that is expected it says only what
/// counts: who did it, when, and why matter where the sketch says them; what was set and unset matters for an upsert and an update, and
/// is then all that was.
public struct EventSketch: Sendable {
  let kind: EventKind
  let task: TaskID
  /// What is set and unset, by name.
  let changes: [(name: String, value: Value?)]
  private(set) var author: String?
  private(set) var time: String?
  private(set) var message: String?

  private init(_ kind: EventKind, _ task: TaskID, _ fields: [String: Value?] = [:]) {
    self.kind = kind
    self.task = task
    changes = fields.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  /// Makes a task, or sets fields of one that is there; nil unsets one.
  public static func upsert(_ task: TaskID, _ fields: [String: Value?] = [:]) -> EventSketch {
    EventSketch(.upsert, task, fields)
  }

  /// Sets fields of a task; nil unsets one.
  public static func update(_ task: TaskID, _ fields: [String: Value?]) -> EventSketch {
    EventSketch(.update, task, fields)
  }

  /// Reverses `isCompleted`.
  public static func toggle(_ task: TaskID) -> EventSketch { EventSketch(.toggle, task) }

  /// Deletes a task softly.
  public static func delete(_ task: TaskID) -> EventSketch { EventSketch(.delete, task) }

  /// Takes a soft deletion back: an update of `isDeleted`.
  public static func restore(_ task: TaskID) -> EventSketch {
    EventSketch(.update, task, ["isDeleted": false])
  }

  /// Removes a task from the live state.
  public static func evict(_ task: TaskID) -> EventSketch { EventSketch(.evict, task) }

  /// The same, by an author.
  public func by(_ author: String) -> EventSketch {
    var sketch = self
    sketch.author = author
    return sketch
  }

  /// The same, at a time, as RFC 3339. Earlier than what is there already, it is late history.
  public func at(_ time: String) -> EventSketch {
    var sketch = self
    sketch.time = time
    return sketch
  }

  /// The same, with a message.
  public func because(_ message: String) -> EventSketch {
    var sketch = self
    sketch.message = message
    return sketch
  }
}

extension EventSketch: CustomStringConvertible {
  /// As a test's output names it, such as `update milk: due unset, priority = 2, by bob`.
  public var description: String {
    var parts = changes.map { name, value in value.map { "\(name) = \($0)" } ?? "\(name) unset" }
    if let author { parts.append("by \(author)") }
    if let time { parts.append("at \(time)") }
    if let message { parts.append("“\(message)”") }
    let rest = parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"
    return "\(kind) \(task)\(rest)"
  }
}

extension EventSketch {
  /// The command that it is, where it is done.
  ///
  /// - Throws: ``LedgerError`` with code `invalid` for a field, or a time, that is none.
  func command(by author: String) throws(LedgerError) -> Command {
    var changes: [FieldChange] = []
    for (name, value) in self.changes { changes.append(FieldChange(try FieldName(name), value)) }
    let time = try time.map { (text) throws(LedgerError) in try LedgerTime(text) }
    return Command(
      kind, task, try ChangeSet(changes), time: time, author: self.author ?? author,
      message: message)
  }

  /// Whether an event is what the sketch says.
  func isMet(by event: Event) -> Bool {
    guard event.kind == kind, event.task == task else { return false }
    if let author, !event.author.hasSameBytes(as: author) { return false }
    if let message, !(event.message ?? "").hasSameBytes(as: message) { return false }
    if let time, (try? LedgerTime(time)) != event.time { return false }
    guard kind == .upsert || kind == .update else { return true }
    return event.changes.count == changes.count
      && event.changes.allSatisfy { change in
        changes.contains { $0.name.hasSameBytes(as: change.name.text) && $0.value == change.value }
      }
  }

  /// An event that was found, in the words of a sketch of it.
  init(_ event: Event) {
    kind = event.kind
    task = event.task
    changes = event.changes.map { ($0.name.text, $0.value) }
    author = event.author
    time = event.time.description
    message = event.message
  }
}
