import TaskLedger

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs something with the path of a new, empty folder, and removes it with all that is in it.
///
/// ```swift
/// try withTemporaryFolder { path in
///   let ledger = try Ledger.open(at: "\(path)/tasks.ledger")
///   …
/// }
/// ```
/// The folder is made in `TMPDIR`, or in `/tmp` where that is not set or empty.
///
/// - Throws: ``LedgerError`` with code `io` when the folder cannot be made; else what `body` throws.
public func withTemporaryFolder<R>(_ body: (_ path: String) throws -> R) throws -> R {
  let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
  let parent = named.isEmpty ? "/tmp" : named
  var template = Array("\(parent)/ledger-test.XXXXXX".utf8CString)
  guard let path = mkdtemp(&template).map({ String(cString: $0) }) else {
    let code = errno
    throw LedgerError(
      .io, "cannot make a temporary folder", path: parent, cause: String(cString: strerror(code)),
      hint: "let TMPDIR name a folder that can be written", systemError: code)
  }
  defer { removeTree(path) }
  return try body(path)
}

private func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  if let stream = opendir(path) {
    while let entry = readdir(stream) {
      // The record ends with the name: copying the struct out of it would read beyond.
      let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = String(
        cString: (UnsafeRawPointer(entry) + start).assumingMemoryBound(to: CChar.self))
      if name != "." && name != ".." { removeTree("\(path)/\(name)") }
    }
    closedir(stream)
  }
  rmdir(path)
}
