import LedgerCore

/// Waits until something was done to a ledger's folder that may be an append, or a step to another manifest, by any process.
///
/// - It may report what is nothing of the sort, but misses nothing since it was made.
/// - One thread waits; any may wake it.
package protocol FolderWatch: AnyObject, Sendable {
  /// Follows the active segment by the name of its file, where the system tells of writes to single files only.
  ///
  /// - Returns: whether what was written before the call must be looked for once more.
  func follow(_ active: String) -> Bool

  /// Waits.
  ///
  /// - Returns: false when it was woken, or cannot go on: another watch must be made.
  func wait() -> Bool

  /// Lets the waiting end, now or when it begins; where nothing tells of changes, within a second.
  func wake()

  /// Gives back what it holds; the last call, by the thread that waited.
  func close()
}

extension FolderWatch {
  package func follow(_ active: String) -> Bool { false }
}

/// Takes for granted once a second that something was done: where the system does not tell.
package final class TimedWatch: FolderWatch {
  private static let pauseMilliseconds: UInt64 = 1000
  private let isWoken = Guarded(false)

  package init() {}

  package func wait() -> Bool {
    sleep(milliseconds: Self.pauseMilliseconds)
    return !isWoken.withLock { $0 }
  }

  package func wake() { isWoken.withLock { $0 = true } }
  package func close() {}
}
