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
  /// A symbolic link to what is not there.
  case danglingLink
  /// It cannot even be looked at, for this reason.
  case unknown(Errno)

  static func of(_ path: String) -> PathKind {
    var status = stat()
    if stat(path, &status) == 0 {
      return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
    }
    let code = errno
    guard code == ENOENT || code == ENOTDIR else { return .unknown(Errno(code)) }
    return lstat(path, &status) == 0 ? .danglingLink : .missing
  }

  /// Whether something is there, if only a link that leads nowhere.
  var isMissing: Bool { if case .missing = self { true } else { false } }

  var isFolder: Bool { if case .folder = self { true } else { false } }

  /// Makes the folders that lead to a path, durably; those that are there stay as they are.
  static func makeFolders(above path: String) throws(LedgerError) {
    var missing: [String] = []
    var rest = path
    while let slash = rest.utf8.lastIndex(of: 0x2f), slash > rest.startIndex {
      rest = String(rest[..<slash])
      guard of(rest).isMissing else { break }
      missing.append(rest)
    }
    for folder in missing.reversed() {
      do throws(LedgerError) {
        _ = try LedgerError.typing { try LocalDirectory.create(path: folder) }
      } catch {
        // Another process was faster.
        guard error.code == .alreadyExists, of(folder).isFolder else { throw error }
      }
    }
  }

  /// Refuses to make a folder where something else stands.
  ///
  /// - Parameters:
  ///   - purpose: what is to be done, such as "make a ledger".
  ///   - content: what is to be in the folder.
  static func refuseObstacle(
    at path: String, to purpose: String, holding content: String,
    hint: String = "name a new or an empty folder"
  ) throws {
    let found: String
    switch of(path) {
    case .other: found = "a file is there, \(content) is a folder"
    case .danglingLink: found = "a link is there that leads nowhere"
    case .folder, .missing, .unknown: return
    }
    throw CommandFailure(
      LedgerError(
        .alreadyExists, "cannot \(purpose)", path: path, cause: found, hint: hint), .cannotCreate)
  }
}
