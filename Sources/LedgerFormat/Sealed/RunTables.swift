import LedgerCore

/// What the events of one run have in common, each written once: everything that a block refers to by number.
package struct RunTables: Sendable {
  /// What an event looks like: its kind, and for each change the field and the type of the value.
  package struct Shape: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
      package var field: UInt32
      package var tag: UInt8
    }
    package var kind: EventKind
    package var parts: [Part]
  }

  /// Who made an event where, and which of its optional parts are there.
  package struct Context: Hashable, Sendable {
    package var author: UInt32
    package var replica: UInt32
    package var flags: UInt8
  }

  /// A replica, and by how much its count exceeds the sequence number of its first event here.
  package struct Replica: Hashable, Sendable {
    package var id: ReplicaID
    package var bias: Int64
  }

  package var authors: [String] = []
  package var replicas: [Replica] = []
  package var messages: [String] = []
  package var fields: [FieldName] = []
  package var values = InternedValues([])
  package var shapes: [Shape] = []
  /// What a reader passes over for an event of each shape; of tables that were read.
  package private(set) var shapeValues: [ShapeValues] = []
  package var contexts: [Context] = []

  package init() {}
}

/// The optional parts of an event in a block, flagged by its context; those with a part in the stream `details`
/// stand there in this order.
package enum ContextFlag {
  /// details: length and text of the message.
  package static let message: UInt8 = 1
  /// details: number of the message in the table.
  package static let internedMessage: UInt8 = 2
  /// details: by how much the sequence number exceeds the transaction's.
  package static let follows: UInt8 = 4
  /// It is the last of its transaction.
  package static let ends: UInt8 = 8
  /// The transaction was recorded at another time than the event's: the section `clocks` has it.
  package static let recorded: UInt8 = 16
  /// details: zigzag difference of the count to sequence + bias.
  package static let count: UInt8 = 32
  /// details: the sequence number of the event that this one undoes.
  package static let undoes: UInt8 = 64
  package static let all: UInt8 = 127
  /// Those with a part in the stream `details`.
  static let inDetails = message | internedMessage | follows | count | undoes
}

extension RunTables {
  /// - Throws: `damaged` where the values were read and are none.
  package func encoded() throws(LedgerError) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(texts: [String]) {
      bytes.append(varint: UInt64(texts.count))
      for text in texts { bytes.append(text: text) }
    }
    append(texts: authors)
    bytes.append(varint: UInt64(replicas.count))
    for replica in replicas {
      bytes.append(replica: replica.id)
      bytes.append(zigzag: replica.bias)
    }
    append(texts: messages)
    append(texts: fields.map(\.text))
    bytes.append(varint: UInt64(values.count))
    for value in try values.all() { bytes.append(value: value) }
    bytes.append(varint: UInt64(shapes.count))
    for shape in shapes {
      bytes.append(shape.kind.rawValue)
      bytes.append(varint: UInt64(shape.parts.count))
      for part in shape.parts {
        bytes.append(varint: UInt64(part.field))
        bytes.append(part.tag)
      }
    }
    bytes.append(varint: UInt64(contexts.count))
    for context in contexts {
      bytes.append(varint: UInt64(context.author))
      bytes.append(varint: UInt64(context.replica))
      bytes.append(context.flags)
    }
    return bytes
  }

  /// Reads the tables of a run of `eventCount` events. Of what one event names once there cannot be more than events, and
  /// fields and values are there once each: no few bytes ask for much memory.
  package init(_ bytes: [UInt8], eventCount: Int) throws(LedgerError) {
    var reader = ByteReader(bytes)
    authors = try Self.texts(&reader, most: eventCount)
    for _ in 0..<(try Self.count(&reader, bytesEach: 17, most: eventCount)) {
      replicas.append(Replica(id: try reader.replica(), bias: try reader.zigzag()))
    }
    messages = try Self.texts(&reader, most: eventCount)
    fields = try Self.readFields(&reader)
    values = try InternedValues(&reader)
    for _ in 0..<(try Self.count(&reader, bytesEach: 2, most: eventCount)) {
      shapes.append(try readShape(&reader))
    }
    shapeValues = shapes.map(ShapeValues.init)
    for _ in 0..<(try Self.count(&reader, bytesEach: 3, most: eventCount)) {
      contexts.append(try readContext(&reader))
    }
    try reader.expectEnd()
  }

  private static func count(
    _ reader: inout ByteReader, bytesEach: Int, most: Int
  ) throws(LedgerError) -> Int {
    let count = try reader.count(bytesEach: bytesEach)
    guard count <= most else { throw reader.fail("a table has \(count) rows for \(most) events") }
    return count
  }

  private static func texts(_ reader: inout ByteReader, most: Int) throws(LedgerError) -> [String] {
    var texts: [String] = []
    for _ in 0..<(try count(&reader, bytesEach: 1, most: most)) { texts.append(try reader.text()) }
    return texts
  }

  private static func readFields(_ reader: inout ByteReader) throws(LedgerError) -> [FieldName] {
    var fields: [FieldName] = []
    var known: Set<FieldName> = []
    for _ in 0..<(try reader.count(bytesEach: 2)) {
      let name: FieldName
      do { name = try FieldName(try reader.text()) } catch { throw reader.fail(error.sentence) }
      guard known.insert(name).inserted else { throw reader.fail("a field is there twice") }
      fields.append(name)
    }
    return fields
  }

  private func readShape(_ reader: inout ByteReader) throws(LedgerError) -> Shape {
    let number = try reader.u8()
    guard let kind = EventKind(rawValue: number) else {
      throw .unknownNumber(number, of: "an event has the kind")
    }
    var shape = Shape(kind: kind, parts: [])
    var last: FieldName?
    for _ in 0..<(try reader.count(bytesEach: 2)) {
      let field = try reader.varint()
      let tag = try reader.u8()
      guard field < UInt64(fields.count) else { throw reader.fail("a shape names no field") }
      guard tag <= ValueTag.date else { throw .unknownNumber(tag, of: "a value has the type") }
      let name = fields[Int(field)]
      if let problem = ChangeCheck.problem(kind, name, tag: tag, after: last) {
        throw reader.fail(problem)
      }
      last = name
      shape.parts.append(Shape.Part(field: UInt32(field), tag: tag))
    }
    let set = shape.parts.lazy.filter { $0.tag != ValueTag.unset }.map { fields[Int($0.field)] }
    if let problem = ChangeCheck.collision(ofSet: set) { throw reader.fail(problem) }
    return shape
  }

  private func readContext(_ reader: inout ByteReader) throws(LedgerError) -> Context {
    let author = try reader.varint()
    let replica = try reader.varint()
    let flags = try reader.u8()
    let bothMessages = ContextFlag.message | ContextFlag.internedMessage
    guard author < UInt64(authors.count), replica < UInt64(replicas.count),
      flags <= ContextFlag.all, flags & bothMessages != bothMessages
    else { throw reader.fail("a context names what is not there") }
    return Context(author: UInt32(author), replica: UInt32(replica), flags: flags)
  }
}
