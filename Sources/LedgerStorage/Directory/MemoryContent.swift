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

  private(set) var visible: [UInt8]
  private(set) var durable: [UInt8]
  private var dirty = DirtyRanges()
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
    if range.upperBound > visible.count { extend(to: range.upperBound) }
    visible.replaceSubrange(range, with: bytes)
    dirty.insert(range)
  }

  mutating func truncate(to size: UInt64) throws(Errno) {
    guard size <= UInt64(Self.bytesMax) else { throw Errno(EFBIG) }
    changes += 1
    let size = Int(size)
    if size < visible.count {
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
    isLengthDirty = false
  }

  /// Becomes what a power cut leaves: what is durable, and by the toss of a coin each dirty sector and the length.
  mutating func cutPower(keepsDirty: (() -> Bool)?) {
    if let keepsDirty {
      if isLengthDirty && keepsDirty() { durable.resize(to: visible.count) }
      for range in dirty.ranges {
        for sector in range.sectors where keepsDirty() { copyToDurable(sector) }
      }
    }
    self = MemoryContent(durable)
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
