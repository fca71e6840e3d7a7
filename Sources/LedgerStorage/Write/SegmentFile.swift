import LedgerCore
import LedgerFormat

/// The active segment's file, as its one writer uses it.
///
/// Invariants:
/// - bytes before `durablePosition` are durable, and so is the length `durableLength`;
/// - `durablePosition <= end <= durableLength`, all bytes from `end` to `durableLength` are zero.
struct SegmentFile {
  let file: any LedgerFile
  let path: String
  let extensionBytes: UInt64
  var durablePosition: UInt64
  private(set) var durableLength: UInt64

  init(
    _ file: any LedgerFile, path: String, extensionBytes: UInt64, durablePosition: UInt64,
    durableLength: UInt64
  ) {
    self.file = file
    self.path = path
    self.extensionBytes = max(512, extensionBytes)
    self.durablePosition = durablePosition
    self.durableLength = durableLength
  }

  /// Creates the file of a new segment with its first step of zeros, durable with its name when this returns.
  static func create(
    _ header: ActiveHeader, named name: String, in directory: any LedgerDirectory,
    extensionBytes: UInt64
  ) throws -> SegmentFile {
    let file = try directory.open(LedgerNames.inSegments(name), .create)
    let length = max(512, extensionBytes)
    var bytes = header.encoded
    bytes.append(contentsOf: repeatElement(0, count: Int(length) - bytes.count))
    try file.write(bytes, at: 0)
    try file.sync()
    try directory.syncFolder(LedgerNames.segments)
    return SegmentFile(
      file, path: directory.pathOf(LedgerNames.inSegments(name)), extensionBytes: extensionBytes,
      durablePosition: UInt64(ActiveHeader.byteCount), durableLength: length)
  }

  /// Extends the file by zeros, synced, so that `count` bytes from `end` fit. A failure leaves nothing but zeros behind.
  mutating func reserve(_ count: UInt64, from end: UInt64) throws {
    let needed = end + count
    guard needed > durableLength else { return }
    let target = (needed + extensionBytes - 1) / extensionBytes * extensionBytes
    let step: UInt64 = 1 << 20
    while durableLength < target {
      let length = min(step, target - durableLength)
      try file.write([UInt8](repeating: 0, count: Int(length)), at: durableLength)
      try file.sync()
      durableLength += length
    }
  }

  /// Fills an unfinished extension again, so that the length is one that was synced.
  mutating func finishExtension(fileLength: UInt64, end: UInt64) throws {
    guard fileLength != durableLength || durableLength % extensionBytes != 0 else { return }
    durableLength = max(end, min(durableLength, fileLength))
    let target = (max(fileLength, end + 1) + extensionBytes - 1) / extensionBytes * extensionBytes
    try reserve(target - end, from: end)
  }
}
