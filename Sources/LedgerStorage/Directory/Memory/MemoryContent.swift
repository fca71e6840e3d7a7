#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bytes of a file in a ``MemoryDirectory``: as every open handle sees them, and as a power cut leaves them.
///
/// - `durable` changes in ``sync()`` only, and there only in the ranges that are dirty.
/// - A failed sync (``losePages()``) leaves the visible bytes as they are and forgets that they are dirty: a later
///   sync makes durable only what was written again.
/// - The length, too, is made durable by the next sync when it was set by ``truncate(to:)`` since the last one; a
///   write makes durable that the file reaches at least to its end.
struct MemoryContent: Sendable {
  /// A file in memory of more than this is a mistake of the caller: EFBIG, as of a real file system.
  static let bytesMax = 1 << 32
  /// So many states of a sector are remembered; it is the oldest that are forgotten.
  private static let passingMax = 3

  private(set) var visible: [UInt8]
  private(set) var durable: [UInt8]
  private var dirty = DirtyRanges()
  /// What dirty sectors of 512 bytes held between the last sync and now, by their number: a disk may have got as far as that.
  private var passing: [Int: [[UInt8]]] = [:]
  private var isLengthDirty = false
  /// How often it was changed: a clock of its own.
  private(set) var changes: Int64

  /// A file that holds the bytes, durably.
  init(_ bytes: [UInt8] = [], changes: Int64 = 0) {
    visible = bytes
    durable = bytes
    self.changes = changes
  }

  func read(at offset: UInt64, count: Int) throws(Errno) -> [UInt8] {
    guard let start = Int(exactly: offset), start <= Int.max - count else { throw Errno(EINVAL) }
    if start >= visible.count { return [] }
    return Array(visible[start..<min(start + count, visible.count)])
  }

  mutating func write(_ bytes: [UInt8], at offset: UInt64) throws(Errno) {
    if bytes.isEmpty { return }
    guard offset <= UInt64(Self.bytesMax - bytes.count) else { throw Errno(EFBIG) }
    let range = Int(offset)..<Int(offset) + bytes.count
    changes += 1
    remember(range)
    if range.upperBound > visible.count { extend(to: range.upperBound) }
    visible.replaceSubrange(range, with: bytes)
    dirty.insert(range)
  }

  mutating func truncate(to size: UInt64) throws(Errno) {
    guard size <= UInt64(Self.bytesMax) else { throw Errno(EFBIG) }
    changes += 1
    let size = Int(size)
    if size < visible.count {
      remember(size..<visible.count)
      visible.removeLast(visible.count - size)
      dirty.cut(at: size)
    } else {
      extend(to: size)
    }
    isLengthDirty = true
  }

  /// The zeros are dirty: where the file was cut before, older bytes may still be durable.
  private mutating func extend(to size: Int) {
    dirty.insert(visible.count..<size)
    visible.resize(to: size)
  }

  mutating func sync() {
    if isLengthDirty { durable.resize(to: visible.count) }
    for range in dirty.ranges { copyToDurable(range) }
    losePages()
  }

  /// What a failed sync may do: the pages count as clean, without having reached the disk.
  mutating func losePages() {
    dirty.removeAll()
    passing.removeAll()
    isLengthDirty = false
  }

  /// Becomes what a power cut leaves: what is durable, and by the toss of a coin for each dirty sector and for the length, what
  /// came after that.
  mutating func cutPower(_ coin: inout Coin?) {
    if coin != nil {
      if isLengthDirty && coin?.toss() == true { durable.resize(to: visible.count) }
      // A sector is one, however many pieces of it were written.
      var sides: [Int: Int] = [:]
      for sector in dirty.ranges.flatMap(\.sectors) {
        let number = sector.lowerBound / 512
        let states = passing[number] ?? []
        let side = sides[number] ?? coin?.toss(states.count + 2) ?? 0
        sides[number] = side
        tear(sector, states, side)
      }
    }
    self = MemoryContent(durable)
  }

  private mutating func tear(_ range: Range<Int>, _ states: [[UInt8]], _ side: Int) {
    switch side {
    case 0: return
    case 1: copyToDurable(range)
    default:
      // The state may be shorter: the file ended in the sector then.
      let bytes = states[side - 2].dropFirst(range.lowerBound % 512).prefix(range.count)
      let end = range.lowerBound + bytes.count
      if bytes.isEmpty { return }
      if durable.count < end { durable.resize(to: end) }
      durable.replaceSubrange(range.lowerBound..<end, with: bytes)
    }
  }

  /// Keeps what the dirty sectors in a range hold before they change again.
  private mutating func remember(_ range: Range<Int>) {
    guard !dirty.isEmpty, !range.isEmpty else { return }
    for sector in range.sectors where dirty.overlaps(sector) {
      let number = sector.lowerBound / 512
      let bytes = visible[min(number * 512, visible.count)..<min(number * 512 + 512, visible.count)]
      passing[number, default: []].append(Array(bytes))
      passing[number] = passing[number]?.suffix(Self.passingMax)
    }
  }

  private mutating func copyToDurable(_ range: Range<Int>) {
    if durable.count < range.upperBound { durable.resize(to: range.upperBound) }
    durable.replaceSubrange(range, with: visible[range])
  }
}

extension [UInt8] {
  fileprivate mutating func resize(to size: Int) {
    if size < count {
      removeLast(count - size)
    } else {
      append(contentsOf: Self.zeros(size - count))
    }
  }

  /// By memset, because a program that is built for debugging would write a megabyte of zeros one by one.
  private static func zeros(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      if let start = buffer.baseAddress { memset(start, 0, count) }
      initialized = count
    }
  }
}

extension Range<Int> {
  /// The range in pieces that end where sectors of 512 bytes end: a disk writes each of them whole or not at all.
  fileprivate var sectors: [Range<Int>] {
    stride(from: lowerBound / 512 * 512, to: upperBound, by: 512).map {
      Swift.max($0, lowerBound)..<Swift.min($0 + 512, upperBound)
    }
  }
}
