import LedgerCore
import LedgerFormat

/// To which place and ledger a file belongs that is not what the manifest says.
extension SegmentReading {
  /// Whether the file is a whole one of another place or ledger.
  func belongsElsewhere(_ entry: SegmentEntry) throws(LedgerError) -> Bool {
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    do throws(LedgerError) {
      if entry.isRun {
        let footer = try pool.with { (zstd) throws(LedgerError) in
          try SealedRun(source, zstd: zstd, kind: entry.fileKind).footer
        }
        return footer.checksum != entry.checksum
      }
      let header = try ActiveHeader(try source.read(at: 0, count: ActiveHeader.byteCount))
      return header.ledger != ledger || header.segment != entry.segment
    } catch {
      guard error.code == .damaged || error.code == .unsupported else { throw error }
      return false
    }
  }

  /// Whether the file is one of another ledger.
  func belongsToOther(_ entry: SegmentEntry) -> Bool {
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    do throws(LedgerError) {
      if entry.isRun {
        return try pool.with { (zstd) throws(LedgerError) in
          try SealedRun(source, zstd: zstd, kind: entry.fileKind).footer.ledger
        } != ledger
      }
      return try ActiveHeader(try source.read(at: 0, count: ActiveHeader.byteCount)).ledger
        != ledger
    } catch {
      return false
    }
  }
}
