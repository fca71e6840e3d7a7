/// A task as it stands: a document with an id, `body`, `isCompleted`, `isDeleted` and any further fields.
///
/// It is a value: changing one changes nothing in a ledger until it is given to `upsert` or changed inside
/// `update`.
///
/// ```swift
/// var milk = TaskItem(body: "Get milk")
/// milk["priority"] = 2
/// milk["tags.home"] = true
/// print(milk.json)   // {"_id":"…","body":"Get milk","isCompleted":false,…}
/// ```
public struct TaskItem: Sendable, Identifiable {
  /// The id.
  public let id: TaskID
  /// The fields that are set, sorted by the bytes of their names; no name is a prefix of another.
  public private(set) var fields: [(name: String, value: Value)]

  /// Makes a task for a later upsert.
  ///
  /// - Parameters:
  ///   - id: Its id; a random UUID when left out.
  ///   - body: Its text; nil leaves the field unset.
  ///   - isCompleted: nil leaves the field unset, which reads as false.
  ///   - isDeleted: nil leaves the field unset, which reads as false.
  public init(
    id: TaskID = .random(), body: String? = nil, isCompleted: Bool? = nil, isDeleted: Bool? = nil
  ) {
    self.id = id
    fields = []
    if let body { fields.append(("body", .text(body))) }
    if let isCompleted { fields.append(("isCompleted", .bool(isCompleted))) }
    if let isDeleted { fields.append(("isDeleted", .bool(isDeleted))) }
  }

  /// Fields must be sorted and free of prefixes.
  package init(id: TaskID, sortedFields: [(name: String, value: Value)]) {
    self.id = id
    fields = sortedFields
  }

  /// The value of a field under its dotted name; nil where it is not set.
  ///
  /// Setting a field removes the fields whose names are a proper prefix or an extension of it, as in a ledger;
  /// setting nil removes its extensions too. `_id` and names that are no ``FieldName`` are refused when the task is
  /// upserted.
  public subscript(name: String) -> Value? {
    get { index(of: name).map { fields[$0].value } }
    set {
      let below = fields.extensions(ofName: name) { $0.name }
      if !below.isEmpty { fields.removeSubrange(below) }
      guard let newValue else {
        if let index = index(of: name) { fields.remove(at: index) }
        return
      }
      if name.utf8.count <= Limits.fieldNameBytesMax {
        for prefix in FieldName(unchecked: name).prefixes {
          if let index = index(of: prefix.text) { fields.remove(at: index) }
        }
      }
      if let index = index(of: name) {
        fields[index].value = newValue
      } else {
        fields.insert((name, newValue), at: fields.firstIndex(notBefore: name) { $0.name })
      }
    }
  }

  private func index(of name: String) -> Int? { fields.index(ofName: name) { $0.name } }

  /// Whether fields are set whose names a name is a proper prefix of.
  func hasFields(below name: FieldName) -> Bool {
    !fields.extensions(ofName: name.text) { $0.name }.isEmpty
  }

  /// The text of the task; "" where it is not set.
  public var body: String {
    get { if case .text(let text)? = self["body"] { text } else { "" } }
    set { self["body"] = .text(newValue) }
  }

  /// Whether it is done; false where it is not set.
  public var isCompleted: Bool {
    get { self["isCompleted"] == .bool(true) }
    set { self["isCompleted"] = .bool(newValue) }
  }

  /// Whether it is softly deleted; false where it is not set.
  public var isDeleted: Bool {
    get { self["isDeleted"] == .bool(true) }
    set { self["isDeleted"] = .bool(newValue) }
  }

  /// The document as canonical JSON (RFC 8785, integers in full): `_id` and the three standard fields always shown,
  /// dotted names as nested objects.
  public var json: String { String(decoding: canonicalJSON, as: UTF8.self) }

  /// The bytes of ``json``.
  package var canonicalJSON: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + 32 * fields.count)
    CanonicalJSON.appendObject(shown.fields, to: &bytes)
    return bytes
  }

  /// The task with `_id` and the defaults of absent fields as fields; they replace what excludes them.
  var shown: TaskItem {
    var item = self
    item["_id"] = .text(id.text)
    for name in [FieldName.body, .isCompleted, .isDeleted] where item[name.text] == nil {
      item[name.text] = name.defaultValue
    }
    return item
  }
}

extension TaskItem {
  /// What must be set and unset to make this task of another: the fields that differ.
  ///
  /// - Throws: `LedgerError` with code `invalid` for a name that is none.
  package func changes(from before: TaskItem) throws(LedgerError) -> [FieldChange] {
    var changes: [FieldChange] = []
    var gone: [String] = []
    // Both are sorted: one pass over the two finds what either has alone.
    var place = 0
    for field in fields {
      while place < before.fields.count, before.fields[place].name.bytesPrecede(field.name) {
        gone.append(before.fields[place].name)
        place += 1
      }
      if place < before.fields.count, before.fields[place].name.hasSameBytes(as: field.name) {
        place += 1
        if before.fields[place - 1].value == field.value { continue }
      }
      changes.append(FieldChange(try FieldName(field.name), field.value))
    }
    for name in gone + before.fields[place...].map(\.name) {
      let name = try FieldName(name)
      // A field that gave way to a prefix or extension of it is unset by that one's event anyway.
      if !changes.contains(where: { $0.name.collides(with: name) }) {
        changes.append(FieldChange(name, nil))
      }
    }
    return changes
  }
}

extension TaskItem: Equatable {
  /// Whether the two show the same document.
  public static func == (left: TaskItem, right: TaskItem) -> Bool {
    left.id == right.id && left.canonicalJSON == right.canonicalJSON
  }
}

extension TaskItem: CustomStringConvertible {
  public var description: String { json }
}
