import LedgerCore

/// The maintenance lock, flock(2) of the folder `segments`: at most one process rewrites or removes segments.
///
/// Who holds it works beside running writers; it takes the folder lock only for a manifest step and for removing files.
struct MaintenanceLock {
  private let directory: any LedgerDirectory

  init(_ directory: any LedgerDirectory) { self.directory = directory }

  /// Runs the body when nobody else is at it.
  ///
  /// - Parameter timeout: how long to wait for others, in milliseconds.
  /// - Returns: nil, without having run it, when another process is at it.
  func hold<R>(timeout: UInt64 = 0, _ body: () throws -> R) throws(LedgerError) -> R? {
    do {
      let folder = try directory.open(LedgerNames.segments, .folder)
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
