import LedgerCore
import LedgerFormat

/// The members of a conflict: the task, the field with both values, and the event of the other.
enum ConflictJSON {
  static func write(_ conflict: Conflict, to json: inout JSONObjectWriter) {
    json.add("task", conflict.task.text)
    if let field = conflict.field { json.add("field", field.text) }
    if let ours = conflict.ours { json.add("ours", ours) }
    if let theirs = conflict.theirs { json.add("theirs", theirs) }
    guard let event = conflict.event else { return }
    json.add("sequence", event.sequence)
    json.add("time", event.time.description)
    json.add("author", event.author)
    json.add("kind", event.kind.description)
    json.add("transaction", event.transaction)
    if let message = event.message { json.add("message", message) }
  }
}
