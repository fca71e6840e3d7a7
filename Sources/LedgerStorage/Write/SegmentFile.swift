import LedgerCore
import LedgerFormat

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The active segment's file, as its one writer uses it.
///
/// Invariants:
/// - bytes before `durablePosition` are durable, and so is the length `durableLength`;
/// - `durablePosition <= end < durableLength`, all bytes from `end` to `durableLength` are zero: a file that was cut where
///   a frame begins is shorter than the frame before says;
/// - an extension for which the disk has no room leaves the file as long as it was, so that what needs less still fits.
struct SegmentFile {
  let file: any LedgerFile
  let path: String
  /// Which file it is, whatever lies under its name by now.
  let identity: FileStatus.Identity
  let extensionBytes: UInt64
  var durablePosition: UInt64
  private(set) var durableLength: UInt64
  /// Whether a sync failed, and not for want of space.
  private(set) var hasFailedSync = false

  /// What a frame that is appended to the ledger's active segment names as durable. Where nothing is but the header, it is
  /// ``FrameHeader/namedSegmentPosition``: what is written into a segment before a step names it says otherwise.
  var positionToName: UInt64 {
    durablePosition > UInt64(ActiveHeader.byteCount)
      ? durablePosition : FrameHeader.namedSegmentPosition
  }

  /// No active segment is shorter.
  static let lengthMin: UInt64 = 512
  /// The smallest step where the disk is almost full: what file systems give room by.
  private static let blockBytes: UInt64 = 4096
  /// No interrupted extension leaves a file longer by more: what is, is overwritten step by step when it is needed.
  private static let unfinishedBytesMax: UInt64 = 64 << 20

  init(
    _ file: any LedgerFile, path: String, extensionBytes: UInt64, durablePosition: UInt64,
    durableLength: UInt64
  ) throws {
    self.file = file
    self.path = path
    identity = try file.status().identity
    self.extensionBytes = max(Self.lengthMin, extensionBytes)
    self.durablePosition = durablePosition
    self.durableLength = durableLength
  }

  /// Creates the file of a new segment with its first step of zeros, durable with its name when this returns; leaves nothing
  /// behind when it fails.
  static func create(
    _ header: ActiveHeader, named name: String, in directory: any LedgerDirectory,
    extensionBytes: UInt64
  ) throws -> SegmentFile {
    let name = LedgerNames.inSegments(name)
    let file = try directory.open(name, .create)
    do {
      let length = try tryingSteps(max(lengthMin, extensionBytes)) { step in
        try begin(file, header, length: step)
        return step
      } undoing: {
        try? file.truncate(to: 0)
      }
      try directory.syncFolder(LedgerNames.segments)
      return try SegmentFile(
        file, path: directory.pathOf(name), extensionBytes: extensionBytes,
        durablePosition: UInt64(ActiveHeader.byteCount), durableLength: length)
    } catch {
      try? directory.unlink(name)
      throw error
    }
  }

  private static func begin(
    _ file: any LedgerFile, _ header: ActiveHeader, length: UInt64
  ) throws {
    let head = header.encoded
    var bytes = [UInt8](repeating: 0, count: Int(length))
    bytes.replaceSubrange(0..<head.count, with: head)
    try file.write(bytes, at: 0)
    try file.sync()
  }

  /// Calls the body with a step, and with smaller ones down to a block where the disk has no room for it.
  private static func tryingSteps<R>(
    _ step: UInt64, _ body: (_ step: UInt64) throws -> R, undoing undo: () -> Void
  ) throws -> R {
    var step = step
    while true {
      do {
        return try body(step)
      } catch let error as LedgerError where error.isForWantOfSpace {
        undo()
        guard step > blockBytes else { throw error }
        step = max(blockBytes, step / 8)
      }
    }
  }

  /// Whether its name still leads to it, and no byte that is durable was cut off.
  func isWhole(_ found: FileExtent?) -> Bool {
    guard let found else { return false }
    return found.identity == identity && found.size >= durableLength
  }

  /// Extends the file by zeros, synced, so that `count` bytes from `end` fit and a zero follows. A failure leaves nothing but
  /// zeros behind.
  mutating func reserve(_ count: UInt64, from end: UInt64) throws {
    let needed = end + count + 1
    if needed > durableLength { try extend(to: needed, orBackTo: durableLength) }
  }

  /// Fills an unfinished extension again, so that the length is one that was synced.
  mutating func finishExtension(fileLength: UInt64, end: UInt64) throws {
    guard fileLength != durableLength else { return }
    durableLength = max(end, min(durableLength, fileLength))
    let isUnfinished = fileLength - durableLength <= Self.unfinishedBytesMax
    try extend(to: isUnfinished ? max(fileLength, end + 1) : end + 1, orBackTo: fileLength)
  }

  /// Extends the file to a length or more, by whole steps where there is room for them.
  ///
  /// - Parameter lengthBefore: how long the file is; a frame may say so.
  private mutating func extend(to length: UInt64, orBackTo lengthBefore: UInt64) throws {
    let before = durableLength
    defer { if durableLength < length { durableLength = before } }
    try Self.tryingSteps(extensionBytes) { step in
      durableLength = before
      try fill(to: (length + step - 1) / step * step)
    } undoing: { [file] in
      if let size = try? file.size(), size > lengthBefore { try? file.truncate(to: lengthBefore) }
    }
  }

  private mutating func fill(to target: UInt64) throws {
    let piece: UInt64 = 1 << 20
    while durableLength < target {
      let length = min(piece, target - durableLength)
      try file.write([UInt8](repeating: 0, count: Int(length)), at: durableLength)
      try sync()
      durableLength += length
    }
  }

  private mutating func sync() throws {
    do {
      try file.sync()
    } catch {
      // A full disk may say so as late as here; of zeros nothing is lost.
      hasFailedSync = (error as? LedgerError)?.isForWantOfSpace != true
      throw error
    }
  }
}

extension LedgerError {
  /// Whether the disk is full, or the user's share of it, or the file may not become longer.
  package var isForWantOfSpace: Bool { [ENOSPC, EDQUOT, EFBIG].contains(systemError) }
}
