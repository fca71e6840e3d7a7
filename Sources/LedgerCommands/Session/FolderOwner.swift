import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whose a folder is that nobody named: somebody else can make one where all may write, such as /tmp, and would get to read what is
/// meant for one's own ledger, or have the superuser write through links that lie in it.
///
/// Invariants:
/// - a folder is one's own where it, and the link that leads to it, if there is one, belong to the effective user;
/// - to the superuser behind sudo(8), what belongs to the user who called it is their own, too.
package enum FolderOwner {
  /// The number of the effective user.
  package static func effectiveUser() -> UInt32 { geteuid() }

  /// The number of the user to whom a folder, or the link to it, belongs, where that is none of some; nil where it is.
  static func stranger(at path: String, to users: Set<UInt32>) -> UInt32? {
    var status = stat()
    if lstat(path, &status) == 0, !users.contains(status.st_uid) { return status.st_uid }
    if stat(path, &status) == 0, !users.contains(status.st_uid) { return status.st_uid }
    return nil
  }
}

extension CommandContext {
  /// The users whose folders are used though nobody named them.
  func ownUsers() throws(LedgerError) -> Set<UInt32> {
    let user = userID()
    guard user == 0, let caller = try variable("SUDO_UID").flatMap({ UInt32($0) }) else {
      return [user]
    }
    return [user, caller]
  }
}
