import LedgerCore

/// The task that a cursor stands at, in the form in which it is stored.
struct CursorKey {
  private(set) var stored: [UInt8] = []
  private(set) var isPacked = false
  /// The first eight bytes, most significant first: enough to tell most keys apart.
  private var prefix: UInt64 = 0

  mutating func forget() {
    stored.removeAll(keepingCapacity: true)
    isPacked = false
  }

  /// Takes the next key; false when it cannot be one.
  mutating func replace(
    keeping shared: Int, with rest: UnsafeBufferPointer<UInt8>, isPacked: Bool
  ) -> Bool {
    guard shared == 0 || (shared <= stored.count && isPacked == self.isPacked) else { return false }
    stored.removeSubrange(shared...)
    stored.append(contentsOf: rest)
    self.isPacked = isPacked
    guard isPacked ? stored.count == 16 : !stored.isEmpty else { return false }
    prefix = 0
    for index in 0..<8 {
      prefix = prefix << 8 | (index < stored.count ? UInt64(stored[index]) : 0)
    }
    return true
  }

  func isSame(as other: CursorKey) -> Bool {
    isPacked == other.isPacked && prefix == other.prefix && stored == other.stored
  }

  /// The order of the ids' texts.
  func precedes(_ other: CursorKey) -> Bool {
    if isPacked == other.isPacked {
      if prefix != other.prefix { return prefix < other.prefix }
      return stored.lexicographicallyPrecedes(other.stored)
    }
    let left = isPacked ? TaskKey.unpack(stored) : stored
    let right = other.isPacked ? TaskKey.unpack(other.stored) : other.stored
    return left.lexicographicallyPrecedes(right)
  }

  /// The id; nil when the bytes are none.
  var id: TaskID? { TaskKey.text(stored, isPacked: isPacked) }
}
