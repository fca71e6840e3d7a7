import LedgerCore
import LedgerStorage

/// What helps a damaged backup.
enum BackupHint {
  /// As long as there is the ledger, its backup is made whole by the next run.
  static let text =
    "run `ledger backup` to it again: what is damaged is copied anew; where the ledger is gone, `ledger repair` saves what is intact here"

  /// An error with what helps a backup, where it is about one and says no more than what helps a ledger.
  static func added(to error: LedgerError) -> LedgerError {
    guard error.code == .damaged, error.hint ?? LedgerError.repairHint == LedgerError.repairHint,
      let path = error.path, folders(of: path).contains(where: isBackup)
    else { return error }
    var error = error
    error.hint = text
    return error
  }

  /// The folders that can be the one of which a path is a part: the path itself, and the two above it.
  private static func folders(of path: String) -> [String] {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    var folders: [String] = []
    while folders.count < 3, parts.count > 1 || parts.first?.isEmpty == false {
      folders.append(parts.joined(separator: "/"))
      parts.removeLast()
    }
    return folders
  }

  private static func isBackup(_ folder: String) -> Bool {
    guard let directory = try? LocalDirectory(path: folder),
      let held = try? HeldManifest.load(from: directory)
    else { return false }
    return held.manifest.isBackup
  }
}
