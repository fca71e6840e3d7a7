import LedgerCore
import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What stands at a path.
enum PathKind {
  case folder
  case other
  case missing
  /// It cannot even be looked at; opening it says why.
  case unknown

  static func of(_ path: String) -> PathKind {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .unknown
    }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
  }

  /// Makes the folders that lead to a path, durably; those that are there stay as they are.
  static func makeFolders(above path: String) throws(LedgerError) {
    var missing: [String] = []
    var rest = path
    while let slash = rest.utf8.lastIndex(of: 0x2f), slash > rest.startIndex {
      rest = String(rest[..<slash])
      guard of(rest) == .missing else { break }
      missing.append(rest)
    }
    for folder in missing.reversed() {
      do throws(LedgerError) {
        _ = try LedgerError.typing { try LocalDirectory.create(path: folder) }
      } catch {
        // Another process was faster.
        guard error.code == .alreadyExists, of(folder) == .folder else { throw error }
      }
    }
  }
}
