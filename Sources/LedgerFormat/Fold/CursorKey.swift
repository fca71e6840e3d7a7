import LedgerCore

/// The task that a cursor stands at, in the form in which it is stored.
///
/// Invariants:
/// - `high` and `low` are its first sixteen bytes, most significant first, missing ones as zeros: no id holds such bytes, so the numbers
///   sort as the bytes do;
/// - `text` are all bytes of an id that is not packed, else empty: a packed key, which most are, has no memory of its own.
struct CursorKey {
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  private var text: [UInt8] = []
  private(set) var isPacked = false

  init() {}

  init(_ key: TaskKey) {
    if let uuid = key.id.uuid {
      (high, low, isPacked) = (uuid.high, uuid.low, true)
    } else {
      text = key.stored
      noteText()
    }
  }

  /// Whether there is none.
  private var isEmpty: Bool { !isPacked && text.isEmpty }

  /// How many bytes are stored.
  var count: Int { isPacked ? PackedUUID.byteCount : text.count }

  /// Enough to tell most keys of the same form apart.
  var prefix: UInt64 { high }

  mutating func forget() {
    text.removeAll(keepingCapacity: true)
    isPacked = false
  }

  /// Takes the next key; false when it cannot be one or does not come after this one.
  mutating func replace(
    keeping shared: Int, with rest: UnsafeBufferPointer<UInt8>, isPacked: Bool
  ) -> Bool {
    guard shared == 0 || (shared <= count && isPacked == self.isPacked) else { return false }
    guard isPacked, self.isPacked || isEmpty else {
      return replaceText(keeping: shared, with: rest, isPacked: isPacked)
    }
    guard shared + rest.count == PackedUUID.byteCount else { return false }
    let next = packed(keeping: shared, with: rest)
    guard isEmpty || (high, low) < next else { return false }
    (high, low) = next
    self.isPacked = true
    return true
  }

  /// Takes the next key, a packed one in parts; false when it cannot be one or does not come after this one.
  ///
  /// - Parameters:
  ///   - step: by how much its first six bytes exceed those of this key, without the lowest byte.
  ///   - tail: `KeyParts.tailByteCount` bytes.
  mutating func replace(
    step: UInt64, mark: UInt8, tail: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard tail.count == KeyParts.tailByteCount, step <= KeyParts.leadMax >> 8 else { return false }
    let before = isPacked ? high >> 16 : 0
    let lead = before + (step << 8 | UInt64(tail[0]))
    guard lead <= KeyParts.leadMax else { return false }
    let rest = UnsafeRawBufferPointer(tail).loadUnaligned(fromByteOffset: 2, as: UInt64.self)
    let next = KeyParts(lead: lead, mark: mark, mixed: tail[1], rest: UInt64(bigEndian: rest))
    if isPacked {
      guard (high, low) < (next.high, next.low) else { return false }
    } else if !isEmpty {
      let uuid = PackedUUID(high: next.high, low: next.low)
      guard precedes(CursorKey(TaskKey(TaskID(uuid)))) else { return false }
      text.removeAll(keepingCapacity: true)
    }
    (high, low, isPacked) = (next.high, next.low, true)
    return true
  }

  /// The first bytes of this key, then others.
  private func packed(
    keeping shared: Int, with rest: UnsafeBufferPointer<UInt8>
  ) -> (high: UInt64, low: UInt64) {
    var (upper, lower): (UInt64, UInt64) = (0, 0)
    for byte in rest {
      upper = upper << 8 | lower >> 56
      lower = lower << 8 | UInt64(byte)
    }
    // A shift by all bits or more leaves none.
    let replacedHigh = UInt64.max >> (8 * shared)
    let replacedLow = shared > 8 ? UInt64.max >> (8 * (shared - 8)) : .max
    return (high & ~replacedHigh | upper, low & ~replacedLow | lower)
  }

  private mutating func replaceText(
    keeping shared: Int, with rest: UnsafeBufferPointer<UInt8>, isPacked: Bool
  ) -> Bool {
    if isPacked {
      // After a text: it shares nothing.
      guard let uuid = PackedUUID(bytes: UnsafeRawBufferPointer(rest)) else { return false }
      let next = CursorKey(TaskKey(TaskID(uuid)))
      guard precedes(next) else { return false }
      self = next
      return true
    }
    if self.isPacked {
      let next = Array(rest)
      guard shown.lexicographicallyPrecedes(next) else { return false }
      text = next
    } else {
      guard text.isEmpty || ascends(keeping: shared, with: rest) else { return false }
      text.removeSubrange(shared...)
      text.append(contentsOf: rest)
    }
    self.isPacked = false
    noteText()
    return isText
  }

  private mutating func noteText() {
    (high, low) = (0, 0)
    for index in 0..<8 {
      high = high << 8 | (index < text.count ? UInt64(text[index]) : 0)
      low = low << 8 | (index + 8 < text.count ? UInt64(text[index + 8]) : 0)
    }
  }

  /// Whether the text that shares the first bytes with this one comes after it.
  private func ascends(keeping shared: Int, with rest: UnsafeBufferPointer<UInt8>) -> Bool {
    let common = min(text.count - shared, rest.count)
    for index in 0..<common where text[shared + index] != rest[index] {
      return text[shared + index] < rest[index]
    }
    return common < rest.count
  }

  /// Whether the text is an id. Most are printable ASCII and not as long as a UUID.
  private var isText: Bool {
    if !text.isEmpty, text.count != PackedUUID.textByteCount,
      text.allSatisfy({ $0 >= 0x20 && $0 < 0x7f })
    {
      return true
    }
    return id != nil
  }

  /// The bytes of the id's text.
  private var shown: [UInt8] {
    isPacked ? PackedUUID(high: high, low: low).withTextBytes { Array($0) } : text
  }

  /// Calls `body` with the bytes that are stored.
  @inline(__always)
  func withStored(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard isPacked else { return text.withUnsafeBufferPointer(body) }
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
      bytes.withMemoryRebound(to: UInt8.self, body)
    }
  }

  func isSame(as key: TaskKey) -> Bool { isSame(as: CursorKey(key)) }

  func precedes(_ key: TaskKey) -> Bool { precedes(CursorKey(key)) }

  func isSame(as other: CursorKey) -> Bool {
    isPacked == other.isPacked && high == other.high && low == other.low
      && (isPacked || text == other.text)
  }

  /// The order of the ids' texts.
  func precedes(_ other: CursorKey) -> Bool {
    guard isPacked == other.isPacked else {
      return shown.lexicographicallyPrecedes(other.shown)
    }
    if high != other.high { return high < other.high }
    if low != other.low { return low < other.low }
    return !isPacked && text.lexicographicallyPrecedes(other.text)
  }

  /// The id; nil when the bytes are none.
  var id: TaskID? {
    isPacked
      ? TaskID(PackedUUID(high: high, low: low)) : TaskKey.id(text, isPacked: false)
  }
}
