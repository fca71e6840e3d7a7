/// A decoder that a value is given to decode itself from the fields of a task.
struct TaskDecoder: Decoder {
  private let part: DecodedPart
  var codingPath: [any CodingKey] { part.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ part: DecodedPart) { self.part = part }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    if case .value = part.content { throw part.mismatch("an object") }
    return KeyedDecodingContainer(FieldDecodingContainer<Key>(part: part))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .value(.array(let values)) = part.content else { throw part.mismatch("an array") }
    return ListDecodingContainer(part: part, values: values)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ValueDecodingContainer(part: part)
  }
}

/// The fields of a task, or those below one name.
struct FieldDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let part: DecodedPart
  var codingPath: [any CodingKey] { part.codingPath }
  var allKeys: [Key] { part.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { part.part(key).isThere }
  func decodeNil(forKey key: Key) throws -> Bool { !part.part(key).isThere }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try part.part(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try TaskDecoder(part.part(key)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try TaskDecoder(part.part(key)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { TaskDecoder(part.part(TextKey("super"))) }
  func superDecoder(forKey key: Key) throws -> any Decoder { TaskDecoder(part.part(key)) }
}

/// The elements of an array.
struct ListDecodingContainer: UnkeyedDecodingContainer {
  let part: DecodedPart
  let values: [Value]
  private(set) var currentIndex = 0

  init(part: DecodedPart, values: [Value]) {
    self.part = part
    self.values = values
  }

  var codingPath: [any CodingKey] { part.codingPath }
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try current().decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try TaskDecoder(current()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try TaskDecoder(current()).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = TaskDecoder(try current())
    currentIndex += 1
    return decoder
  }

  private func current() throws(LedgerError) -> DecodedPart {
    guard !isAtEnd else {
      throw LedgerError(
        .invalid, "the field \"\(part.place)\" has \(values.count) elements, expected more")
    }
    return part.element(values[currentIndex], currentIndex)
  }
}

/// A value by itself.
struct ValueDecodingContainer: SingleValueDecodingContainer {
  let part: DecodedPart
  var codingPath: [any CodingKey] { part.codingPath }

  func decodeNil() -> Bool { !part.isThere }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try part.decode(type) }
}
