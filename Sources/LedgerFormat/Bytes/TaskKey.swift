import LedgerCore

/// A task id as files hold it: a UUID in lower case as sixteen bytes, anything else as text.
///
/// Packed ids sort among each other as their texts do; against others they are compared as text.
package struct TaskKey: Hashable, Sendable {
  package let id: TaskID

  package init(_ id: TaskID) { self.id = id }

  package var isPacked: Bool { id.uuid != nil }

  /// The sixteen bytes of a UUID, or the UTF-8 of any other id.
  package var stored: [UInt8] {
    guard let uuid = id.uuid else { return Array(id.text.utf8) }
    return withUnsafeBytes(of: (uuid.high.bigEndian, uuid.low.bigEndian)) { Array($0) }
  }

  /// 2 × length + 1 for packed, then the bytes.
  package func append(to bytes: inout [UInt8]) {
    if let uuid = id.uuid {
      bytes.append(UInt8(PackedUUID.byteCount) << 1 | 1)
      bytes.append(uuid: uuid)
    } else {
      id.withBytes { text in
        bytes.append(varint: UInt64(text.count) << 1)
        bytes.append(contentsOf: text)
      }
    }
  }

  package init(_ reader: inout ByteReader) throws(LedgerError) {
    let head = try reader.varint()
    if head == UInt64(PackedUUID.byteCount) << 1 | 1 {
      let high = try reader.u64().byteSwapped
      id = TaskID(PackedUUID(high: high, low: try reader.u64().byteSwapped))
      return
    }
    guard head >> 1 <= UInt64(Limits.idBytesMax) else {
      throw reader.fail("a task id has \(head >> 1) bytes")
    }
    let slice = try reader.take(Int(head >> 1))
    guard let key = TaskKey(stored: slice, isPacked: head & 1 == 1) else {
      throw reader.fail("a task id is malformed")
    }
    self = key
  }

  /// A key by its bytes; nil when they are none.
  init?(stored: some Collection<UInt8>, isPacked: Bool) {
    guard let id = Self.id(stored, isPacked: isPacked) else { return nil }
    self.id = id
  }

  /// The id of stored bytes; nil when they are none.
  package static func id(_ stored: some Collection<UInt8>, isPacked: Bool) -> TaskID? {
    if isPacked { return Self.uuid(stored).map(TaskID.init) }
    guard let text = String(validating: stored, as: UTF8.self), let id = try? TaskID(text),
      id.uuid == nil
    else { return nil }
    return id
  }

  /// The UTF-8 of the id of stored bytes that were checked before.
  static func text(_ stored: some Collection<UInt8>, isPacked: Bool) -> [UInt8] {
    guard isPacked, let uuid = uuid(stored) else { return Array(stored) }
    return uuid.withTextBytes { Array($0) }
  }

  private static func uuid(_ stored: some Collection<UInt8>) -> PackedUUID? {
    stored.withContiguousStorageIfAvailable { PackedUUID(bytes: UnsafeRawBufferPointer($0)) }
      ?? Array(stored).withUnsafeBytes { PackedUUID(bytes: $0) }
  }
}

extension [UInt8] {
  /// The length of an id's text as a variable-length integer, then its UTF-8 bytes.
  mutating func append(idText id: TaskID) {
    guard let uuid = id.uuid else { return append(text: id.text) }
    append(varint: UInt64(PackedUUID.textByteCount))
    uuid.appendText(to: &self)
  }
}
