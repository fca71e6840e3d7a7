import LedgerCore
import LedgerFormat

/// A file as a source of bytes.
///
/// It is opened for each read: a ledger can have more segments than a process may have descriptors, and the manifest that
/// is held keeps the file from being removed.
final class FileSource: ByteSource {
  let path: String
  private let directory: any LedgerDirectory
  private let name: String

  init(_ directory: any LedgerDirectory, _ name: String) {
    self.directory = directory
    self.name = name
    path = directory.pathOf(name)
  }

  func size() throws(LedgerError) -> UInt64 {
    try withFile { (file) throws(LedgerError) in try file.size() }
  }

  func read(at offset: UInt64, count: Int) throws(LedgerError) -> [UInt8] {
    try withFile { (file) throws(LedgerError) in try file.read(at: offset, count: count) }
  }

  /// Runs several calls on the file, which stays open meanwhile.
  func withFile<R>(_ body: (OpenedFile) throws(LedgerError) -> R) throws(LedgerError) -> R {
    do {
      let file = try directory.open(name, .read)
      defer { file.close() }
      return try body(OpenedFile(file, path: path))
    } catch {
      var error = LedgerError.wrapping(error)
      if error.code == .notFound { error = .missing(path) }
      if error.isOfOtherThanFile { error = error.asDamage(path: path) }
      throw error
    }
  }
}

/// A file that is open, as a source of bytes.
final class OpenedFile: ByteSource {
  let file: any LedgerFile
  let path: String

  init(_ file: any LedgerFile, path: String) {
    self.file = file
    self.path = path
  }

  func size() throws(LedgerError) -> UInt64 { try LedgerError.typing { try file.size() } }

  /// The first place at or after `offset` that is in no hole; nil when there is none.
  func nextData(from offset: UInt64) throws(LedgerError) -> UInt64? {
    try LedgerError.typing { try file.nextData(from: offset) }
  }

  func read(at offset: UInt64, count: Int) throws(LedgerError) -> [UInt8] {
    let bytes = try LedgerError.typing { try file.read(at: offset, count: count) }
    guard bytes.count == count else {
      throw LedgerError(
        .damaged, "expected \(count) bytes, the file ends after \(bytes.count)", path: path,
        offset: offset, hint: LedgerError.repairHint)
    }
    return bytes
  }
}

extension LedgerDirectory {
  /// The path of something in the folder, for messages.
  package func pathOf(_ name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }

  /// Whose a file says that it is; nil where it is no file of a ledger.
  func claimedLedger(of name: String) throws(LedgerError) -> ReplicaID? {
    try FileSource(self, name).withFile { (file) throws(LedgerError) in
      let count = min(try file.size(), UInt64(FileHeader.byteCount))
      return FileHeader.claimedLedger(in: try file.read(at: 0, count: Int(count)))
    }
  }

  /// Whether a file can be read, and does not say that it is another ledger's.
  func isNoneOfOthers(_ name: String, than ledger: ReplicaID) -> Bool {
    do throws(LedgerError) {
      return try claimedLedger(of: name).map { $0 == ledger } ?? true
    } catch {
      return error.code == .damaged
    }
  }

  /// The names in a folder; none where it is missing.
  func listIfThere(_ folder: String) throws(LedgerError) -> [String] {
    do {
      return try list(folder)
    } catch {
      let error = LedgerError.wrapping(error)
      guard error.code == .notFound else { throw error }
      return []
    }
  }

  /// All bytes of a file that has no more than some: what its length claims asks for no memory.
  func contents(of name: String, atMost most: UInt64) throws -> [UInt8] {
    let file = try open(name, .read)
    defer { file.close() }
    return try file.contents(atMost: most, path: pathOf(name))
  }

  /// Makes a file that is durable with its name when this returns; one of the same name is replaced.
  ///
  /// - Parameter fill: writes what the file holds.
  package func replaceDurably(
    _ name: String, in folder: String, _ fill: (any LedgerFile) throws -> Void
  ) throws {
    let draft = name + LedgerNames.draftSuffix
    do { try unlink(draft) } catch let error as LedgerError where error.code == .notFound {}
    let file = try open(draft, .create)
    defer { file.close() }
    do {
      try fill(file)
      try file.sync()
      try rename(draft, to: name)
    } catch {
      // On a full disk it would take the room that something smaller needs.
      try? unlink(draft)
      throw error
    }
    try syncFolder(folder)
  }

  /// Makes a new file that is durable with its name when this returns.
  package func createDurably(_ name: String, with bytes: [UInt8], in folder: String) throws {
    let file = try open(name, .create)
    defer { file.close() }
    try file.write(bytes, at: 0)
    try file.sync()
    try syncFolder(folder)
  }
}

extension LedgerFile {
  /// All bytes; `damaged` when there are more than a file of its kind can have.
  func contents(atMost most: UInt64, path: String) throws -> [UInt8] {
    let size = try size()
    guard size <= most else {
      throw LedgerError(
        .damaged, "the file has \(size) bytes, expected at most \(most)", path: path,
        hint: LedgerError.repairHint)
    }
    return try read(at: 0, count: Int(size))
  }
}

extension LedgerError {
  /// The error itself, or one that carries another kind's text.
  package static func wrapping(_ error: any Error) -> LedgerError {
    (error as? LedgerError) ?? LedgerError(.io, "\(error)")
  }

  /// Runs a body whose errors all are ledger errors but in their static type.
  @discardableResult
  package static func typing<R>(_ body: () throws -> R) throws(LedgerError) -> R {
    do { return try body() } catch { throw wrapping(error) }
  }
}
