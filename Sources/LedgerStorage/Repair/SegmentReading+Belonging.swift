import LedgerCore
import LedgerFormat

/// To which place and ledger a file belongs that is not what the manifest says.
extension SegmentReading {
  /// What a segment says of itself.
  private struct Claim {
    var ledger: ReplicaID
    /// Whether it is the segment that an entry is about.
    var isEntry: Bool
  }

  /// Whether the file is a whole one of another place or ledger.
  func belongsElsewhere(_ entry: SegmentEntry) throws(LedgerError) -> Bool {
    do throws(LedgerError) {
      return try claim(of: entry).map { !$0.isEntry } ?? false
    } catch {
      guard error.code == .damaged || error.code == .unsupported else { throw error }
      return false
    }
  }

  /// Whether the file is one of another ledger.
  func belongsToOther(_ entry: SegmentEntry) -> Bool {
    guard let claim = try? claim(of: entry) else { return false }
    return claim.ledger != ledger
  }

  /// What the file says that has the name of an entry, of whatever kind it is; nil where that is none of a segment.
  private func claim(of entry: SegmentEntry) throws(LedgerError) -> Claim? {
    guard let kind = directory.segmentKind(of: entry.file) else { return nil }
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    if kind == .active {
      let header = try ActiveHeader(try source.read(at: 0, count: ActiveHeader.byteCount))
      return Claim(
        ledger: header.ledger,
        isEntry: !entry.isRun && header.ledger == ledger && header.segment == entry.segment)
    }
    let footer = try pool.with { (zstd) throws(LedgerError) in
      try SealedRun(source, zstd: zstd, kind: kind).footer
    }
    return Claim(
      ledger: footer.ledger, isEntry: entry.isRun && footer.checksum == entry.checksum)
  }
}
