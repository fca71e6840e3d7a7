import LedgerCore
import LedgerFormat

extension LogView {
  /// Those of ``unnamedFiles()`` that hold no event which the list lacks, and are not another ledger's.
  package func removableFiles() throws(LedgerError) -> [String] {
    let unnamed = try unnamedFiles()
    guard !unnamed.isEmpty else { return [] }
    var unlisted = UnlistedFiles(directory, held, pool: pool)
    let kept = try unlisted.find().names
    return unnamed.filter { name in
      let isSnapshot = name.hasPrefix(LedgerNames.inSnapshots(""))
      return !kept.contains(ByteText(name))
        && (!isSnapshot || directory.isNoneOfOthers(name, than: manifest.ledger))
    }
  }

  /// The files of manifests, segments and snapshots that the manifest does not name; a reader of an older one may need some of
  /// them.
  private func unnamedFiles() throws(LedgerError) -> [String] {
    try LedgerError.typing {
      var files = try directory.list("").filter { name in
        LedgerNames.manifestNumber(name).map { $0 != manifest.number } ?? false
      }
      let segments = Set(manifest.segments.map { ByteText($0.file) })
      files += try directory.list(LedgerNames.segments).filter { file in
        LedgerNames.isSegment(file) && !segments.contains(ByteText(file))
      }.map(LedgerNames.inSegments)
      let snapshots = Set(SnapshotEntry.all(in: manifest).map { ByteText($0.file) })
      // What stands in their place and cannot be listed is left alone.
      files += try ((try? directory.list(LedgerNames.snapshots)) ?? []).filter { file in
        try LedgerNames.isSnapshot(file) && !snapshots.contains(ByteText(file))
          && directory.status(LedgerNames.inSnapshots(file))?.isFolder == false
      }.map(LedgerNames.inSnapshots)
      return files
    }
  }
}
