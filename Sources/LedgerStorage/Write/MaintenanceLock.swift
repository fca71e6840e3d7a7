import LedgerCore

/// The lock of one of the ledger's folders, flock(2): at most one process rewrites or removes the files in it. That of `segments` is the
/// maintenance lock.
///
/// Who holds it works beside running writers; it takes the folder lock only for a manifest step and for removing files.
package struct MaintenanceLock {
  private let directory: any LedgerDirectory
  private let folder: String

  package init(_ directory: any LedgerDirectory, of folder: String = LedgerNames.segments) {
    self.directory = directory
    self.folder = folder
  }

  /// Runs the body when nobody else is at it.
  ///
  /// - Parameter timeout: how long to wait for others, in milliseconds.
  /// - Returns: nil, without having run it, when another process is at it.
  package func hold<R>(timeout: UInt64 = 0, _ body: () throws -> R) throws(LedgerError) -> R? {
    do {
      let folder = try directory.open(folder, .folder)
      defer { folder.close() }
      var waited: UInt64 = 0
      while try !folder.tryLock(.exclusive) {
        guard waited < timeout else { return nil }
        sleep(milliseconds: 5)
        waited += 5
      }
      return try body()
    } catch {
      throw LedgerError.wrapping(error)
    }
  }
}
