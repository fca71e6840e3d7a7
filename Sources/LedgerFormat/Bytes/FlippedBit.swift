/// Bytes of which a checksum or the like tells whether they are as they were written.
enum FlippedBit {
  /// So many bytes are looked at in search of a bit at most.
  private static let workBytesMax = 1 << 32

  /// The bytes as they are, or with the one bit put right that makes them so; nil where neither is right, or they are too many.
  static func mended(_ bytes: [UInt8], isRight: ([UInt8]) -> Bool) -> [UInt8]? {
    if isRight(bytes) { return bytes }
    guard bytes.count * bytes.count * 8 <= workBytesMax else { return nil }
    var bytes = bytes
    for place in bytes.indices {
      for bit in 0..<8 {
        bytes[place] ^= 1 << bit
        if isRight(bytes) { return bytes }
        bytes[place] ^= 1 << bit
      }
    }
    return nil
  }
}
