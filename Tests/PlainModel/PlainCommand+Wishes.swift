/// Why a command was refused. A refused command appends nothing.
package enum PlainRefusal: String, Error, Sendable {
  case taskID = "a task id is 1 to 256 bytes of UTF-8 without control characters"
  case fieldName = "a field name is 1 to 32 non-empty segments joined by dots, at most 256 bytes"
  case fieldTwice = "a field is named twice, or together with its extension"
  case idIsFixed = "_id cannot be set"
  case typeIsFixed = "body, isCompleted and isDeleted keep their types and have no extensions"
  case value = "a value is a bool, an integer, a double, a text or an array of these, in bounds"
  case noFields = "only upsert and update set or unset fields"
  case future = "a time is more than a day in the future"
  case noTask = "no such task"
  case size = "an event is at most 4 MiB, a transaction 64 MiB"
}

/// The fields that every document shows.
package enum PlainStandardField {
  /// What an absent field reads as; nil for a field that is simply not there.
  package static func reading(_ name: PlainText) -> PlainJSON? {
    switch name {
    case "body": ""
    case "isCompleted", "isDeleted": false
    default: nil
    }
  }

  package static func check(_ name: PlainText, _ value: PlainJSON?) throws(PlainRefusal) {
    if name == "_id" || name.extends("_id") { throw .idIsFixed }
    for standard in ["body", "isCompleted", "isDeleted"] as [PlainText] {
      if name.extends(standard) { throw .typeIsFixed }
    }
    switch (name, value) {
    case (_, nil), ("body", .text), ("isCompleted", .bool), ("isDeleted", .bool): return
    case ("body", _), ("isCompleted", _), ("isDeleted", _): throw .typeIsFixed
    default: return
    }
  }
}

/// What a command wants of one field: a value, or nil for no value.
package struct PlainWish {
  package var name: PlainText
  package var value: PlainJSON?

  package init(name: PlainText, value: PlainJSON?) {
    self.name = name
    self.value = value
  }
}

extension PlainCommand {
  /// The fields that the command names, one per leaf, each checked.
  package func wishes() throws(PlainRefusal) -> [PlainWish] {
    var wishes: [PlainWish] = []
    try Self.addLeaves(of: set, below: nil, to: &wishes)
    for name in unset { wishes.append(PlainWish(name: name, value: nil)) }
    for wish in wishes {
      guard wish.name.isFieldName else { throw .fieldName }
      try PlainStandardField.check(wish.name, wish.value)
    }
    for (index, wish) in wishes.enumerated() {
      for other in wishes[..<index] {
        if wish.name == other.name || wish.name.collides(with: other.name) { throw .fieldTwice }
      }
    }
    let takesFields = kind == .upsert || kind == .update
    guard takesFields || wishes.isEmpty else { throw .noFields }
    return wishes
  }

  /// An empty object has no leaf, so it names nothing and changes nothing.
  private static func addLeaves(
    of members: [PlainMember], below prefix: PlainText?, to wishes: inout [PlainWish]
  ) throws(PlainRefusal) {
    // No JSON line can say a key twice, so a command cannot either.
    guard Set(members.map(\.key)).count == members.count else { throw .fieldTwice }
    for member in members {
      let name = prefix?.appending(segment: member.key) ?? member.key
      switch member.value {
      case .object(let below): try addLeaves(of: below, below: name, to: &wishes)
      case .null: wishes.append(PlainWish(name: name, value: nil))
      default:
        guard let value = member.value.asFieldValue else { throw .value }
        wishes.append(PlainWish(name: name, value: value))
      }
    }
  }
}
