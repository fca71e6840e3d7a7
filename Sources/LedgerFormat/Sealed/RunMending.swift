import LedgerCore

/// Puts a run right of which header, footer, tables, clocks or index differ by one flipped bit from what was written.
///
/// Without these parts no block can be read. Their checksums, and the one of the footer that the manifest keeps, or the file's own end
/// where there is no manifest, say which bit it was; what two bits or more explain is not looked for, nor is a bit in a long part, which
/// would take too long.
package enum RunMending {
  /// The file as it was written, in all of its parts but the blocks; nil where no single bits explain what it is.
  ///
  /// - Parameters:
  ///   - kind: what it is.
  ///   - ledger: whose it is.
  ///   - checksum: that of its footer, as the manifest has it; nil where nothing but the file says it.
  package static func mend(
    _ source: any ByteSource, kind: FileHeader.Kind, ledger: ReplicaID, checksum: UInt64?
  ) throws(LedgerError) -> (any ByteSource)? {
    let size = try source.size()
    guard size >= UInt64(FileHeader.byteCount + RunFooter.tailByteCount) else { return nil }
    let tail = try source.read(
      at: size - UInt64(RunFooter.tailByteCount), count: RunFooter.tailByteCount)
    var found: (header: [UInt8], bytes: [UInt8])?
    for header in headers(kind, ledger) where found == nil {
      found = try footer(source, size, tail, after: header, checksum).map { (header, $0) }
    }
    guard let (header, bytes) = found,
      let hasFilter = hasFilter(header, kind),
      let footer = try? RunFooter(bytes, fileLength: size, kind: kind, hasFilter: hasFilter)
    else { return nil }
    let start = size - UInt64(bytes.count)
    guard footer.isContiguous(footerStart: start) else { return nil }
    var patches = [(offset: UInt64(0), bytes: header), (start, bytes)]
    for section in [footer.tables, footer.clocks, footer.index] {
      let stored = try source.read(at: section.offset, count: Int(section.storedLength))
      guard
        let mended = FlippedBit.mended(
          stored, isRight: { LedgerFormat.checksum(of: $0, in: 0..<$0.count) == section.checksum })
      else { return nil }
      patches.append((section.offset, mended))
    }
    return PatchedSource(source, patches)
  }

  /// The headers that the file can have had: the version is that of its layout, or of the first that knew its kind.
  private static func headers(_ kind: FileHeader.Kind, _ ledger: ReplicaID) -> [[UInt8]] {
    let first: UInt16 =
      switch kind {
      case .salvaged: 3
      case .baseline: 2
      default: FileHeader.firstVersion
      }
    let versions = [RunWriter.version, first]
    return (kind == .sealed ? [RunWriter.filterVersion] + versions : versions).map { version in
      var bytes: [UInt8] = []
      FileHeader(kind, ledger: ledger).append(to: &bytes, version: version)
      return bytes
    }
  }

  private static func hasFilter(_ header: [UInt8], _ kind: FileHeader.Kind) -> Bool? {
    var reader = ByteReader(header)
    return (try? FileHeader(&reader, expecting: kind) {}).map(RunFooter.hasFilter)
  }

  /// The footer with its tail.
  private static func footer(
    _ source: any ByteSource, _ size: UInt64, _ tail: [UInt8], after header: [UInt8],
    _ known: UInt64?
  ) throws(LedgerError) -> [UInt8]? {
    var reader = ByteReader(tail)
    let named = try reader.u32()
    let stored = try reader.u64()
    var checksum = known ?? stored
    for length in [named] + (0..<32).map({ named ^ 1 << UInt32($0) }) {
      guard length <= UInt32(RunFooter.footerBytesMax),
        UInt64(length) + UInt64(FileHeader.byteCount + RunFooter.tailByteCount) <= size
      else { continue }
      let start = size - UInt64(RunFooter.tailByteCount) - UInt64(length)
      let content = try source.read(at: start, count: Int(length))
      func found(_ content: [UInt8]) -> UInt64 {
        var covered = content
        covered.append(u32: length)
        return RunFooter.checksum(covered[...], after: header)
      }
      func isRight(_ content: [UInt8]) -> Bool { found(content) == checksum }
      // Where nothing else says it, the checksum is what has the wrong bit.
      let whole = found(content)
      if known == nil, length == named, (whole ^ stored).nonzeroBitCount == 1 { checksum = whole }
      // Either the length is wrong by a bit, or something before it is.
      guard
        let mended = length == named
          ? FlippedBit.mended(content, isRight: isRight) : isRight(content) ? content : nil
      else { continue }
      var bytes = mended
      bytes.append(u32: length)
      bytes.append(u64: checksum)
      bytes.append(u32: RunFooter.tailMagic)
      return bytes
    }
    return nil
  }
}

/// A source with other bytes in some places.
private final class PatchedSource: ByteSource {
  let path: String
  private let source: any ByteSource
  private let patches: [(offset: UInt64, bytes: [UInt8])]

  init(_ source: any ByteSource, _ patches: [(offset: UInt64, bytes: [UInt8])]) {
    self.source = source
    self.patches = patches
    path = source.path
  }

  func size() throws(LedgerError) -> UInt64 { try source.size() }

  func read(at offset: UInt64, count: Int) throws(LedgerError) -> [UInt8] {
    var bytes = try source.read(at: offset, count: count)
    let end = offset + UInt64(bytes.count)
    for patch in patches {
      let start = max(offset, patch.offset)
      let stop = min(end, patch.offset + UInt64(patch.bytes.count))
      guard start < stop else { continue }
      let part = patch.bytes[Int(start - patch.offset)..<Int(stop - patch.offset)]
      bytes.replaceSubrange(Int(start - offset)..<Int(stop - offset), with: part)
    }
    return bytes
  }
}
