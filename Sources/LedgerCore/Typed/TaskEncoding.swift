/// Collects the fields of a value while that encodes itself.
///
/// Invariants:
/// - what a container cannot throw, because its protocol does not let it, is kept and thrown by the next call, or at the end;
/// - every element that is encoded into a list stands in it, in order.
final class TaskEncoding {
  private enum Content {
    case value(Value)
    case list(EncodedList)
    case unset
  }

  private var id: Value?
  private var fields: [(name: String, content: Content)] = []
  private var skipped: [String] = []
  private var times: [(name: String, time: LedgerTime)] = []
  private var failure: LedgerError?
  private var depth = 0

  /// Deeper than any task can be: what nests further refers to itself, or is no task.
  private static let depthMax = 4 * (Limits.fieldNameSegmentsMax + Limits.arrayDepthMax)

  /// Keeps what went wrong, for the next call that can throw.
  func fail(_ error: LedgerError) { failure = failure ?? error }

  /// Encodes what stands at a place.
  func encode<T: Encodable>(
    _ value: T, at slot: EncodingSlot, _ codingPath: [any CodingKey]
  ) throws {
    if let failure { throw failure }
    if let leaf = try Value(leaf: value, at: slot.place) {
      if let time = value as? LedgerTime { note(time, at: slot) }
      return try put(leaf, at: slot)
    }
    if let form = FoundationForm(T.self) {
      let (value, time) = try form.value(of: value, at: slot.place)
      if let time { note(time, at: slot) }
      return try put(value, at: slot)
    }
    guard depth < Self.depthMax else {
      throw LedgerError(.invalid, "the field \"\(slot.place.shortened)\" nests too deep")
    }
    depth += 1
    defer { depth -= 1 }
    let count = slot.list?.elements.count ?? 0
    try value.encode(to: TaskEncoder(self, slot, codingPath))
    if let failure { throw failure }
    if let list = slot.list, list.elements.count == count {
      throw LedgerError(.invalid, "the field \"\(slot.place)\" encodes nothing, expected a value")
    }
    if value is any KeysAndValues { try refuseList(at: slot) }
    if value is any UnorderedElements { sort(slot) }
  }

  private func note(_ time: LedgerTime, at slot: EncodingSlot) {
    if case .field(let name) = slot { times.append((name, time)) }
  }

  /// Puts a value at its place.
  func put(_ value: Value, at slot: EncodingSlot) throws(LedgerError) {
    switch slot {
    case .element(let list, _): list.elements.append(.value(value))
    case .field(""):
      throw LedgerError(
        .invalid, "a task is encoded as \(value.typeName), expected named fields",
        hint: "encode a struct")
    case .field("_id"): id = value
    case .field(let name): fields.append((name, .value(value)))
    }
  }

  /// Puts a null at its place.
  func putNull(at slot: EncodingSlot) throws(LedgerError) {
    switch slot {
    case .element(_, let place):
      throw LedgerError(
        .invalid, "the field \"\(place)\" is nil, expected a value: arrays hold none",
        hint: "leave it out of the array")
    case .field(""): throw LedgerError(.invalid, "a task is encoded as nil, expected named fields")
    case .field("_id"): break
    case .field(let name): fields.append((name, .unset))
    }
  }

  /// Notes a field that is nil and that its type leaves out.
  func skip(_ slot: EncodingSlot) {
    if case .field(let name) = slot, name != "_id" { skipped.append(name) }
  }

  /// Starts an array at a place.
  func list(at slot: EncodingSlot) -> EncodedList {
    let list = EncodedList(place: slot.place)
    switch slot {
    case .element(let outer, _): outer.elements.append(.list(list))
    case .field(let name) where name.isEmpty || name == "_id":
      let what = name.isEmpty ? "a task is encoded as" : "the field \"_id\" is"
      fail(
        LedgerError(
          .invalid, "\(what) an array, expected \(name.isEmpty ? "named fields" : "text")",
          hint: name.isEmpty ? "encode the elements one by one" : nil))
    case .field(let name): fields.append((name, .list(list)))
    }
    return list
  }

  /// Elements that come in another order each time are sorted, so that the same ones make the same value.
  private func sort(_ slot: EncodingSlot) {
    switch slot {
    case .field:
      if case .list(let list)? = fields.last?.content { list.sort() }
    case .element(let outer, _):
      if case .list(let list)? = outer.elements.last { list.sort() }
    }
  }

  /// Refuses a dictionary that encodes itself to a list, whose order is another in each process.
  private func refuseList(at slot: EncodingSlot) throws(LedgerError) {
    let isList =
      switch slot {
      case .field: if case .list? = fields.last?.content { true } else { false }
      case .element(let outer, _): if case .list? = outer.elements.last { true } else { false }
      }
    guard isList else { return }
    throw LedgerError(
      .invalid,
      "the field \"\(slot.place)\" is a dictionary whose keys are no names, expected text or integers as keys",
      hint: "let the keys be texts, or the type of the keys `CodingKeyRepresentable`")
  }

  /// All that was encoded.
  func finish() throws(LedgerError) -> EncodedTask {
    if let failure { throw failure }
    var changes: [FieldChange] = []
    for field in fields {
      let name = try FieldName(field.name)
      switch field.content {
      case .value(let value): changes.append(FieldChange(name, value))
      case .list(let list): changes.append(FieldChange(name, list.value))
      case .unset: changes.append(FieldChange(name, nil))
      }
    }
    var skippedNames: [FieldName] = []
    for name in skipped { skippedNames.append(try FieldName(name)) }
    var timesByName: [FieldName: LedgerTime] = [:]
    for (name, time) in times { timesByName[try FieldName(name)] = time }
    return EncodedTask(
      id: try checkedID(), changes: changes, skipped: skippedNames, times: timesByName)
  }

  private func checkedID() throws(LedgerError) -> TaskID? {
    guard let id else {
      guard !fields.contains(where: { $0.name == "id" }) else {
        throw LedgerError(
          .invalid, "a task is encoded with the field \"id\" and no \"_id\"",
          hint: "let the key of the id be \"_id\": `case id = \"_id\"` in its CodingKeys")
      }
      return nil
    }
    guard case .text(let text) = id else {
      throw LedgerError(.invalid, "the field \"_id\" is \(id.typeName), expected text")
    }
    return try TaskID(text)
  }
}

/// An array while it is encoded.
final class EncodedList {
  enum Element {
    case value(Value)
    case list(EncodedList)
  }

  let place: String
  var elements: [Element] = []

  init(place: String) { self.place = place }

  /// The place of the next element.
  var next: EncodingSlot { .element(self, place: "\(place)[\(elements.count)]") }

  var value: Value {
    .array(
      elements.map { element in
        switch element {
        case .value(let value): value
        case .list(let list): list.value
        }
      })
  }

  func sort() {
    guard case .array(let values) = value else { return }
    elements = values.map { (value: $0, text: $0.description) }
      .sorted { $0.text.bytesPrecede($1.text) }.map { .value($0.value) }
  }
}

/// Where a value goes.
enum EncodingSlot {
  /// A field by its dotted name; "" for the task itself.
  case field(String)
  /// The next element of an array.
  case element(EncodedList, place: String)

  /// As messages have it: `tags[2]`.
  var place: String {
    switch self {
    case .field(let name): name
    case .element(_, let place): place
    }
  }

  var list: EncodedList? { if case .element(let list, _) = self { list } else { nil } }

  /// The field below it.
  static func field(_ key: any CodingKey, below prefix: String) -> EncodingSlot {
    .field(prefix.isEmpty ? key.stringValue : "\(prefix).\(key.stringValue)")
  }
}

/// A collection whose elements come in another order in each process.
private protocol UnorderedElements {}
extension Set: UnorderedElements {}

/// A collection that is encoded to named fields, or, where its keys are no names, to a list in another order in each process.
private protocol KeysAndValues {}
extension Dictionary: KeysAndValues {}
