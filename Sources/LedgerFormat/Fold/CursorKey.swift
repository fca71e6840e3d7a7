import LedgerCore

/// The task that a cursor stands at, in the form in which it is stored.
struct CursorKey {
  private(set) var stored: [UInt8] = []
  private(set) var isPacked = false
  /// The first eight bytes, most significant first: enough to tell most keys apart.
  private var prefix: UInt64 = 0

  init() {}

  init(_ key: TaskKey) {
    stored = key.stored
    isPacked = key.isPacked
    prefix = Self.prefix(of: stored)
  }

  private static func prefix(of stored: [UInt8]) -> UInt64 {
    var prefix: UInt64 = 0
    for index in 0..<8 {
      prefix = prefix << 8 | (index < stored.count ? UInt64(stored[index]) : 0)
    }
    return prefix
  }

  mutating func forget() {
    stored.removeAll(keepingCapacity: true)
    isPacked = false
  }

  /// Takes the next key; false when it cannot be one or does not come after this one.
  mutating func replace(
    keeping shared: Int, with rest: UnsafeBufferPointer<UInt8>, isPacked: Bool
  ) -> Bool {
    guard shared == 0 || (shared <= stored.count && isPacked == self.isPacked) else { return false }
    guard stored.isEmpty || ascends(keeping: shared, with: rest, isPacked: isPacked) else {
      return false
    }
    stored.removeSubrange(shared...)
    stored.append(contentsOf: rest)
    self.isPacked = isPacked
    guard isPacked ? stored.count == 16 : isText else { return false }
    prefix = Self.prefix(of: stored)
    return true
  }

  /// Whether the key that shares the first bytes with this one comes after it.
  private func ascends(
    keeping shared: Int, with rest: UnsafeBufferPointer<UInt8>, isPacked: Bool
  ) -> Bool {
    guard isPacked == self.isPacked else {
      return Self.text(stored, self.isPacked).lexicographicallyPrecedes(Self.text(rest, isPacked))
    }
    let common = min(stored.count - shared, rest.count)
    for index in 0..<common where stored[shared + index] != rest[index] {
      return stored[shared + index] < rest[index]
    }
    return common < rest.count
  }

  /// Whether bytes that are not packed are an id. Most are printable ASCII and not as long as a UUID.
  private var isText: Bool {
    if !stored.isEmpty, stored.count != 36, stored.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) {
      return true
    }
    return id != nil
  }

  private static func text(_ stored: some Collection<UInt8>, _ isPacked: Bool) -> [UInt8] {
    TaskKey.text(stored, isPacked: isPacked)
  }

  func isSame(as key: TaskKey) -> Bool { isPacked == key.isPacked && stored == key.stored }

  func precedes(_ key: TaskKey) -> Bool {
    key.id.withBytes { Self.text(stored, isPacked).lexicographicallyPrecedes($0) }
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
    return Self.text(stored, isPacked)
      .lexicographicallyPrecedes(Self.text(other.stored, other.isPacked))
  }

  /// The id; nil when the bytes are none.
  var id: TaskID? { TaskKey.id(stored, isPacked: isPacked) }
}
