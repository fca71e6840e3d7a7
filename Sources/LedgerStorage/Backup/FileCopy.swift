import LedgerCore
import LedgerFormat

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Copies files from one folder into another.
///
/// Invariants:
/// - a file has its name in the other folder only once its bytes are durable and were read back: what an interrupted copy left
///   is a draft, or whole;
/// - the names are durable once their folder is synced, which is the caller's to do.
struct FileCopy {
  let source: any LedgerDirectory
  let target: any LedgerDirectory

  /// Copies the first bytes of a file.
  ///
  /// - Parameters:
  ///   - sourceName: the file.
  ///   - bytes: how many of its bytes are copied.
  ///   - length: the length of the copy; zeros follow the bytes.
  ///   - check: reads the copy back, by the name that it has then; throws where it is not as it should be.
  func copy(
    _ sourceName: String, bytes: UInt64, to name: String, length: UInt64,
    check: (_ draft: String) throws -> Void
  ) throws {
    let draft = name + LedgerNames.draftSuffix
    try ManifestStep.removeIfThere(draft, in: target)
    do {
      try write(sourceName, bytes, length, to: draft)
      try check(draft)
      try target.rename(draft, to: name)
    } catch var error as LedgerError where error.systemError == EISDIR {
      try? target.unlink(draft)
      error.hint = "a folder stands where a file of the copy belongs; remove it, then try again"
      throw error
    } catch {
      try? target.unlink(draft)
      throw error
    }
  }

  private func write(
    _ sourceName: String, _ bytes: UInt64, _ length: UInt64, to draft: String
  ) throws {
    // A file that the manifest names and that is not there is damage, and said to be.
    guard try FileSource(source, sourceName).size() >= bytes else {
      throw LedgerError(
        .damaged, "found less than \(bytes) bytes", path: source.pathOf(sourceName),
        hint: "run `ledger verify` to see what is intact")
    }
    let from = try source.open(sourceName, .read)
    defer { from.close() }
    let file = try target.open(draft, .create)
    defer { file.close() }
    try FileStretch(file: from, range: 0..<bytes).copy(to: file)
    if length > bytes { try file.truncate(to: length) }
    try file.sync()
  }
}
