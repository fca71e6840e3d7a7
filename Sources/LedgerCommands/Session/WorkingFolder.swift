import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where a command runs, as far as the place has a name that this program can say.
package enum WorkingFolder: Equatable, Sendable {
  /// An absolute path.
  case path(String)
  /// The path is not UTF-8: what lies below and above it is reached by relative paths.
  case nameless
  /// It was removed, or the system does not say where it is.
  case missing

  /// What to put before a name for each folder from this one up to the root, the nearest first.
  var prefixesUpward: [String] {
    switch self {
    case .path(let path): Self.prefixes(of: path)
    case .nameless: Self.relativePrefixes()
    case .missing: []
    }
  }

  private static func prefixes(of path: String) -> [String] {
    var prefixes: [String] = []
    var rest = path.utf8.last == 0x2f ? path : path + "/"
    while !rest.isEmpty {
      prefixes.append(rest)
      let parent = rest.utf8.dropLast()
      guard let slash = parent.lastIndex(of: 0x2f) else { break }
      rest = String(rest[...slash])
    }
    return prefixes
  }

  /// Above the root is the root again.
  private static func relativePrefixes() -> [String] {
    var prefixes: [String] = []
    var prefix = ""
    var last: FolderIdentity?
    while let folder = FolderIdentity("./" + prefix), folder != last {
      prefixes.append(prefix)
      last = folder
      prefix += "../"
    }
    return prefixes
  }
}

/// Which folder it is, whatever it is called.
private struct FolderIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
