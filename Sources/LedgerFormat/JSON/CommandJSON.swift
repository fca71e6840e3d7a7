import LedgerCore

/// An event as the line of a command stream that makes it again, where what came before it is the same.
///
/// ```json
/// {"kind":"update","task":"123abc","set":{"body":"Get oat milk"},"time":"2026-11-30T12:00:00.123Z","author":"ann"}
/// ```
///
/// `message` follows where there is one, and `transaction`, its number, where the event is one of several.
package enum CommandJSON {
  /// The object as bytes, without a newline.
  package static func bytes(_ event: Event) -> [UInt8] {
    JSONObjectWriter.object { json in
      json.add("kind", event.kind.description)
      json.add("task", event.task.text)
      if event.kind == .upsert || event.kind == .update { append(event.changes, to: &json) }
      json.add("time", event.time)
      json.add("author", event.author)
      if let message = event.message { json.add("message", message) }
      let isAlone = event.sequence == event.transaction && event.endsTransaction
      if !isAlone { json.add("transaction", event.transaction) }
    }
  }

  private static func append(_ changes: [FieldChange], to json: inout JSONObjectWriter) {
    let set = changes.filter { $0.value != nil }
    if !set.isEmpty {
      json.addObject("set") { fields in
        for change in set {
          if let value = change.value { fields.add(change.name.text, json: literal(value)) }
        }
      }
    }
    let unset = changes.lazy.filter { $0.value == nil }.map(\.name)
      .filter { name in !isImplied(name, changes) }
    if !unset.isEmpty { json.add("unset", unset.map(\.text)) }
  }

  /// A value as it is read again: a double that is as large as no integer reads as one in canonical JSON, which would be refused.
  private static func literal(_ value: Value) -> [UInt8] {
    switch value {
    case .array(let values):
      return [0x5b] + values.map(literal).joined(separator: [0x2c]) + [0x5d]
    case .double:
      var bytes: [UInt8] = []
      CanonicalJSON.append(value, to: &bytes)
      let isWhole = bytes.allSatisfy { $0 == 0x2d || (0x30...0x39).contains($0) }
      return isWhole ? bytes + Array(".0".utf8) : bytes
    case .bool, .int, .text:
      var bytes: [UInt8] = []
      CanonicalJSON.append(value, to: &bytes)
      return bytes
    }
  }

  /// Whether a field is unset because another one is set or unset, as a command does by itself: to name both would be refused.
  private static func isImplied(_ name: FieldName, _ changes: [FieldChange]) -> Bool {
    changes.contains { change in
      change.value != nil ? change.name.collides(with: name) : name.prefixes.contains(change.name)
    }
  }
}
