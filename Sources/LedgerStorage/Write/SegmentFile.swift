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
///   a frame begins is shorter than the frame before says.
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

  /// No active segment is shorter.
  static let lengthMin: UInt64 = 512
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
    let length = max(lengthMin, extensionBytes)
    let head = header.encoded
    var bytes = [UInt8](repeating: 0, count: Int(length))
    bytes.replaceSubrange(0..<head.count, with: head)
    let name = LedgerNames.inSegments(name)
    let file = try directory.open(name, .create)
    do {
      try file.write(bytes, at: 0)
      try file.sync()
      try directory.syncFolder(LedgerNames.segments)
      return try SegmentFile(
        file, path: directory.pathOf(name), extensionBytes: extensionBytes,
        durablePosition: UInt64(ActiveHeader.byteCount), durableLength: length)
    } catch {
      try? directory.unlink(name)
      throw error
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
    if needed > durableLength { try extend(to: needed) }
  }

  /// Fills an unfinished extension again, so that the length is one that was synced.
  mutating func finishExtension(fileLength: UInt64, end: UInt64) throws {
    guard fileLength != durableLength || durableLength % extensionBytes != 0 else { return }
    durableLength = max(end, min(durableLength, fileLength))
    let isUnfinished = fileLength - durableLength <= Self.unfinishedBytesMax
    try extend(to: isUnfinished ? max(fileLength, end + 1) : end + 1)
  }

  /// Extends the file to a length or more, by whole steps.
  private mutating func extend(to length: UInt64) throws {
    let target = (length + extensionBytes - 1) / extensionBytes * extensionBytes
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
  /// Whether the disk is full, or the user's share of it.
  var isForWantOfSpace: Bool { systemError == ENOSPC || systemError == EDQUOT }
}
