import LedgerCore
import LedgerFormat

/// Opens active and frozen segments.
enum FrameSegmentReader {
  /// Reads a segment whole. A frozen one has no tail: all its frames must be there.
  static func read(
    _ entry: SegmentEntry, ledger: ReplicaID, in directory: any LedgerDirectory
  ) throws(LedgerError) -> (segment: FrameSegment, scan: TailScan, length: UInt64) {
    try LogOpening.rereading(directory) { () throws(LedgerError) in
      try readOnce(entry, ledger: ledger, in: directory)
    }
  }

  private static func readOnce(
    _ entry: SegmentEntry, ledger: ReplicaID, in directory: any LedgerDirectory
  ) throws(LedgerError) -> (segment: FrameSegment, scan: TailScan, length: UInt64) {
    let name = LedgerNames.inSegments(entry.file)
    let path = directory.pathOf(name)
    let source = FileSource(directory, name)
    var bytes = try source.read(at: 0, count: Int(clamping: try source.size()))
    // Measured after the frames were read: what they say of its length was true when they were written.
    let length = max(UInt64(bytes.count), try source.size())
    let header = try readHeader(bytes, entry: entry, ledger: ledger, path: path)
    guard length >= SegmentFile.lengthMin else {
      throw tooShort(length, expected: SegmentFile.lengthMin, path)
    }
    var segment = FrameSegment(entry: entry, header: header, frames: [])
    if entry.kind == .frozen {
      guard length >= entry.end else { throw tooShort(length, expected: entry.end, path) }
      bytes.removeSubrange(Int(entry.end)...)
    }
    bytes.removeSubrange(..<ActiveHeader.byteCount)
    let scan: TailScan
    if entry.kind == .frozen {
      scan = try readFrozen(bytes, &segment, length: length, path: path)
    } else {
      scan = try TailScan(bytes, after: segment, fileLength: length, path: path)
      segment.frames = scan.frames
    }
    return (segment, scan, length)
  }

  private static func tooShort(
    _ length: UInt64, expected: UInt64, _ path: String
  ) -> LedgerError {
    LedgerError(
      .damaged, "the file has \(length) bytes, expected at least \(expected)", path: path,
      offset: length, hint: "run `ledger verify` to see what is intact")
  }

  private static func readHeader(
    _ bytes: [UInt8], entry: SegmentEntry, ledger: ReplicaID, path: String
  ) throws(LedgerError) -> ActiveHeader {
    let header: ActiveHeader
    do throws(LedgerError) {
      header = try ActiveHeader(bytes)
    } catch {
      throw error.located(in: path)
    }
    guard header.ledger == ledger, header.segment == entry.segment,
      header.firstSequence == entry.firstSequence, header.digestBefore == entry.digestBefore
    else {
      throw LedgerError(
        .damaged, "the file is the segment of another ledger or place", path: path, offset: 0,
        hint: "run `ledger verify` to see what is intact")
    }
    return header
  }

  private static func readFrozen(
    _ bytes: [UInt8], _ segment: inout FrameSegment, length: UInt64, path: String
  ) throws(LedgerError) -> TailScan {
    let scan = try TailScan(bytes, after: segment, fileLength: length, path: path)
    segment.frames = scan.frames
    let entry = segment.entry
    guard scan.tail == .clean, scan.end == entry.end, segment.seed == entry.checksum,
      segment.lastSequence == entry.lastSequence
    else {
      throw LedgerError(
        .damaged,
        "the frames end at event \(segment.lastSequence), byte \(scan.end), expected event \(entry.lastSequence), byte \(entry.end)",
        path: path, offset: scan.end, hint: "run `ledger verify` to see what is intact")
    }
    return scan
  }
}
