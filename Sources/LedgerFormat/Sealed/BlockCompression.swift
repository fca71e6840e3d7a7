import LedgerCore

extension Zstd {
  /// Shorter streams are compressed together with others: statistics of their own would take more than they save.
  private static let streamBytesMin = 1000

  /// One zstd frame with a block, of which each stream has statistics of its own.
  ///
  /// Streams hold unlike things: ids and times that hardly compress, small numbers, texts. Taken together at a fast level they take
  /// a twelfth more bytes and longer to read.
  package func compressBlock(
    _ raw: [UInt8], layout: BlockLayout = .version4, level: Int32
  ) throws(LedgerError) -> [UInt8] {
    try compress(raw, parts: Self.parts(of: raw, layout), level: level)
  }

  private static func parts(
    of raw: [UInt8], _ layout: BlockLayout
  ) throws(LedgerError) -> [Int] {
    let streams = try BlockReader.streamRanges(raw, layout)
    var parts: [Int] = []
    // What goes with the next stream that is long enough, or stands alone behind the last one.
    var open = streams[0].lowerBound
    for stream in streams {
      guard stream.count >= streamBytesMin else {
        open += stream.count
        continue
      }
      if !parts.isEmpty, open > 0 {
        parts.append(open)
        open = 0
      }
      parts.append(open + stream.count)
      open = 0
    }
    if open > 0 { parts.append(open) }
    return parts
  }
}
