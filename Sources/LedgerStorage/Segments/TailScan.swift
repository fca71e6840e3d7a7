import LedgerCore
import LedgerFormat

/// Reads the frames of an active segment and judges what follows them.
///
/// The log ends where all remaining bytes are zero. After bad bytes the rest of the file is searched for headers of frames of this
/// segment: if one of them names a durable position past the bad bytes, or the file is shorter than the largest length that any
/// names as durable, or LOCK names a durable position past where the frames end, it is damage; otherwise what a crash leaves, a torn
/// tail. A frame in its place that is whole and says what no
/// frame can say is damage: no crash writes one.
package struct TailScan {
  package enum Tail: Equatable, Sendable {
    /// Only zeros follow.
    case clean
    /// Bytes that no whole transaction claims, from `start` to the last that is not zero.
    case torn(start: UInt64, end: UInt64)
  }

  package private(set) var frames: [FrameRecord] = []
  package private(set) var tail = Tail.clean
  /// Where the last frame ends.
  package private(set) var end: UInt64
  /// The largest position and length that any frame names as durable.
  package private(set) var durablePosition: UInt64
  package private(set) var durableLength: UInt64 = 0

  /// The length of the file, measured after it was read: what frames say of it was true when they were written.
  package private(set) var fileLength: UInt64 = 0

  private let source: OpenedFile
  private let witnessed: UInt64
  private var window: FileWindow
  private let segment: UInt64
  private var seed: UInt64
  private var nextSequence: UInt64
  private var ownCount: UInt64
  private let replica: ReplicaID

  /// Scans a file from the end of the frames that are known already.
  ///
  /// - Parameters:
  ///   - known: the segment with the frames that are known.
  ///   - limit: where to stop: the length of the file as it was found, or where the frames of a frozen segment end.
  ///   - witnessed: the position that LOCK names as durable.
  init(
    _ source: OpenedFile, after known: FrameSegment, upTo limit: UInt64, witnessed: UInt64 = 0
  ) throws(LedgerError) {
    self.source = source
    self.witnessed = witnessed
    window = FileWindow(source, limit: limit)
    end = known.end
    segment = known.header.segment
    replica = known.header.replica
    seed = known.seed
    nextSequence = known.lastSequence + 1
    ownCount = known.ownCount
    // Of a segment that somebody appends to the header is durable, whatever its first frames say.
    durablePosition = max(
      known.frames.last?.header.durablePosition ?? 0, UInt64(ActiveHeader.byteCount))
    durableLength = known.frames.last?.header.durableLength ?? 0
    try readFrames()
    let last = try searchRest()
    fileLength = max(limit, try source.size())
    try judge(lastOther: last)
    window = FileWindow(source, limit: limit)
  }

  private mutating func readFrames() throws(LedgerError) {
    while let (header, payload) = try nextFrame() {
      frames.append(
        FrameRecord(header, at: end, replica: replica, ownBefore: ownCount, payload: payload))
      seed = header.checksum
      nextSequence = header.lastSequence + 1
      ownCount = header.ownCount
      note(header)
      end += UInt64(header.byteCount)
    }
  }

  /// The frame that belongs where the log ends so far; nil when there is none.
  private mutating func nextFrame() throws(LedgerError) -> (FrameHeader, payload: [UInt8])? {
    guard let head = try window.load(end, FrameHeader.byteCount),
      let claim = FrameHeader.claim(in: window.bytes, at: head, segment: segment),
      claim.seed == seed, claim.firstSequence == nextSequence, claim.durablePosition <= end
    else { return nil }
    guard claim.payloadLength <= FrameHeader.payloadBytesMax else {
      throw LedgerError(
        .damaged, "a frame claims a payload of \(claim.payloadLength) bytes", path: source.path,
        offset: end, hint: LedgerError.repairHint)
    }
    guard let start = try window.load(end, claim.byteCount) else { return nil }
    do throws(LedgerError) {
      guard let header = try FrameHeader(in: window.bytes, at: start, segment: segment) else {
        return nil
      }
      let payload = start + FrameHeader.byteCount
      return (header, Array(window.bytes[payload..<payload + Int(header.payloadLength)]))
    } catch {
      throw error.located(in: source.path, offset: end)
    }
  }

  private mutating func note(_ header: FrameHeader) {
    durablePosition = max(durablePosition, header.durablePosition)
    durableLength = max(durableLength, header.durableLength)
  }

  /// Notes what headers behind the frames say, and finds where the last byte stands that is not zero; nil when all are.
  private mutating func searchRest() throws(LedgerError) -> UInt64? {
    var last: UInt64?
    var place = end
    while place < window.limit, let data = try source.nextData(from: place) {
      // Frames start at multiples of eight.
      place = max(place, data & ~7)
      guard place < window.limit else { break }
      let count = Int(min(UInt64(FileWindow.pieceBytesMax), window.limit - place))
      // With the rest of a header that begins in the piece.
      let whole = min(UInt64(count + FrameHeader.byteCount - 8), window.limit - place)
      guard let start = try window.load(place, Int(whole)) else { break }
      if let other = Zeros.lastOther(in: window.bytes, start..<start + count) {
        last = place + UInt64(other - start)
        noteHeaders(start..<start + count)
      }
      place += UInt64(count)
    }
    return last
  }

  private mutating func noteHeaders(_ range: Range<Int>) {
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8)
    where window.bytes[offset] == UInt8(truncatingIfNeeded: FrameHeader.magic) {
      // A torn payload makes no header less true.
      if let header = FrameHeader.claim(in: window.bytes, at: offset, segment: segment) {
        note(header)
      }
    }
  }

  private mutating func judge(lastOther last: UInt64?) throws(LedgerError) {
    guard let last else {
      if fileLength < durableLength { throw cut(expected: durableLength) }
      guard witnessed <= end else { throw lost() }
      return
    }
    guard durablePosition <= end else {
      throw LedgerError(
        .damaged,
        "cannot read the frame of event \(nextSequence): its bytes fit no checksum, and a later frame says that the file was durable to byte \(durablePosition)",
        path: source.path, offset: end, hint: LedgerError.repairHint)
    }
    guard witnessed <= end else { throw lost() }
    // Nothing is written before the file is durably longer than what is to be written.
    let least = max(durableLength, end + UInt64(FrameHeader.byteCount) + 1)
    if fileLength < least { throw cut(expected: least) }
    tail = .torn(start: end, end: last + 1)
  }

  private func lost() -> LedgerError {
    LedgerError(
      .damaged,
      "cannot read the frame of event \(nextSequence): no whole one is there, and LOCK says that the file was durable to byte \(witnessed)",
      path: source.path, offset: end, hint: LedgerError.repairHint)
  }

  private func cut(expected: UInt64) -> LedgerError {
    LedgerError(
      .damaged, "the file has \(fileLength) bytes, expected at least \(expected)",
      path: source.path, offset: fileLength, hint: LedgerError.repairHint)
  }
}

/// The part of a file that is in memory: one piece, or one frame where that is longer.
struct FileWindow {
  let limit: UInt64
  private(set) var bytes: [UInt8] = []
  private var start: UInt64 = 0
  /// Most active segments hold little: pieces grow as more of them are asked for.
  private var pieceBytes = 16 << 10
  /// Not beyond what memory that is used again holds: fresh memory costs more than reading into it.
  static let pieceBytesMax = 64 << 10
  private let source: OpenedFile

  init(_ source: OpenedFile, limit: UInt64) {
    self.source = source
    self.limit = limit
  }

  /// Makes sure that the bytes at a place are in memory.
  ///
  /// - Returns: where in `bytes` they begin; nil when the limit comes before their end.
  mutating func load(_ place: UInt64, _ count: Int) throws(LedgerError) -> Int? {
    guard place <= limit, UInt64(count) <= limit - place else { return nil }
    if place < start || place + UInt64(count) > start + UInt64(bytes.count) {
      // The old piece is let go of first: both at once would be twice the memory.
      bytes = []
      let piece = min(UInt64(max(count, pieceBytes)), limit - place)
      pieceBytes = min(4 * pieceBytes, Self.pieceBytesMax)
      bytes = try source.read(at: place, count: Int(piece))
      start = place
    }
    return Int(place - start)
  }
}
