/// An encoder that a value is given to encode itself into the fields of a task.
struct TaskEncoder: Encoder {
  private let encoding: TaskEncoding
  private let slot: EncodingSlot
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ encoding: TaskEncoding, _ slot: EncodingSlot, _ codingPath: [any CodingKey]) {
    self.encoding = encoding
    self.slot = slot
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(FieldEncodingContainer<Key>(encoding, slot, codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    ListEncodingContainer(encoding, encoding.list(at: slot), codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ValueEncodingContainer(encoding: encoding, slot: slot, codingPath: codingPath)
  }
}

/// Named fields: each goes under its dotted name.
struct FieldEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let encoding: TaskEncoding
  private let prefix: String
  let codingPath: [any CodingKey]

  init(_ encoding: TaskEncoding, _ slot: EncodingSlot, _ codingPath: [any CodingKey]) {
    self.encoding = encoding
    self.codingPath = codingPath
    prefix = slot.place
    if slot.list != nil {
      encoding.fail(
        LedgerError(
          .invalid,
          "the field \"\(prefix)\" is an object, expected a value: arrays hold no objects",
          hint: "give each a task of its own, or a dictionary in the place of the array"))
    } else if prefix == "_id" {
      encoding.fail(LedgerError(.invalid, "the field \"_id\" is an object, expected text"))
    }
  }

  private func slot(_ key: any CodingKey) -> EncodingSlot { .field(key, below: prefix) }

  private func put<T: Encodable>(_ value: T?, _ key: Key) throws {
    guard let value else { return encoding.skip(slot(key)) }
    try encoding.encode(value, at: slot(key), codingPath + [key])
  }

  func encodeNil(forKey key: Key) throws { try encoding.putNull(at: slot(key)) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try put(value, key) }

  // The standard library's own do not say which fields are nil.
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try put(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try put(value, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder(TextKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: any CodingKey) -> TaskEncoder {
    TaskEncoder(encoding, slot(key), codingPath + [key])
  }
}

/// The elements of an array.
struct ListEncodingContainer: UnkeyedEncodingContainer {
  private let encoding: TaskEncoding
  private let list: EncodedList
  let codingPath: [any CodingKey]
  var count: Int { list.elements.count }

  init(_ encoding: TaskEncoding, _ list: EncodedList, _ codingPath: [any CodingKey]) {
    self.encoding = encoding
    self.list = list
    self.codingPath = codingPath
  }

  func encodeNil() throws { try encoding.putNull(at: list.next) }

  func encode<T: Encodable>(_ value: T) throws {
    try encoding.encode(value, at: list.next, codingPath + [TextKey(count)])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    encoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder }

  private var encoder: TaskEncoder {
    TaskEncoder(encoding, list.next, codingPath + [TextKey(count)])
  }
}

/// A value by itself.
struct ValueEncodingContainer: SingleValueEncodingContainer {
  let encoding: TaskEncoding
  let slot: EncodingSlot
  let codingPath: [any CodingKey]

  func encodeNil() throws { try encoding.putNull(at: slot) }

  func encode<T: Encodable>(_ value: T) throws {
    try encoding.encode(value, at: slot, codingPath)
  }
}

/// A key that is any text, or the index of an element.
struct TextKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ text: String) { (stringValue, intValue) = (text, nil) }
  init(_ index: Int) { (stringValue, intValue) = ("\(index)", index) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(intValue) }
}
