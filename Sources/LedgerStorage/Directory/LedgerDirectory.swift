/// The folder of a ledger, at the granularity of system calls.
///
/// Everything that the storage does to the world goes through this protocol, so that tests can put a
/// memory, a counter or a fault in the place of the disk: ``LocalDirectory``, ``MemoryDirectory``,
/// ``FaultDirectory``.
///
/// - Names are relative to the folder and use `/`. An absolute name, an empty part, `.`, `..` and NUL are
///   refused with EINVAL: a name may come out of a damaged manifest.
/// - A failing call throws a `LedgerError` with code `.io` (`.notFound` for ENOENT, `.alreadyExists` for
///   EEXIST) and `systemError` set.
/// - Calls may be made on several threads at once.
package protocol LedgerDirectory: Sendable {
  /// The folder, as messages name it.
  var path: String { get }

  /// Whether ``path`` leads to the folder that was opened: that can be moved or deleted, and another put in its place.
  var isAtItsPath: Bool { get }

  /// Opens a file (openat(2), close-on-exec). A symbolic link at the last component is refused (ELOOP), and so is
  /// what is not a regular file (EISDIR, ENXIO).
  func open(_ name: String, _ mode: OpenMode) throws -> any LedgerFile

  /// Which file a name leads to, and how it stands (fstatat(2), links not followed); nil when there is none.
  func status(_ name: String) throws -> FileStatus?

  /// Which file a name leads to, and how long it is (statx(2), links not followed); nil when there is none.
  ///
  /// Unlike ``status(_:)`` it costs nothing at the next sync of the file.
  func extent(_ name: String) throws -> FileExtent?

  /// Names of what lies in `folder` ("" for the ledger folder itself), sorted by bytes.
  func list(_ folder: String) throws -> [String]

  /// Makes a folder (mkdirat(2), mode 0700). One that exists already is an error.
  func makeFolder(_ name: String) throws

  /// Atomically gives a file another name, over an existing one if there is one (renameat(2)). Durable once the
  /// folders of both names are synced, the new one first.
  func rename(_ name: String, to newName: String) throws

  /// Removes the name of a file (unlinkat(2)); who has it open keeps it.
  func unlink(_ name: String) throws

  /// Makes the entries of `folder` durable (fsync(2) of the folder).
  func syncFolder(_ folder: String) throws

  /// Which folder it is, then the one that it lies in, and so on up to the root, or as far as they can be looked at.
  func lineage() throws -> [FileStatus.Identity]

  /// Begins to wait for what is done to the ledger, by whichever process (inotify(7), kqueue(2)).
  func watch() throws -> any FolderWatch
}

extension LedgerDirectory {
  package func watch() throws -> any FolderWatch { TimedWatch() }
}

/// How a file is opened.
package enum OpenMode: Sendable, Equatable {
  /// An existing file, for reading.
  case read
  /// An existing file, for reading and writing.
  case readWrite
  /// A new file, for reading and writing (O_CREAT | O_EXCL, mode 0600).
  case create
  /// The folder itself, for locking only ("" is the ledger folder).
  case folder
}

/// Who a lock keeps out: exclusive locks everybody, shared ones those who want an exclusive one.
package enum LockKind: Sendable { case shared, exclusive }

/// An open file. Closed when the last reference goes, or by `close()`.
package protocol LedgerFile: AnyObject, Sendable {
  /// The name under which it was opened, relative to the folder.
  var name: String { get }

  /// The length in bytes (fstat(2)).
  func size() throws -> UInt64

  /// Which file it is, and how it stands (fstat(2)).
  func status() throws -> FileStatus

  /// The first place at or after `offset` that may hold other bytes than zeros; nil when only a hole follows (lseek(2),
  /// SEEK_DATA). A file system that knows of no holes answers `offset`, up to the end of the file.
  func nextData(from offset: UInt64) throws -> UInt64?

  /// Reads up to `count` bytes at `offset`; fewer only at the end of the file (pread(2), repeated
  /// after EINTR and short reads). An `offset` that the system cannot express is EINVAL.
  func read(at offset: UInt64, count: Int) throws -> [UInt8]

  /// Writes all bytes at `offset` (pwrite(2), repeated after EINTR and short writes). When it throws, any
  /// prefix of the bytes may have been written. A position that no file can have is EFBIG.
  func write(_ bytes: [UInt8], at offset: UInt64) throws

  /// Makes contents and length durable (fdatasync(2); F_FULLFSYNC on Apple systems).
  ///
  /// When it throws, what was written since the last sync may be lost in a power cut even if a later sync
  /// succeeds: the system may count the pages as clean. Only writing them again helps.
  func sync() throws

  /// Cuts or extends to `size` (ftruncate(2)).
  func truncate(to size: UInt64) throws

  /// Takes a lock of the whole file without waiting (flock(2), LOCK_NB); false when another open file
  /// description holds one that excludes it. An open file holds one lock at most; asking again changes its kind.
  /// A change of kind that is refused may also lose the lock that was held (it does on Linux).
  func tryLock(_ kind: LockKind) throws -> Bool

  /// Releases the lock (flock(2), LOCK_UN).
  func unlock() throws

  /// Closes the descriptor, which releases the lock; calls after that throw EBADF. Closing again does nothing. Calls
  /// that other threads have under way finish first.
  func close()
}
