import LedgerCore
import LedgerFormat

/// A folder in which a ledger was being restored from a backup when that was interrupted.
///
/// It is known by the first manifest, which says that the ledger is restored, and by the CURRENT for it that has not been given
/// its name yet. A ledger that was restored in full has given that draft its name. A power cut in that last step may take both names:
/// everything is there then, as in one that lost its CURRENT later, and a repair gives it a CURRENT.
struct UnfinishedRestoration {
  /// What can be removed: what is in folders first, then what the restoration is known by.
  let leftovers: [String]

  /// - Parameter names: what lies in the folder; CURRENT is not among them.
  init?(_ directory: any LedgerDirectory, _ names: [String]) throws {
    guard names.contains(LedgerNames.currentDraft), names.contains(LedgerNames.manifest(1)),
      let manifest = try Self.manifest(directory), manifest.records.last?.isRestoration == true,
      try !Self.holdsOwnFrames(manifest, directory)
    else { return nil }
    var files: [String] = []
    for folder in [LedgerNames.segments, LedgerNames.aside] where names.contains(folder) {
      files += try directory.list(folder).map { "\(folder)/\($0)" }
    }
    let copies = Set(
      (manifest.segments.map { LedgerNames.inSegments($0.file) } + manifest.filesAside)
        .flatMap { [ByteText($0), ByteText($0 + LedgerNames.draftSuffix)] })
    leftovers =
      files.filter { copies.contains(ByteText($0)) }
      + [LedgerNames.currentDraft, LedgerNames.manifest(1)]
  }

  /// The manifest that was to become the ledger's; nil where that cannot be told.
  private static func manifest(_ directory: any LedgerDirectory) throws -> Manifest? {
    let bytes = try directory.contents(
      of: LedgerNames.manifest(1), atMost: UInt64(Manifest.bytesMax))
    let draft = try directory.contents(
      of: LedgerNames.currentDraft, atMost: UInt64(CurrentFile.byteCount))
    guard let current = try? CurrentFile(draft), current.manifestNumber == 1,
      current.manifestLength == UInt64(bytes.count),
      current.manifestChecksum == checksum(of: bytes, in: 0..<bytes.count)
    else { return nil }
    return try? Manifest(bytes)
  }

  /// The active segment is made last.
  private static func holdsOwnFrames(
    _ manifest: Manifest, _ directory: any LedgerDirectory
  ) throws -> Bool {
    do {
      return try directory.holdsFrames(LedgerNames.inSegments(manifest.active.file))
    } catch let error as LedgerError where error.code == .notFound {
      return false
    }
  }
}
