import LedgerCore

/// The first six bytes of packed keys, one after the other, without the rest of them: most often they say enough.
struct KeyLeads {
  /// The stream `keys` and the stream `tails` of a block of version 4 or later.
  private(set) var heads: ByteReader
  private(set) var tails: ByteReader
  /// Those of the key that was passed last.
  private(set) var lead: UInt64 = 0

  init(heads: ByteReader, tails: ByteReader) { (self.heads, self.tails) = (heads, tails) }

  /// Passes over keys up to one that is not packed, or none at all, or has first bytes that do not come before some.
  ///
  /// - Parameter count: no more are passed.
  /// - Returns: how many were.
  mutating func pass(below limit: UInt64, atMost count: Int) throws(LedgerError) -> Int {
    var passed = 0
    while passed < count, heads.remaining > 0, tails.remaining >= KeyParts.tailByteCount {
      let start = heads.position
      let head = try heads.varint()
      let next = lead &+ ((head >> 1) << 8 | UInt64(tails.bytes[tails.position]))
      guard head & 1 == 1, head >> 1 <= KeyParts.leadMax >> 8, next < limit else {
        heads.goBack(to: start)
        break
      }
      try tails.skip(KeyParts.tailByteCount)
      lead = next
      passed += 1
    }
    return passed
  }
}

extension KeyLeads {
  /// Those of a block as it is stored, of which nothing but the first stream is decompressed: what follows the first bytes of keys does
  /// not compress, and stands there as it is.
  ///
  /// Nil where the block is not made like that, as far as the index says what is in it; then the block has to be decompressed.
  init?(_ stored: [UInt8], of entry: BlockIndex.Entry, zstd: Zstd) {
    guard let first = entry.firstKey.id.uuid, let blocks = ZstdBlocks(stored) else { return nil }
    let expected = KeyParts(high: first.high, low: first.low).tail
    let tails = blocks.all.last { block in
      block.kind == .raw && block.content.count == KeyParts.tailByteCount * entry.taskCount
        && stored[block.content].starts(with: expected)
    }
    guard let tails, let start = try? zstd.decompressStart(of: blocks, atMost: entry.rawLength),
      let streams = try? BlockReader.streamRanges(
        start, .version4, blockLength: entry.rawLength),
      streams[BlockStream.keys.rawValue].upperBound <= start.count
    else { return nil }
    self.init(
      heads: ByteReader(start, streams[BlockStream.keys.rawValue]),
      tails: ByteReader(stored, tails.content))
  }

  /// Whether a key can be among those of a block; false only where none has its first bytes.
  ///
  /// - Parameter count: how many keys there are.
  mutating func mayHold(_ wanted: PackedUUID, among count: Int) throws(LedgerError) -> Bool {
    let lead = wanted.high >> 16
    let lower = try pass(below: lead, atMost: count)
    guard lower < count, try pass(below: lead + 1, atMost: 1) == 0 else { return lower < count }
    // What is no packed key is looked at by whoever reads it.
    return try pass(below: KeyParts.leadMax + 1, atMost: 1) == 0
  }
}
