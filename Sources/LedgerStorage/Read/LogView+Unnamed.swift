import LedgerCore
import LedgerFormat

extension LogView {
  /// The files of manifests, segments and snapshots that the manifest does not name; a reader of an older one may need some of
  /// them.
  package func unnamedFiles() throws(LedgerError) -> [String] {
    try LedgerError.typing {
      var files = try directory.list("").filter { name in
        LedgerNames.manifestNumber(name).map { $0 != manifest.number } ?? false
      }
      let segments = Set(manifest.segments.map { ByteText($0.file) })
      files += try directory.list(LedgerNames.segments).filter { file in
        LedgerNames.isSegment(file) && !segments.contains(ByteText(file))
      }.map(LedgerNames.inSegments)
      guard try directory.status(LedgerNames.snapshots) != nil else { return files }
      let snapshots = Set(SnapshotEntry.all(in: manifest).map { ByteText($0.file) })
      files += try directory.list(LedgerNames.snapshots).filter { file in
        LedgerNames.isSnapshot(file) && !snapshots.contains(ByteText(file))
      }.map(LedgerNames.inSnapshots)
      return files
    }
  }
}
