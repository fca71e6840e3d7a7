/// What somebody asks the ledger to do to one task, before any rule is applied.
package struct PlainCommand: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case upsert, update, toggle, delete, evict
    /// No event kind of its own: an update of `isDeleted` to false.
    case restore
  }

  package var kind: Kind
  package var task: PlainText
  /// The fields to set: dotted names, values of any JSON. A null unsets, an object nests further.
  package var set: [PlainMember]
  /// The names to unset.
  package var unset: [PlainText]
  /// The given time in Unix milliseconds; nil leaves the stamp to the ledger.
  package var time: Int64?
  package var author: PlainText?
  package var message: PlainText?
  /// A text or an integer; consecutive commands with the same token are one transaction.
  package var transaction: PlainJSON?
  package var spelling = Spelling()

  /// Which of several spellings with one meaning `applyLine` uses.
  package struct Spelling: Sendable {
    /// `{"a":{"b":1}}` in place of `{"a.b":1}`.
    package var nested = false
    /// `\u00e9` in place of `é`.
    package var escaped = false

    package init(nested: Bool = false, escaped: Bool = false) {
      self.nested = nested
      self.escaped = escaped
    }
  }

  package init(
    _ kind: Kind, _ task: PlainText, set: [PlainMember] = [], unset: [PlainText] = [],
    time: Int64? = nil, author: PlainText? = nil, message: PlainText? = nil,
    transaction: PlainJSON? = nil
  ) {
    self.kind = kind
    self.task = task
    self.set = set
    self.unset = unset
    self.time = time
    self.author = author
    self.message = message
    self.transaction = transaction
  }
}

/// The command as a line for `ledger apply`, without the newline.
extension PlainCommand {
  package var applyLine: String {
    var members: [PlainMember] = []
    let isRestore = kind == .restore
    members.append(PlainMember("kind", .text(PlainText((isRestore ? .update : kind).rawValue))))
    members.append(PlainMember("task", .text(task)))
    if isRestore {
      members.append(PlainMember("set", .object([PlainMember("isDeleted", false)])))
    } else {
      if !set.isEmpty { members.append(PlainMember("set", .object(spelledSet))) }
      if !unset.isEmpty { members.append(PlainMember("unset", .array(unset.map { .text($0) }))) }
    }
    if let time { members.append(PlainMember("time", .text(PlainText(PlainTime.text(time))))) }
    if let author { members.append(PlainMember("author", .text(author))) }
    if let message { members.append(PlainMember("message", .text(message))) }
    if let transaction { members.append(PlainMember("transaction", transaction)) }
    return print(.object(members))
  }

  private var spelledSet: [PlainMember] {
    // Nesting around a given object, or of names that collide, could make a key appear twice.
    let holdsObject = set.contains { if case .object = $0.value { true } else { false } }
    let collides = set.contains { one in set.contains { $0.key.collides(with: one.key) } }
    guard spelling.nested, !holdsObject, !collides else { return set }
    return Self.nest(set.map { ($0.key.segments[...], $0.value) })
  }

  /// Gathers the names that go on under one first segment.
  private static func nest(_ fields: [(path: ArraySlice<PlainText>, value: PlainJSON)])
    -> [PlainMember]
  {
    var members: [PlainMember] = []
    var gathered: Set<PlainText> = []
    for (path, value) in fields {
      let key = path.first!
      if path.count == 1 {
        members.append(PlainMember(key, value))
      } else if gathered.insert(key).inserted {
        let below = fields.filter { $0.path.first == key && $0.path.count > 1 }
        let rests = below.map { (path: $0.path.dropFirst(), value: $0.value) }
        members.append(PlainMember(key, .object(nest(rests))))
      }
    }
    return members
  }

  /// Members stay in order and numbers as they were given (`1.0`, `-0.0`): not canonical.
  private func print(_ value: PlainJSON) -> String {
    switch value {
    case .array(let elements): return "[" + elements.map(print).joined(separator: ",") + "]"
    case .object(let members):
      let parts = members.map { print(.text($0.key)) + ":" + print($0.value) }
      return "{" + parts.joined(separator: ",") + "}"
    case .double(let number): return "\(number)"
    case .text where spelling.escaped:
      let units = value.description.utf16.map { unit in
        guard unit > 0x7E else { return String(UnicodeScalar(UInt8(unit))) }
        let digits = String(unit, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
      return units.joined()
    default: return value.description
    }
  }
}
