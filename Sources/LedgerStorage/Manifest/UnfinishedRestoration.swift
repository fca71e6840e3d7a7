import LedgerCore
import LedgerFormat

/// A folder in which a ledger was being restored from a backup when that was interrupted.
///
/// It is known by the first manifest, which says that the ledger is restored, and by the CURRENT for it that has not been given
/// its name yet. A ledger that was restored in full has given that draft its name, and one that lost its CURRENT later has a
/// later manifest, or frames of its own. A power cut in that last step may take both names: everything is there then, and
/// nothing that the backup has not.
struct UnfinishedRestoration {
  /// What can be removed: what is in folders first, then what the restoration is known by.
  let leftovers: [String]

  /// - Parameter names: what lies in the folder; CURRENT is not among them.
  init?(_ directory: any LedgerDirectory, _ names: [String]) throws {
    let hasDraft = names.contains(LedgerNames.currentDraft)
    guard names.contains(LedgerNames.manifest(1)),
      let manifest = try Self.manifest(directory, hasDraft: hasDraft),
      manifest.records.last?.isRestoration == true,
      try !Self.mayHoldOwnFrames(manifest, directory, wasLastStep: !hasDraft)
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
      + (hasDraft ? [LedgerNames.currentDraft] : []) + [LedgerNames.manifest(1)]
  }

  /// The manifest that was to become the ledger's; nil where that cannot be told.
  private static func manifest(
    _ directory: any LedgerDirectory, hasDraft: Bool
  ) throws -> Manifest? {
    let bytes = try directory.contents(
      of: LedgerNames.manifest(1), atMost: UInt64(Manifest.bytesMax))
    guard hasDraft else { return try? Manifest(bytes) }
    let draft = try directory.contents(
      of: LedgerNames.currentDraft, atMost: UInt64(CurrentFile.byteCount))
    guard let current = try? CurrentFile(draft), current.manifestNumber == 1,
      current.manifestLength == UInt64(bytes.count),
      current.manifestChecksum == checksum(of: bytes, in: 0..<bytes.count)
    else { return nil }
    return try? Manifest(bytes)
  }

  /// - Parameter wasLastStep: whether the active segment had been made.
  private static func mayHoldOwnFrames(
    _ manifest: Manifest, _ directory: any LedgerDirectory, wasLastStep: Bool
  ) throws -> Bool {
    do {
      return try directory.holdsFrames(LedgerNames.inSegments(manifest.active.file))
    } catch let error as LedgerError where error.code == .notFound {
      return wasLastStep
    }
  }
}
