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
  /// setting nil removes its extensions too. A name that is no ``FieldName`` is refused when the task is upserted.
  public subscript(name: String) -> Value? {
    get {
      let index = firstIndex(notBefore: name)
      guard index < fields.count, fields[index].name.hasSameBytes(as: name) else { return nil }
      return fields[index].value
    }
    set {
      fields.removeAll { field in
        field.name.hasSameBytes(as: name) || FieldName.isPrefix(name, of: field.name)
          || (newValue != nil && FieldName.isPrefix(field.name, of: name))
      }
      if let newValue { fields.insert((name, newValue), at: firstIndex(notBefore: name)) }
    }
  }

  private func firstIndex(notBefore name: String) -> Int {
    var low = 0
    var high = fields.count
    while low < high {
      let middle = (low + high) / 2
      if fields[middle].name.bytesPrecede(name) { low = middle + 1 } else { high = middle }
    }
    return low
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
    CanonicalJSON.appendObject(shownFields, to: &bytes)
    return bytes
  }

  /// The fields with `_id` and the defaults of absent ones.
  private var shownFields: [(name: String, value: Value)] {
    var shown = fields
    shown.append(("_id", .text(id.text)))
    for name in [FieldName.body, .isCompleted, .isDeleted] {
      if let value = name.defaultValue, self[name.text] == nil { shown.append((name.text, value)) }
    }
    return shown
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
