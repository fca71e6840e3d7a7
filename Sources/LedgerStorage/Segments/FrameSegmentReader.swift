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
    /// What LOCK said before the active segment was read, of whichever segment.
    var durableEnd: DurableEnd?
  }

  private let ledger: ReplicaID
  private let directory: any LedgerDirectory

  init(ledger: ReplicaID, in directory: any LedgerDirectory) {
    self.ledger = ledger
    self.directory = directory
  }

  /// Reads a segment. A frozen one has no tail: all its frames must be there.
  ///
  /// - Parameter known: the segment as it was read before; frames that are still there are not read again.
  func read(_ entry: SegmentEntry, known: FrameSegment? = nil) throws(LedgerError) -> Result {
    try LogOpening.rereading(directory) { () throws(LedgerError) in
      try readOnce(entry, known)
    }
  }

  private func readOnce(
    _ entry: SegmentEntry, _ known: FrameSegment?
  ) throws(LedgerError) -> Result {
    let word = entry.kind == .active ? DurableEnd(of: ledger, in: directory) : nil
    let durable = word?.segment == entry.segment ? word?.position : nil
    return try FileSource(directory, LedgerNames.inSegments(entry.file)).withFile {
      (source) throws(LedgerError) in
      var result = try read(entry, known, of: source, durable: durable ?? 0)
      result.durableEnd = word
      return result
    }
  }

  private func read(
    _ entry: SegmentEntry, _ known: FrameSegment?, of source: OpenedFile, durable: UInt64
  ) throws(LedgerError) -> Result {
    var segment = try start(entry, known, source)
    let size = try source.size()
    let end = entry.kind == .frozen ? entry.end : size
    guard segment.end <= end, end <= size else {
      throw tooShort(size, expected: max(segment.end, end), source.path)
    }
    guard size >= SegmentFile.lengthMin else {
      throw tooShort(size, expected: SegmentFile.lengthMin, source.path)
    }
    let scan = try TailScan(source, after: segment, upTo: end, witnessed: durable)
    segment.frames.append(scan.frames)
    if entry.kind == .frozen { try checkWhole(segment, scan, path: source.path) }
    return Result(segment: segment, scan: scan, fileLength: scan.fileLength)
  }

  /// The segment as far as it is known, or nothing but its header.
  ///
  /// Frames that were seen can be gone: those of a write that failed are seen by readers before they are moved aside. Those of a
  /// failed sync stay where they are, beyond the end of the segment that was abandoned, and are in the next one, too.
  private func start(
    _ entry: SegmentEntry, _ known: FrameSegment?, _ source: OpenedFile
  ) throws(LedgerError) -> FrameSegment {
    if var segment = known, segment.header.segment == entry.segment,
      segment.entry.file == entry.file, entry.kind != .frozen || segment.end <= entry.end,
      try segment.frames.last?.isStill(in: source.file) ?? true
    {
      segment.entry = entry
      return segment
    }
    let count = min(try source.size(), UInt64(ActiveHeader.byteCount))
    let head = try source.read(at: 0, count: Int(count))
    let header = try readHeader(head, entry, path: source.path)
    return FrameSegment(entry: entry, header: header, frames: FrameList())
  }

  private func tooShort(_ length: UInt64, expected: UInt64, _ path: String) -> LedgerError {
    LedgerError(
      .damaged, "the file has \(length) bytes, expected at least \(expected)", path: path,
      offset: length, hint: LedgerError.repairHint)
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
        hint: LedgerError.repairHint)
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
        path: path, offset: scan.end, hint: LedgerError.repairHint)
    }
  }
}
