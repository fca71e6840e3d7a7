import LedgerCore
import LedgerStorage
import LedgerTestSupport
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
