/// The blocks of a zstd frame (RFC 8878, section 3.1.1), so that a part of what it holds can be had without the rest: the first ones,
/// which need none before them, and those that were not compressed.
///
/// It is a shortcut only: of a frame that is not as ours are there is none, and whoever wants to know goes the whole way.
struct ZstdBlocks {
  enum Kind: UInt32 { case raw, repeated, compressed }

  struct Block {
    let kind: Kind
    /// Where its contents stand in the frame.
    let content: Range<Int>
  }

  private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
  private static let headBytes = 3

  let frame: [UInt8]
  private(set) var all: [Block] = []

  /// Nil for a frame with a dictionary or a checksum, and for what is no frame.
  init?(_ frame: [UInt8]) {
    self.frame = frame
    guard frame.count > 5, frame.starts(with: Self.magic), frame[4] & 0b1_1111 == 0 else {
      return nil
    }
    let isSingle = frame[4] >> 5 & 1 == 1
    let sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][Int(frame[4] >> 6)]
    var position = 5 + (isSingle ? 0 : 1) + sizeBytes
    var isLast = false
    while !isLast {
      guard position <= frame.count - Self.headBytes else { return nil }
      let head =
        UInt32(frame[position]) | UInt32(frame[position + 1]) << 8
        | UInt32(frame[position + 2]) << 16
      isLast = head & 1 == 1
      position += Self.headBytes
      guard let kind = Kind(rawValue: head >> 1 & 3) else { return nil }
      let count = kind == .repeated ? 1 : Int(head >> 3)
      guard count <= frame.count - position else { return nil }
      all.append(Block(kind: kind, content: position..<position + count))
      position += count
    }
    guard position == frame.count else { return nil }
  }

  /// A frame with nothing but the first block.
  var first: [UInt8] {
    let head = all[0].content.lowerBound - Self.headBytes
    // No dictionary, no checksum, no length; a window in which every block has room.
    var bytes = Self.magic + [0, 0x70, frame[head] | 1]
    bytes.append(contentsOf: frame[head + 1..<all[0].content.upperBound])
    return bytes
  }
}
