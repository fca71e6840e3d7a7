import LedgerCore

/// Gives numbers to what the events of a run have in common.
struct RunInterner {
  private(set) var tables = RunTables()
  private var values: [Value: Int] = [:]
  private var messages: [ByteText: Int] = [:]
  private var authors: [ByteText: Int] = [:]
  private var replicas: [ReplicaID: Int] = [:]
  private var fields: [FieldName: Int] = [:]
  private var shapes = ShapeTree()
  private var contexts: [RunTables.Context: Int] = [:]
  /// Of the event that was asked for last.
  private var latestOrigin: (author: Int, replica: Int)?
  private var latestContext: Int?

  init(common: CommonValues) {
    tables.values = InternedValues(common.values)
    tables.messages = common.messages
    for (number, value) in common.values.enumerated() { values[value] = number }
    for (number, message) in common.messages.enumerated() { messages[ByteText(message)] = number }
  }

  /// The tags of the values of the event whose shape was asked for last, and the numbers of those that are interned.
  private(set) var found: [(tag: UInt8, number: Int)] = []

  /// The number of the event's shape.
  mutating func shape(of event: Event) -> Int {
    var node = shapes.root(of: event.kind)
    found.removeAll(keepingCapacity: true)
    for change in event.changes {
      let field = number(of: change.name)
      let value = lookUp(change.value)
      found.append(value)
      node = shapes.node(
        under: node, RunTables.Shape.Part(field: UInt32(field), tag: value.tag))
    }
    if let number = shapes.number(of: node) { return number }
    let number = tables.shapes.count
    tables.shapes.append(shapes.setNumber(number, of: node, kind: event.kind))
    return number
  }

  /// The few fields that most events name are found sooner by looking than by hashing.
  private mutating func number(of field: FieldName) -> Int {
    for number in 0..<min(tables.fields.count, Self.fieldsLookedThrough)
    where tables.fields[number] == field {
      return number
    }
    return Self.number(of: field, in: &fields, &tables.fields) { $0 }
  }

  private static let fieldsLookedThrough = 8

  private func lookUp(_ value: Value?) -> (tag: UInt8, number: Int) {
    let plain: UInt8
    switch value {
    case nil: return (ValueTag.unset, 0)
    case .bool(let flag): return (flag ? ValueTag.yes : ValueTag.no, 0)
    case .int: return (ValueTag.int, 0)
    case .double: return (ValueTag.double, 0)
    case .text(let text)?:
      if DateText.number(text) != nil { return (ValueTag.date, 0) }
      plain = ValueTag.text
    case .array?: plain = ValueTag.array
    }
    // What has no place in the tables need not be looked for: a long text takes a while to hash.
    guard let value, CommonValueCounter.weight(of: value) != nil, let number = values[value]
    else { return (plain, 0) }
    return (ValueTag.interned, number)
  }

  /// The number of the event's context, its flags, and the bias of its replica.
  mutating func context(of event: Event) -> (number: Int, flags: UInt8, bias: Int64) {
    let difference = Int64(bitPattern: event.stamp.count &- event.sequence)
    let (author, replica) = origin(of: event, difference)
    var flags: UInt8 = 0
    if let message = event.message {
      flags |=
        messages[ByteText(message)] == nil ? ContextFlag.message : ContextFlag.internedMessage
    }
    if event.transaction != event.sequence { flags |= ContextFlag.follows }
    if event.endsTransaction { flags |= ContextFlag.ends }
    if event.recorded != event.time { flags |= ContextFlag.recorded }
    let bias = tables.replicas[replica].bias
    if bias != difference { flags |= ContextFlag.count }
    if event.undoes != nil { flags |= ContextFlag.undoes }
    let context = RunTables.Context(
      author: UInt32(author), replica: UInt32(replica), flags: flags)
    if let latestContext, tables.contexts[latestContext] == context {
      return (latestContext, flags, bias)
    }
    let number = Self.number(of: context, in: &contexts, &tables.contexts) { $0 }
    latestContext = number
    return (number, flags, bias)
  }

  /// The numbers of the author and the replica: mostly those of the event before.
  private mutating func origin(of event: Event, _ difference: Int64) -> (author: Int, replica: Int)
  {
    if let latestOrigin, tables.replicas[latestOrigin.replica].id == event.stamp.replica,
      tables.authors[latestOrigin.author].hasSameBytes(as: event.author)
    {
      return latestOrigin
    }
    let replica = Self.number(of: event.stamp.replica, in: &replicas, &tables.replicas) {
      RunTables.Replica(id: $0, bias: difference)
    }
    let author = Self.number(of: ByteText(event.author), in: &authors, &tables.authors) {
      $0.text
    }
    latestOrigin = (author, replica)
    return (author, replica)
  }

  /// Adds what the flags say is there.
  func addDetails(of event: Event, flags: UInt8, bias: Int64, to block: inout BlockWriter) {
    guard flags & ~(ContextFlag.ends | ContextFlag.recorded) != 0 else { return }
    block.addDetails { bytes in
      if let message = event.message {
        if flags & ContextFlag.message != 0 {
          bytes.append(text: message)
        } else {
          bytes.append(varint: UInt64(messages[ByteText(message)] ?? 0))
        }
      }
      if flags & ContextFlag.follows != 0 {
        bytes.append(varint: event.sequence - event.transaction)
      }
      if flags & ContextFlag.count != 0 {
        bytes.append(
          zigzag: Int64(bitPattern: event.stamp.count &- event.sequence) &- bias)
      }
      if let undoes = event.undoes { bytes.append(varint: undoes) }
    }
  }

  private static func number<Key: Hashable, Row>(
    of key: Key, in numbers: inout [Key: Int], _ rows: inout [Row], row: (Key) -> Row
  ) -> Int {
    if let number = numbers[key] { return number }
    let number = rows.count
    numbers[key] = number
    rows.append(row(key))
    return number
  }
}
