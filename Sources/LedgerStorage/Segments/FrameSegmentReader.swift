import LedgerCore
import LedgerFormat

/// Opens active and frozen segments.
struct FrameSegmentReader {
  /// A segment with what its file says beside its frames.
  struct Result {
    var segment: FrameSegment
    /// The judgement of what follows the frames.
    var scan: TailScan
    var fileLength: UInt64
  }

  private let ledger: ReplicaID
  private let directory: any LedgerDirectory

  init(ledger: ReplicaID, in directory: any LedgerDirectory) {
    self.ledger = ledger
    self.directory = directory
  }

  /// Reads a segment. A frozen one has no tail: all its frames must be there.
  ///
  /// - Parameter known: the segment as it was read before; its frames are not read again.
  func read(_ entry: SegmentEntry, known: FrameSegment? = nil) throws(LedgerError) -> Result {
    guard entry.kind == .active else { return try readOnce(entry, known) }
    return try LogOpening.rereading(directory) { () throws(LedgerError) in
      try readOnce(entry, known)
    }
  }

  private func readOnce(
    _ entry: SegmentEntry, _ known: FrameSegment?
  ) throws(LedgerError) -> Result {
    let name = LedgerNames.inSegments(entry.file)
    let source = FileSource(directory, name)
    let size = try source.size()
    var segment: FrameSegment
    if let known, known.entry.file == entry.file, try source.holds(known) {
      segment = known
      segment.entry = entry
    } else {
      let head = try source.read(at: 0, count: Int(min(size, UInt64(ActiveHeader.byteCount))))
      segment = FrameSegment(
        entry: entry, header: try readHeader(head, entry, path: source.path), frames: FrameList())
    }
    let end = entry.kind == .frozen ? entry.end : max(size, SegmentFile.lengthMin)
    guard segment.end <= end, end <= size else {
      throw LedgerError(
        .damaged, "the file has \(size) bytes, expected at least \(max(segment.end, end))",
        path: source.path, offset: size, hint: "run `ledger verify` to see what is intact")
    }
    let bytes = try source.read(at: segment.end, count: Int(clamping: end - segment.end))
    // Measured again: what frames say of the length of the file was true when they were written.
    let length = try source.size()
    let scan = try TailScan(bytes, after: segment, fileLength: length, path: source.path)
    segment.frames.append(scan.frames)
    if entry.kind == .frozen { try checkWhole(segment, scan, path: source.path) }
    return Result(segment: segment, scan: scan, fileLength: length)
  }

  private func readHeader(
    _ bytes: [UInt8], _ entry: SegmentEntry, path: String
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

  private func checkWhole(
    _ segment: FrameSegment, _ scan: TailScan, path: String
  ) throws(LedgerError) {
    let entry = segment.entry
    guard scan.tail == .clean, scan.end == entry.end, segment.seed == entry.checksum,
      segment.lastSequence == entry.lastSequence
    else {
      throw LedgerError(
        .damaged,
        "the frames end at event \(segment.lastSequence), byte \(scan.end), expected event \(entry.lastSequence), byte \(entry.end)",
        path: path, offset: scan.end, hint: "run `ledger verify` to see what is intact")
    }
  }
}

extension FileSource {
  /// Whether the frames that are known are still there: those of a write that failed are seen by readers before they are
  /// moved aside.
  fileprivate func holds(_ known: FrameSegment) throws(LedgerError) -> Bool {
    try withFile { try known.isStill(in: $0) }
  }
}
