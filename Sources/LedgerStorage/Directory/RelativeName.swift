#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parts of a name relative to the ledger folder, checked.
///
/// Names may come out of a manifest, which may be damaged or forged: one that would lead out of the folder is an
/// error, not a programmer's mistake.
struct RelativeName {
  /// The names from the folder down; none for the ledger folder itself.
  let parts: [[UInt8]]

  /// A name that may be "" for the ledger folder itself.
  init(folder name: String) throws(Errno) {
    self = name.isEmpty ? RelativeName(parts: []) : try RelativeName(name)
  }

  /// A name of something inside the ledger folder.
  ///
  /// EINVAL for an absolute name, an empty part, `.`, `..` or a NUL; ENAMETOOLONG for a part of more
  /// than 255 bytes.
  init(_ name: String) throws(Errno) {
    let slash = UInt8(ascii: "/")
    let parts = name.utf8.split(separator: slash, omittingEmptySubsequences: false).map(Array.init)
    for part in parts {
      if part.isEmpty || part == [0x2E] || part == [0x2E, 0x2E] || part.contains(0) {
        throw Errno(EINVAL)
      }
      if part.count > 255 { throw Errno(ENAMETOOLONG) }
    }
    self.init(parts: parts)
  }

  /// Checks a name without taking it apart; what is refused is the same.
  static func check(_ name: String) throws(Errno) {
    var length = 0
    var isDots = true
    func end() throws(Errno) {
      if length == 0 || (isDots && length <= 2) { throw Errno(EINVAL) }
      if length > 255 { throw Errno(ENAMETOOLONG) }
    }
    for byte in name.utf8 {
      if byte == 0 { throw Errno(EINVAL) }
      if byte == UInt8(ascii: "/") {
        try end()
        (length, isDots) = (0, true)
      } else {
        length += 1
        isDots = isDots && byte == UInt8(ascii: ".")
      }
    }
    try end()
  }

  /// Checks a name that may be "" for the ledger folder itself.
  static func check(folder name: String) throws(Errno) {
    if !name.isEmpty { try check(name) }
  }

  /// The folder that the last part is in.
  var parent: RelativeName { RelativeName(parts: Array(parts.dropLast())) }

  private init(parts: [[UInt8]]) { self.parts = parts }
}

/// A path with a name appended; `name` may be "".
func joinPath(_ path: String, _ name: String) -> String {
  if name.isEmpty { return path }
  return path.utf8.last == UInt8(ascii: "/") ? path + name : "\(path)/\(name)"
}

/// The folder of a path, and the last name in it.
func splitPath(_ path: String) -> (folder: String, last: String) {
  let slash = UInt8(ascii: "/")
  let trailing = path.utf8.reversed().prefix { $0 == slash }.count
  let trimmed = path.utf8.dropLast(trailing)
  guard let cut = trimmed.lastIndex(of: slash) else {
    return trimmed.isEmpty && !path.isEmpty ? ("/", ".") : (".", String(trimmed) ?? path)
  }
  let folder = cut == trimmed.startIndex ? "/" : String(path[..<cut])
  return (folder, String(path[trimmed.index(after: cut)..<trimmed.endIndex]))
}

/// Whether a name comes before another in the order of their UTF-8 bytes.
func precedesInBytes(_ left: String, _ right: String) -> Bool {
  left.utf8.lexicographicallyPrecedes(right.utf8)
}
