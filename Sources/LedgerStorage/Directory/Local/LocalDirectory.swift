import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder on the disk.
///
/// - The folder is held open, and names are resolved from there: it may be renamed or moved while it is in use.
///   Once it is deleted, every call fails with ENOENT and says so.
/// - A symbolic link at the end of a name, a pipe or a device is refused; the path given at the start may
///   lead through links.
/// - Files are made with mode 0600, folders with 0700, descriptors are closed on exec.
package final class LocalDirectory: LedgerDirectory {
  /// The path as it was given.
  package let path: String
  private let folder: Descriptor
  /// False on a file system that counts no links of folders, where a deleted one cannot be told.
  private let countsLinks: Bool

  /// Opens a folder that exists.
  package convenience init(path: String) throws {
    let folder = try trying(.open("", .folder, in: path)) { () throws(Errno) in
      try SystemCalls.openFolder(path: path)
    }
    self.init(path: path, folder: Descriptor(owning: folder))
  }

  /// Opens the folder in which something would be made at a path.
  package static func parent(ofPath path: String) throws -> LocalDirectory {
    try LocalDirectory(path: splitPath(path).folder)
  }

  private init(path: String, folder: Descriptor) {
    self.path = path
    self.folder = folder
    countsLinks = (try? folder.use(SystemCalls.hasName)) == true
  }

  /// Makes a folder, durably, and opens it.
  ///
  /// An empty folder that is there already is taken as it is. Anything else at the path is refused with
  /// `.alreadyExists` and left alone.
  package static func create(path: String) throws -> LocalDirectory {
    let attempt = Attempt.makeFolder("", in: path)
    var isNew = true
    let folder = try trying(attempt) { () throws(Errno) in
      do throws(Errno) {
        try SystemCalls.makeFolder(path: path)
      } catch {
        if error.code != EEXIST { throw error }
        isNew = false
      }
      return Descriptor(owning: try openFound(path: path, isNew: isNew))
    }
    let directory = LocalDirectory(path: path, folder: folder)
    if !isNew, try !directory.list("").isEmpty {
      throw attempt.failure(Errno(EEXIST), hint: "choose a new name or an empty folder")
    }
    try directory.syncParent()
    return directory
  }

  /// Opens what lies at the path; what is not a folder counts as a name that is taken.
  private static func openFound(path: String, isNew: Bool) throws(Errno) -> Int32 {
    do throws(Errno) {
      return try SystemCalls.openFolder(path: path)
    } catch {
      let isTaken = !isNew && [ENOTDIR, ENOENT, ELOOP].contains(error.code)
      throw isTaken ? Errno(EEXIST) : error
    }
  }

  /// Makes the folder's own name durable. The parent is reached from the folder, not by the path, which may
  /// lead through a link to another place.
  private func syncParent() throws {
    try trying(.syncFolder("", in: splitPath(path).folder)) { () throws(Errno) in
      let parent = try folder.use { (folder) throws(Errno) in
        try SystemCalls.openFolder("..", in: folder)
      }
      try Descriptor(owning: parent).use(SystemCalls.syncAll)
    }
  }
}

extension LocalDirectory {
  package func open(_ name: String, _ mode: OpenMode) throws -> any LedgerFile {
    let number = try call(.open(name, mode, in: path)) { (folder) throws(Errno) in
      if mode == .folder {
        try RelativeName.check(folder: name)
        try requireNotDeleted(name)
        return try SystemCalls.openFolder(name, in: folder)
      }
      try RelativeName.check(name)
      return try SystemCalls.openFile(name, in: folder, mode.flags)
    }
    return LocalFile(
      name: name, path: joinPath(path, name), descriptor: Descriptor(owning: number))
  }

  package func status(_ name: String) throws -> FileStatus? {
    try call(.status(name, in: path)) { (folder) throws(Errno) in
      try RelativeName.check(name)
      return try SystemCalls.status(name, in: folder)
    }
  }

  package func extent(_ name: String) throws -> FileExtent? {
    try call(.status(name, in: path)) { (folder) throws(Errno) in
      try RelativeName.check(name)
      return try SystemCalls.extent(name, in: folder)
    }
  }

  package func list(_ folder: String) throws -> [String] {
    let names = try call(.list(folder, in: path)) { (root) throws(Errno) in
      try RelativeName.check(folder: folder)
      try requireNotDeleted(folder)
      return try SystemCalls.names(closing: try SystemCalls.openFolder(folder, in: root))
    }
    return names.sorted(by: precedesInBytes)
  }

  package func makeFolder(_ name: String) throws {
    try call(.makeFolder(name, in: path)) { (folder) throws(Errno) in
      try RelativeName.check(name)
      try SystemCalls.makeFolder(name, in: folder)
    }
  }

  package func rename(_ name: String, to newName: String) throws {
    try call(.rename(name, to: newName, in: path)) { (folder) throws(Errno) in
      try RelativeName.check(name)
      try RelativeName.check(newName)
      try SystemCalls.rename(name, to: newName, in: folder)
    }
  }

  package func unlink(_ name: String) throws {
    try call(.unlink(name, in: path)) { (folder) throws(Errno) in
      try RelativeName.check(name)
      try SystemCalls.unlink(name, in: folder)
    }
  }

  package func syncFolder(_ folder: String) throws {
    try call(.syncFolder(folder, in: path)) { (root) throws(Errno) in
      try RelativeName.check(folder: folder)
      try requireNotDeleted(folder)
      let opened = Descriptor(owning: try SystemCalls.openFolder(folder, in: root))
      try opened.use(SystemCalls.syncAll)
    }
  }

  package func lineage() throws -> [FileStatus.Identity] {
    try call(.status("", in: path)) { (folder) throws(Errno) in
      try SystemCalls.lineage(folder)
    }
  }

  package var isAtItsPath: Bool {
    guard let there = try? SystemCalls.identity(ofPath: path),
      let here = try? folder.use(SystemCalls.identity)
    else { return false }
    return there == here
  }

  package func watch() throws -> any FolderWatch {
    try call(.watch(in: path)) { (folder) throws(Errno) in
      #if canImport(Glibc)
        try InotifyWatch(folder)
      #else
        try KqueueWatch(folder)
      #endif
    }
  }

  /// Runs calls on the folder; once it is deleted, ENOENT and a hint that says so.
  private func call<Result>(
    _ attempt: @autoclosure () -> Attempt, _ body: (Int32) throws(Errno) -> Result
  ) throws(LedgerError) -> Result {
    do throws(Errno) {
      return try folder.use(body)
    } catch {
      let hint = "the folder \(path) was deleted while it was open; restore it from a backup"
      throw attempt().failure(error, hint: error.code == ENOENT && isDeleted ? hint : nil)
    }
  }

  /// The system lets a deleted folder be opened, synced, and listed as empty: we do not.
  private func requireNotDeleted(_ name: String) throws(Errno) {
    if name.isEmpty && isDeleted { throw Errno(ENOENT) }
  }

  private var isDeleted: Bool {
    countsLinks && (try? folder.use(SystemCalls.hasName)) == false
  }
}

extension OpenMode {
  /// The flags of open(2) for a file.
  fileprivate var flags: Int32 {
    switch self {
    case .read, .folder: O_RDONLY
    case .readWrite: O_RDWR
    case .create: O_RDWR | O_CREAT | O_EXCL
    }
  }
}
