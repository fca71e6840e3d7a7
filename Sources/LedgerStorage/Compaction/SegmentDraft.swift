import LedgerCore

/// A segment in the making: written piece by piece, durable with its name once it is finished.
///
/// Nothing names it before that: what an interruption leaves is removed as any file that no manifest names.
struct SegmentDraft {
  private let directory: (any LedgerDirectory)?
  private let name: String
  private let file: (any LedgerFile)?
  private(set) var byteCount: UInt64 = 0

  init(_ name: String, in directory: any LedgerDirectory) throws {
    self.directory = directory
    self.name = name
    file = try directory.open(name, .create)
  }

  /// One that is only measured: nothing is written.
  init() {
    directory = nil
    name = ""
    file = nil
  }

  mutating func append(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    try file?.write(bytes, at: byteCount)
    byteCount += UInt64(bytes.count)
  }

  func finish() throws {
    defer { file?.close() }
    try file?.sync()
    try directory?.syncFolder(LedgerNames.segments)
  }

  /// Removes what was written.
  func discard() {
    file?.close()
    try? directory?.unlink(name)
  }
}
