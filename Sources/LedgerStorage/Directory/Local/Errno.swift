#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The number of a failed system call, as it travels inside the directories.
///
/// It becomes a ``LedgerCore/LedgerError`` at their surface, where the name of the file is known.
package struct Errno: Error, Sendable, Equatable {
  /// The value of `errno`.
  package let code: Int32
  /// The call, where it was made; what was to be done may take more calls than one.
  package let call: String?

  package init(_ code: Int32, from call: String? = nil) {
    self.code = code
    self.call = call
  }

  /// What the system says about it, with its symbolic name: "No space left on device (ENOSPC)".
  package var text: String {
    // Names have no portable source: strerrorname_np is glibc's alone.
    guard let name = Self.names[code] else { return "\(sentence) (errno \(code))" }
    return "\(sentence) (\(name))"
  }

  /// What the user can do about it, where something general can be said.
  package var hint: String? {
    switch code {
    case ENOSPC, EDQUOT: "free some space, then try again"
    case EACCES, EPERM: "check the owner and the permissions of the file and its folder"
    case EFBIG: "raise the limit for the size of files (ulimit -f), then try again"
    case EROFS: "the file system is mounted read-only"
    case EMFILE, ENFILE: "too many files are open; raise the limit (ulimit -n), then try again"
    case ELOOP: "a symbolic link leads back to itself; put back what it stands for"
    case EIO: "the disk may be failing; make a backup, then run `ledger verify`"
    default: nil
    }
  }

  private var sentence: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress else { return "unknown error" }
      start.initialize(repeating: 0, count: buffer.count)
      strerror_r(code, start, buffer.count)
      return String(cString: start)
    }
  }

  private static let names: [Int32: String] = [
    EACCES: "EACCES", EAGAIN: "EAGAIN", EBADF: "EBADF", EBUSY: "EBUSY", EDQUOT: "EDQUOT",
    EEXIST: "EEXIST", EFBIG: "EFBIG", EINTR: "EINTR", EINVAL: "EINVAL", EIO: "EIO",
    EISDIR: "EISDIR", ELOOP: "ELOOP", EMFILE: "EMFILE", ENAMETOOLONG: "ENAMETOOLONG",
    ENFILE: "ENFILE", ENODEV: "ENODEV", ENOENT: "ENOENT", ENOLCK: "ENOLCK", ENOMEM: "ENOMEM",
    ENOSPC: "ENOSPC", ENOSYS: "ENOSYS", ENOTDIR: "ENOTDIR", ENOTEMPTY: "ENOTEMPTY",
    ENOTSUP: "ENOTSUP", ENXIO: "ENXIO", EOVERFLOW: "EOVERFLOW", EPERM: "EPERM", EROFS: "EROFS",
    ESTALE: "ESTALE", ETXTBSY: "ETXTBSY", EXDEV: "EXDEV",
  ]
}
