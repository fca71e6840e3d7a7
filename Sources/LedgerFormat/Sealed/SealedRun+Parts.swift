import LedgerCore

/// Reading the parts of a run: each is checked before it is decompressed.
extension SealedRun {
  /// Loads a section and decodes it.
  static func read<Content>(
    _ section: RunFooter.Section, of source: any ByteSource, zstd: Zstd, _ name: String,
    _ decode: ([UInt8]) throws(LedgerError) -> Content
  ) throws(LedgerError) -> Content {
    let bytes = try load(
      source, "the section \(name)", at: section.offset, storedLength: Int(section.storedLength),
      rawLength: Int(section.rawLength), checksum: section.checksum, zstd: zstd)
    do throws(LedgerError) {
      return try decode(bytes)
    } catch {
      throw error.located(in: source.path, offset: section.offset)
    }
  }

  private static func load(
    _ source: any ByteSource, _ what: String, at offset: UInt64, storedLength: Int, rawLength: Int,
    checksum: UInt64, zstd: Zstd
  ) throws(LedgerError) -> [UInt8] {
    let stored = try loadStored(
      source, what, at: offset, storedLength: storedLength, rawLength: rawLength,
      checksum: checksum)
    do throws(LedgerError) {
      return try zstd.decompress(stored, count: rawLength)
    } catch {
      throw error.located(in: source.path, offset: offset)
    }
  }

  /// The bytes as they are stored, checked.
  private static func loadStored(
    _ source: any ByteSource, _ what: String, at offset: UInt64, storedLength: Int, rawLength: Int,
    checksum stored: UInt64
  ) throws(LedgerError) -> [UInt8] {
    do throws(LedgerError) {
      guard Zstd.canExpand(storedLength, to: rawLength), Zstd.canShrink(rawLength, to: storedLength)
      else {
        throw LedgerError(
          .damaged, "\(what) claims to hold \(rawLength) bytes in \(storedLength)")
      }
      let bytes = try source.read(at: offset, count: storedLength)
      let found = LedgerFormat.checksum(of: bytes, in: 0..<bytes.count)
      guard found == stored else {
        throw LedgerError(
          .damaged, "cannot read \(what): its checksum is \(hex(found)), expected \(hex(stored))")
      }
      return bytes
    } catch {
      throw error.located(in: source.path, offset: offset)
    }
  }

  /// The bytes of a block, checked and decompressed.
  ///
  /// - Parameter opened: the bytes of the run, where what is read now costs less.
  package func block(
    _ number: Int, in opened: (any ByteSource)? = nil, zstd: Zstd
  ) throws(LedgerError) -> [UInt8] {
    try decompressed(number, try storedBlock(number, in: opened), zstd)
  }

  /// The bytes of a block as they are stored, checked.
  func storedBlock(
    _ number: Int, in opened: (any ByteSource)? = nil
  ) throws(LedgerError) -> [UInt8] {
    let entry = index.entries[number]
    return try Self.loadStored(
      opened ?? source, "block \(number)", at: entry.offset, storedLength: entry.storedLength,
      rawLength: entry.rawLength, checksum: entry.checksum)
  }

  func decompressed(
    _ number: Int, _ stored: [UInt8], _ zstd: Zstd
  ) throws(LedgerError) -> [UInt8] {
    let entry = index.entries[number]
    do throws(LedgerError) {
      return try zstd.decompress(stored, count: entry.rawLength)
    } catch {
      throw error.located(in: source.path, offset: entry.offset)
    }
  }

  /// Reads a block into memory that has room for it.
  func readBlock(_ number: Int, into buffer: BlockBuffer, zstd: Zstd) throws(LedgerError) {
    let entry = index.entries[number]
    let stored = try storedBlock(number)
    do throws(LedgerError) {
      try buffer.fill(entry.rawLength) { (target) throws(LedgerError) in
        try zstd.decompress(stored, into: target)
      }
    } catch {
      throw error.located(in: source.path, offset: entry.offset)
    }
  }
}
