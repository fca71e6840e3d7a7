import LedgerCore

/// The key of a task as it stands in a block, where it shares its beginning with the one before it.
///
/// Who looks for a task passes over many: no id is made of a key before it is the one that is wanted.
struct KeyBytes {
  /// Of a packed key its sixteen bytes, the most significant first.
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  /// Of any other its bytes; of a packed one of version 1 its own.
  private var stored: [UInt8] = []
  private(set) var isPacked = false

  init() {}

  /// A packed key of which nothing but the first six bytes is known: all that the next key goes on from.
  init(lead: UInt64) { (high, isPacked) = (lead << 16, true) }

  init(_ key: TaskKey) {
    if let uuid = key.id.uuid {
      (high, low, isPacked) = (uuid.high, uuid.low, true)
    } else {
      stored = key.stored
    }
  }

  /// Takes the next key of a block. Whether it is one is not checked.
  ///
  /// - Parameter streams: those of the block, in order.
  mutating func readNext(
    _ streams: inout [ByteReader], _ layout: BlockLayout
  ) throws(LedgerError) {
    let keys = BlockStream.keys.rawValue
    let head = try streams[keys].varint()
    if layout == .version4, head & 1 == 1 { return try readParts(&streams, step: head >> 1) }
    try readWhole(&streams[keys], length: head >> 1, isPacked: head & 1 == 1)
  }

  private mutating func readParts(
    _ streams: inout [ByteReader], step: UInt64
  ) throws(LedgerError) {
    let (marks, tails) = (BlockStream.marks.rawValue, BlockStream.tails.rawValue)
    let mark = try streams[marks].u8()
    let lowest = UInt64(try streams[tails].u8())
    let mixed = try streams[tails].u8()
    let rest = try streams[tails].u64().byteSwapped
    let before = isPacked ? high >> 16 : 0
    guard step <= KeyParts.leadMax >> 8, step << 8 | lowest <= KeyParts.leadMax - before else {
      throw streams[BlockStream.keys.rawValue].fail("a task id is too large")
    }
    let key = KeyParts(lead: before + (step << 8 | lowest), mark: mark, mixed: mixed, rest: rest)
    (high, low, isPacked) = (key.high, key.low, true)
  }

  private mutating func readWhole(
    _ keys: inout ByteReader, length: UInt64, isPacked: Bool
  ) throws(LedgerError) {
    let shared = Int(try keys.u8())
    guard length <= UInt64(Limits.idBytesMax), shared <= Int(length) else {
      throw keys.fail("a task id has \(length) bytes")
    }
    guard shared == 0 || (shared <= stored.count && isPacked == self.isPacked) else {
      throw keys.fail("a task id shares \(shared) bytes with one that has them not")
    }
    stored.removeSubrange(shared...)
    stored.append(contentsOf: try keys.take(Int(length) - shared))
    self.isPacked = isPacked
    guard isPacked else { return }
    guard let uuid = stored.withUnsafeBytes({ PackedUUID(bytes: $0) }) else {
      throw keys.fail("a packed task id has \(length) bytes")
    }
    (high, low) = (uuid.high, uuid.low)
  }

  /// The first six bytes of a packed key; nil of any other.
  var lead: UInt64? { isPacked ? high >> 16 : nil }

  /// The key; nil where the bytes are none.
  var key: TaskKey? {
    isPacked
      ? TaskKey(TaskID(PackedUUID(high: high, low: low)))
      : TaskKey(stored: stored, isPacked: false)
  }

  /// The bytes of the id's text.
  private var text: [UInt8] {
    isPacked ? PackedUUID(high: high, low: low).withTextBytes { Array($0) } : stored
  }

  /// Whether its id comes before that of another, by the bytes of their texts.
  func precedes(_ other: KeyBytes) -> Bool {
    guard isPacked, other.isPacked else { return text.precedes(other.text) }
    return (high, low) < (other.high, other.low)
  }

  func isSame(as other: KeyBytes) -> Bool {
    guard isPacked == other.isPacked else { return false }
    return isPacked ? (high, low) == (other.high, other.low) : stored == other.stored
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

/// Finds a task among the keys of a block, of which nothing else is read.
struct BlockKeys {
  /// Those of the block, in order; past the key that was found.
  private(set) var streams: [ByteReader]
  /// The key that was found.
  private(set) var current = KeyBytes()
  private let layout: BlockLayout
  private var left: Int

  /// - Parameter taskCount: how many keys there are.
  init(_ block: [UInt8], _ layout: BlockLayout, taskCount: Int) throws(LedgerError) {
    streams = []
    for range in try BlockReader.streamRanges(block, layout) {
      streams.append(ByteReader(block, range))
    }
    self.layout = layout
    left = taskCount
  }

  /// How many tasks come before one; nil where it is not there.
  mutating func place(of task: TaskID) throws(LedgerError) -> Int? {
    let wanted = KeyBytes(TaskKey(task))
    var place = layout == .version4 ? try passLower(than: wanted) : 0
    left -= place
    while left > 0 {
      left -= 1
      try current.readNext(&streams, layout)
      if !current.precedes(wanted) { return current.isSame(as: wanted) ? place : nil }
      place += 1
    }
    return nil
  }

  /// Passes over keys whose first six bytes say that they come before another: most do, and no more of them is looked at.
  ///
  /// - Returns: how many.
  private mutating func passLower(than wanted: KeyBytes) throws(LedgerError) -> Int {
    guard let wanted = wanted.lead else { return 0 }
    var leads = KeyLeads(
      heads: streams[BlockStream.keys.rawValue], tails: streams[BlockStream.tails.rawValue])
    let passed = try leads.pass(below: wanted, atMost: left)
    guard passed > 0 else { return 0 }
    streams[BlockStream.keys.rawValue] = leads.heads
    streams[BlockStream.tails.rawValue] = leads.tails
    try streams[BlockStream.marks.rawValue].skip(passed)
    current = KeyBytes(lead: leads.lead)
    return passed
  }
}
