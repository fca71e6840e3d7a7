import LedgerCore
import LedgerFormat

/// Reads the frames of an active segment and judges what follows them.
///
/// The log ends where all remaining bytes are zero. After bad bytes the rest of the file is searched for headers of frames of this
/// segment: if one of them names a durable position past the bad bytes, or the file is shorter than the largest length that any
/// names as durable, it is damage; otherwise what a crash leaves, a torn tail. A frame in its place that is whole and says what no
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

  private let bytes: [UInt8]
  private let base: UInt64
  private let fileLength: UInt64
  private let segment: UInt64
  private var seed: UInt64
  private var nextSequence: UInt64
  private var ownCount: UInt64
  private let replica: ReplicaID

  /// Scans the bytes of a file from the end of the frames that are known already.
  ///
  /// - Parameters:
  ///   - bytes: the file from that place to its end.
  ///   - known: the segment with the frames that are known.
  ///   - fileLength: the length of the file.
  ///   - path: the file, for messages.
  package init(
    _ bytes: [UInt8], after known: FrameSegment, fileLength: UInt64, path: String
  ) throws(LedgerError) {
    self.bytes = bytes
    self.fileLength = fileLength
    base = known.end
    end = base
    segment = known.header.segment
    replica = known.header.replica
    seed = known.seed
    nextSequence = known.lastSequence + 1
    ownCount = known.ownCount
    durablePosition = known.frames.last?.header.durablePosition ?? UInt64(ActiveHeader.byteCount)
    durableLength = known.frames.last?.header.durableLength ?? 0
    try readFrames(path: path)
    try judgeRest(path: path)
  }

  private func frame(at offset: Int, path: String) throws(LedgerError) -> FrameHeader? {
    do throws(LedgerError) {
      return try FrameHeader(in: bytes, at: offset, segment: segment)
    } catch {
      throw error.located(in: path, offset: base + UInt64(offset))
    }
  }

  private mutating func readFrames(path: String) throws(LedgerError) {
    var offset = 0
    while let header = try frame(at: offset, path: path), header.seed == seed,
      header.firstSequence == nextSequence, header.durablePosition <= base + UInt64(offset)
    {
      let start = offset + FrameHeader.byteCount
      frames.append(
        FrameRecord(
          header, at: base + UInt64(offset), replica: replica, ownBefore: ownCount,
          payload: Array(bytes[start..<start + Int(header.payloadLength)])))
      seed = header.checksum
      nextSequence = header.lastSequence + 1
      ownCount = header.ownCount
      note(header)
      offset += header.byteCount
    }
    end = base + UInt64(offset)
  }

  private mutating func note(_ header: FrameHeader) {
    durablePosition = max(durablePosition, header.durablePosition)
    durableLength = max(durableLength, header.durableLength)
  }

  private mutating func judgeRest(path: String) throws(LedgerError) {
    let start = Int(end - base)
    guard let last = Zeros.lastOther(in: bytes, from: start) else {
      if fileLength < durableLength { throw cut(path, expected: durableLength) }
      return
    }
    // Frames start at multiples of eight, in the file as in these bytes.
    for offset in stride(from: start, to: bytes.count, by: 8)
    where bytes[offset] == UInt8(truncatingIfNeeded: FrameHeader.magic) {
      // A torn payload makes no header less true.
      guard let header = FrameHeader.claim(in: bytes, at: offset, segment: segment) else {
        continue
      }
      note(header)
    }
    guard durablePosition <= end else {
      throw LedgerError(
        .damaged,
        "cannot read the frame of event \(nextSequence): its bytes fit no checksum, and a later frame says that the file was durable to byte \(durablePosition)",
        path: path, offset: end, hint: "run `ledger verify` to see what is intact")
    }
    // Nothing is written before the file is durably longer than what is to be written.
    let least = max(durableLength, end + UInt64(FrameHeader.byteCount) + 1)
    if fileLength < least { throw cut(path, expected: least) }
    tail = .torn(start: end, end: base + UInt64(last) + 1)
  }

  private func cut(_ path: String, expected: UInt64) -> LedgerError {
    LedgerError(
      .damaged, "the file has \(fileLength) bytes, expected at least \(expected)", path: path,
      offset: fileLength, hint: "run `ledger verify` to see what is intact")
  }
}
