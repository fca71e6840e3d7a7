import LedgerCore

/// Memory of one decompressed block, used again for the next: fresh memory costs about as much as filling it.
final class BlockBuffer {
  private(set) var byteCount: Int
  let base: UnsafePointer<UInt8>
  private let memory: UnsafeMutablePointer<UInt8>
  private let capacity: Int

  /// A little more than most blocks have, so that one that is a little longer than the last finds room.
  private static let step = 1 << 16

  init(byteCount: Int) {
    self.byteCount = byteCount
    capacity = (byteCount + Self.step) & ~(Self.step - 1)
    memory = .allocate(capacity: capacity)
    base = UnsafePointer(memory)
  }

  /// Whether so many bytes fit.
  func hasRoom(for count: Int) -> Bool { count <= capacity }

  /// Overwrites all of it.
  ///
  /// - Precondition: there is room for `count` bytes.
  /// - Parameter body: fills what it is given.
  func fill(
    _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    precondition(count <= capacity)
    byteCount = count
    try body(UnsafeMutableRawBufferPointer(start: memory, count: count))
  }

  /// The first bytes, at most `count` of them.
  func head(_ count: Int) -> [UInt8] {
    Array(UnsafeBufferPointer(start: base, count: min(count, byteCount)))
  }

  /// Copies bytes to a place that has room for them.
  ///
  /// - Precondition: they fit.
  func store(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> UnsafeBufferPointer<UInt8> {
    precondition(offset + bytes.count <= byteCount)
    if let start = bytes.baseAddress { (memory + offset).update(from: start, count: bytes.count) }
    return UnsafeBufferPointer(start: base + offset, count: bytes.count)
  }

  deinit { memory.deallocate() }
}
