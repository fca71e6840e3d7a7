import LedgerCore

/// An event of the history as one JSON object, with stable keys in a stable order.
///
/// ```json
/// {"sequence":12,"time":"2026-11-30T12:00:00.123Z","author":"ann","kind":"update","task":"123abc",
///  "changes":{"body":{"old":"Get milk","new":"Get oat milk"}},"transaction":7,"origin":"<replica>/12"}
/// ```
///
/// `message`, `undoes`, `recorded`, `ends`, `folded` and `lost` follow where they apply. `old` is absent where field or task was
/// not there before, `new` for an unset.
package enum EventJSON {
  /// Appends the object, without a newline.
  package static func append(_ entry: AuditEntry, to bytes: inout [UInt8]) {
    let event = entry.event
    JSONObjectWriter.append(to: &bytes) { json in
      json.add("sequence", event.sequence)
      json.add("time", event.time)
      json.add("author", event.author)
      json.add("kind", event.kind.description)
      json.add("task", event.task)
      json.addChanges(entry.changes)
      json.add("transaction", event.transaction)
      json.add("origin", event.stamp.replica, count: event.stamp.count)
      appendOptional(entry, to: &json)
    }
  }

  private static func appendOptional(_ entry: AuditEntry, to json: inout JSONObjectWriter) {
    let event = entry.event
    if let message = event.message { json.add("message", message) }
    if let undoes = event.undoes { json.add("undoes", undoes) }
    if event.recorded != event.time { json.add("recorded", event.recorded) }
    // A transaction of one event starts and ends with it: nothing to tell.
    if event.endsTransaction, event.sequence > event.transaction { json.add("ends", true) }
    if entry.isFolded { json.add("folded", true) }
    if !entry.lost.isEmpty { json.add("lost", entry.lost.map(\.text)) }
  }

  /// The object as bytes, without a newline.
  package static func bytes(_ entry: AuditEntry) -> [UInt8] {
    var bytes: [UInt8] = []
    append(entry, to: &bytes)
    return bytes
  }
}

extension JSONObjectWriter {
  /// Adds from what to what, by the names of the fields.
  package mutating func addChanges(_ changes: [AuditEntry.Change]) {
    addObject("changes") { json in
      for change in changes {
        json.addObject(change.name.text) { values in
          if let old = change.old { values.add("old", old) }
          if let new = change.new { values.add("new", new) }
        }
      }
    }
  }
}
