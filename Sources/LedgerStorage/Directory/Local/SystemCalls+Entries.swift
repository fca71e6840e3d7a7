#if canImport(Glibc)
  import CStatx
  import Glibc
#else
  import Darwin
#endif

// Names in folders.
extension SystemCalls {
  /// Opens a regular file, and nothing else: no symbolic link, no folder, no pipe that would make us wait.
  static func openFile(
    _ name: String, in folder: Int32, _ flags: Int32
  ) throws(Errno) -> Int32 {
    // O_NONBLOCK means nothing to a regular file, but opening a pipe would wait for its other end.
    let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let descriptor = try repeated("openat") { openat(folder, name, flags, 0o600) }
    return try keeping(descriptor) { status throws(Errno) in
      switch status.st_mode & S_IFMT {
      case S_IFREG: break
      case S_IFDIR: throw Errno(EISDIR)
      default: throw Errno(ENXIO)
      }
    }
  }

  /// Opens a folder inside another; "" is that folder itself.
  static func openFolder(_ name: String, in folder: Int32) throws(Errno) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    let name = name.isEmpty ? "." : name
    return try repeated("openat") { openat(folder, name, flags, 0) }
  }

  /// Opens a folder by its path, symbolic links followed.
  static func openFolder(path: String) throws(Errno) -> Int32 {
    if path.utf8.contains(0) { throw Errno(EINVAL) }
    return try repeated("openat") { openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
  }

  /// How the file stands that a name leads to, a link not followed; nil when there is none.
  static func status(_ name: String, in folder: Int32) throws(Errno) -> FileStatus? {
    try lookedUp(name, in: folder).map { FileStatus($0) }
  }

  private static func lookedUp(_ name: String, in folder: Int32) throws(Errno) -> stat? {
    var status = stat()
    do throws(Errno) {
      _ = try repeated("fstatat") { fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) }
      return status
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  /// Which file a name leads to and how long it is, a link not followed; nil when there is none.
  static func extent(_ name: String, in folder: Int32) throws(Errno) -> FileExtent? {
    #if canImport(Glibc)
      var found = ledger_extent()
      do throws(Errno) {
        _ = try repeated("statx") { ledger_find_extent(folder, name, &found) }
        return FileExtent(
          identity: FileStatus.Identity(device: found.device, number: found.number),
          size: found.size, isFile: found.is_file != 0)
      } catch {
        if error.code == ENOENT { return nil }
        // An older kernel, or a file system that tells less.
        if error.code != ENOSYS { throw error }
      }
    #endif
    guard let found = try lookedUp(name, in: folder) else { return nil }
    let status = FileStatus(found)
    return FileExtent(
      identity: status.identity, size: status.size, isFile: found.st_mode & S_IFMT == S_IFREG)
  }

  /// Which folder an open one is, and those that it lies in, from the nearest on.
  static func lineage(_ folder: Int32) throws(Errno) -> [FileStatus.Identity] {
    var lineage = [FileStatus(try status(folder)).identity]
    var name = ".."
    // The root lies in itself. What cannot be looked at ends it, too: nobody gets through there by this way.
    while let next = try? status(name, in: folder)?.identity, next != lineage.last {
      lineage.append(next)
      name += "/.."
    }
    return lineage
  }

  /// Which folder it is.
  static func identity(_ folder: Int32) throws(Errno) -> FileStatus.Identity {
    FileStatus(try status(folder)).identity
  }

  /// Which folder a path leads to, through links, too.
  static func identity(ofPath path: String) throws(Errno) -> FileStatus.Identity {
    var found = stat()
    _ = try repeated("fstatat") { fstatat(AT_FDCWD, path, &found, 0) }
    return FileStatus(found).identity
  }

  /// Whether an open folder has any name; false once it is removed.
  static func hasName(_ folder: Int32) throws(Errno) -> Bool {
    try status(folder).st_nlink > 0
  }

  static func makeFolder(_ name: String, in folder: Int32) throws(Errno) {
    _ = try repeated("mkdirat") { mkdirat(folder, name, 0o700) }
  }

  static func makeFolder(path: String) throws(Errno) {
    if path.utf8.contains(0) { throw Errno(EINVAL) }
    _ = try repeated("mkdirat") { mkdirat(AT_FDCWD, path, 0o700) }
  }

  static func rename(_ name: String, to newName: String, in folder: Int32) throws(Errno) {
    _ = try repeated("renameat") { renameat(folder, name, folder, newName) }
  }

  static func unlink(_ name: String, in folder: Int32) throws(Errno) {
    _ = try repeated("unlinkat") { unlinkat(folder, name, 0) }
  }

  /// The names in an open folder, which is closed.
  static func names(closing folder: Int32) throws(Errno) -> [String] {
    guard let stream = fdopendir(folder) else {
      let code = errno
      close(folder)
      throw Errno(code, from: "fdopendir")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      // Only errno tells the end from a failure.
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = name(of: entry)
      if name != "." && name != ".." { names.append(name) }
    }
    let code = errno
    if code != 0 { throw Errno(code, from: "readdir") }
    return names
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    // The record ends with the name: copying the struct out of it would read beyond.
    let start = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let name = UnsafeRawPointer(entry) + start
    return String(cString: name.assumingMemoryBound(to: CChar.self))
  }

  /// Closes a descriptor again when what it turned out to be is refused.
  private static func keeping(
    _ descriptor: Int32, _ check: (stat) throws(Errno) -> Void
  ) throws(Errno) -> Int32 {
    do throws(Errno) {
      try check(try status(descriptor))
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }
}

extension FileStatus {
  init(_ status: stat) {
    #if canImport(Glibc)
      let time = status.st_ctim
    #else
      let time = status.st_ctimespec
    #endif
    self.init(
      identity: Identity(
        device: UInt64(truncatingIfNeeded: status.st_dev),
        number: UInt64(truncatingIfNeeded: status.st_ino)),
      size: UInt64(clamping: status.st_size),
      changed: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec),
      isFolder: status.st_mode & S_IFMT == S_IFDIR)
  }
}
