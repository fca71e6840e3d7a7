/// Memory of one decompressed block.
final class BlockBuffer {
  let byteCount: Int
  let base: UnsafePointer<UInt8>
  private let memory: UnsafeMutablePointer<UInt8>

  init(byteCount: Int) {
    self.byteCount = byteCount
    memory = .allocate(capacity: max(1, byteCount))
    base = UnsafePointer(memory)
  }

  convenience init(_ bytes: [UInt8]) {
    self.init(byteCount: bytes.count)
    bytes.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { memory.update(from: start, count: source.count) }
    }
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
