import LedgerCore

/// The key of a task as it stands in a block, where it shares its beginning with the one before it.
///
/// Who looks for a task passes over many: no id is made of a key before it is the one that is wanted.
struct KeyBytes {
  private(set) var stored: [UInt8] = []
  private(set) var isPacked = false

  init() {}

  init(_ key: TaskKey) {
    stored = key.stored
    isPacked = key.isPacked
  }

  /// Takes the next key of a stream. Whether it is one is not checked.
  mutating func readNext(_ keys: inout ByteReader) throws(LedgerError) {
    let head = try keys.varint()
    let shared = Int(try keys.u8())
    let isPacked = head & 1 == 1
    guard head >> 1 <= UInt64(Limits.idBytesMax), shared <= Int(head >> 1) else {
      throw keys.fail("a task id has \(head >> 1) bytes")
    }
    guard shared == 0 || (shared <= stored.count && isPacked == self.isPacked) else {
      throw keys.fail("a task id shares \(shared) bytes with one that has them not")
    }
    stored.removeSubrange(shared...)
    stored.append(contentsOf: try keys.take(Int(head >> 1) - shared))
    self.isPacked = isPacked
  }

  /// The key; nil where the bytes are none.
  var key: TaskKey? { TaskKey(stored: stored, isPacked: isPacked) }

  /// Whether its id comes before that of another, by the bytes of their texts.
  func precedes(_ other: KeyBytes) -> Bool {
    if isPacked == other.isPacked { return stored.precedes(other.stored) }
    return TaskKey.text(stored, isPacked: isPacked)
      .precedes(TaskKey.text(other.stored, isPacked: other.isPacked))
  }

  func isSame(as other: KeyBytes) -> Bool {
    isPacked == other.isPacked && stored == other.stored
  }
}

extension [UInt8] {
  fileprivate func precedes(_ other: [UInt8]) -> Bool {
    let common = Swift.min(count, other.count)
    var index = 0
    while index < common, self[index] == other[index] { index += 1 }
    return index < common ? self[index] < other[index] : count < other.count
  }
}

/// Finds tasks among the keys of a block, of which nothing else is read.
struct BlockKeys {
  private var keys: ByteReader
  private var left: Int
  private var current = KeyBytes()

  /// - Parameter taskCount: how many keys there are.
  init(_ keys: ByteReader, taskCount: Int) {
    self.keys = keys
    left = taskCount
  }

  /// How many tasks come before one; nil where it is not there.
  mutating func place(of task: TaskID) throws(LedgerError) -> Int? {
    let wanted = KeyBytes(TaskKey(task))
    var place = 0
    while left > 0 {
      left -= 1
      try current.readNext(&keys)
      if !current.precedes(wanted) { return current.isSame(as: wanted) ? place : nil }
      place += 1
    }
    return nil
  }
}
