/// A task as a document in any format of Codable: `_id`, and each field that is set under its dotted name.
extension TaskItem: Codable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TextKey.self)
    try container.encode(id, forKey: TextKey("_id"))
    for field in fields { try container.encode(field.value, forKey: TextKey(field.name)) }
  }

  /// Reads a document; nested objects and nulls are read as in a ledger.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TextKey.self)
    let id = try container.decode(TaskID.self, forKey: TextKey("_id"))
    var changes: [FieldChange] = []
    try Self.read(container, below: "", depth: 0, into: &changes)
    self.init(
      id: id,
      sortedFields: try ChangeSet(changes).changes.compactMap { change in
        change.value.map { (name: change.name.text, value: $0) }
      })
  }

  private static func read(
    _ container: KeyedDecodingContainer<TextKey>, below prefix: String, depth: Int,
    into changes: inout [FieldChange]
  ) throws {
    for key in container.allKeys where !(depth == 0 && key.stringValue == "_id") {
      guard try !container.decodeNil(forKey: key) else { continue }
      let name = try FieldName(prefix.isEmpty ? key.stringValue : "\(prefix).\(key.stringValue)")
      if let nested = try? container.nestedContainer(keyedBy: TextKey.self, forKey: key) {
        try read(nested, below: name.text, depth: depth + 1, into: &changes)
      } else {
        changes.append(FieldChange(name, try container.decode(Value.self, forKey: key)))
      }
    }
  }
}
