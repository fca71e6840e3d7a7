import LedgerCore
import LedgerStorage
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The directories that the contract tests run against.
enum DirectoryKind: CaseIterable, Sendable {
  case local, memory, faultAroundLocal, faultAroundMemory

  /// Runs a test with an empty directory of this kind, and removes it after.
  func with(_ test: (any LedgerDirectory) throws -> Void) throws {
    switch self {
    case .local: try withTemporaryFolder { try test(try LocalDirectory(path: $0)) }
    case .memory: try test(MemoryDirectory())
    case .faultAroundLocal:
      try withTemporaryFolder { try test(FaultDirectory(try LocalDirectory(path: $0))) }
    case .faultAroundMemory: try test(FaultDirectory(MemoryDirectory()))
    }
  }
}

/// Runs a test with the path of a new folder, and removes it with all that is in it.
func withTemporaryFolder(_ test: (String) throws -> Void) throws {
  let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var template = Array("\(parent)/ledger-test.XXXXXX".utf8CString)
  let path = try #require(mkdtemp(&template).map { String(cString: $0) })
  defer { removeTree(path) }
  try test(path)
}

private func removeTree(_ path: String) {
  if unlink(path) == 0 { return }
  if let stream = opendir(path) {
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { removeTree("\(path)/\(name)") }
    }
    closedir(stream)
  }
  rmdir(path)
}

/// Expects a `LedgerError` with one of these codes of the system.
func expectFailure(
  _ codes: Int32..., sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: LedgerError.self, sourceLocation: sourceLocation) { try body() }
  guard let code = error?.systemError else {
    Issue.record("no system error in \(String(describing: error))", sourceLocation: sourceLocation)
    return
  }
  #expect(codes.contains(code), "\(String(describing: error))", sourceLocation: sourceLocation)
}

extension LedgerDirectory {
  /// Makes a file with these contents, synced or not.
  @discardableResult
  func make(_ name: String, _ bytes: [UInt8] = [], synced: Bool = false) throws -> any LedgerFile {
    let file = try open(name, .create)
    try file.write(bytes, at: 0)
    if synced { try file.sync() }
    return file
  }

  /// The whole contents of a file.
  func bytes(_ name: String) throws -> [UInt8] { try open(name, .read).allBytes() }
}

extension LedgerFile {
  func allBytes() throws -> [UInt8] { try read(at: 0, count: Int(try size())) }
}
