import LedgerCore

/// Reads a row of a `FoldedState`; rows are written by this process from checked values.
struct RowReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  mutating func varint() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let next = byte()
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 { break }
      shift += 7
    }
    return value
  }

  mutating func zigzag() -> Int64 {
    let value = varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
    let end = min(bytes.count, position + max(0, count))
    defer { position = end }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<end])
  }

  /// The stored bytes of the key and whether they are packed.
  mutating func key() -> (stored: UnsafeRawBufferPointer, isPacked: Bool) {
    let head = varint()
    return (take(Int(head >> 1)), head & 1 == 1)
  }

  mutating func id() -> TaskID {
    let (stored, isPacked) = key()
    if isPacked, let uuid = PackedUUID(bytes: stored) { return TaskID(uuid) }
    return TaskID(unchecked: String(decoding: stored, as: UTF8.self))
  }

  mutating func double() -> Double {
    var bits: UInt64 = 0
    for index in 0..<8 { bits |= UInt64(byte()) << UInt64(8 * index) }
    return Double(bitPattern: bits)
  }

  mutating func text() -> UnsafeRawBufferPointer { take(Int(varint())) }

  /// A value with its tag; nil is an unset.
  mutating func value() -> Value? {
    switch byte() {
    case ValueTag.no: return .bool(false)
    case ValueTag.yes: return .bool(true)
    case ValueTag.int: return .int(zigzag())
    case ValueTag.double: return .double(double())
    case ValueTag.text: return .text(String(decoding: text(), as: UTF8.self))
    case ValueTag.date: return .text(DateText.text(zigzag()) ?? "")
    case ValueTag.array:
      var values: [Value] = []
      for _ in 0..<varint() { if let value = value() { values.append(value) } }
      return .array(values)
    default: return nil
    }
  }
}
