import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a directory was about to do, in the words of its error.
///
/// The real, the in-memory and the faulty directory share these sentences, so that a test that passes with
/// a fault injected also shows the text that a user would read.
package struct Attempt {
  /// The system call, for the cause, where the failure does not name it.
  let call: String
  /// What was tried, so that "in <path>" can follow it.
  let sentence: String
  /// The file, or the folder that holds the entry.
  let path: String
  /// The position in the file.
  var offset: UInt64?
  /// Whether a file or folder of the ledger was to be opened, in whose place something else can stand.
  var opensPart = false

  /// The error to throw when the call failed.
  package func failure(_ errno: Errno, hint: String? = nil) -> LedgerError {
    let code: LedgerError.Code =
      switch errno.code {
      case ENOENT: .notFound
      case EEXIST: .alreadyExists
      default: .io
      }
    return LedgerError(
      code, sentence, path: path, offset: offset, cause: "\(errno.call ?? call): \(errno.text)",
      hint: hint ?? (opensPart ? Self.placeHint(errno) : nil) ?? errno.hint,
      systemError: errno.code)
  }

  /// What to do where something else stands in the place of a file or folder.
  private static func placeHint(_ errno: Errno) -> String? {
    switch errno.code {
    case EISDIR: "a folder stands where a file of the ledger belongs; put the file back"
    case ENXIO: "a pipe or a device stands where a file of the ledger belongs; put the file back"
    case ELOOP: "a symbolic link stands where a file of the ledger belongs; put the file back"
    case ENOTDIR:
      "a file or a symbolic link stands where a folder of the ledger belongs; put the folder back"
    default: nil
    }
  }
}

/// Runs `body` and gives its error the words of the attempt, which are only built when it fails.
func trying<Result>(
  _ attempt: @autoclosure () -> Attempt, _ body: () throws(Errno) -> Result
) throws(LedgerError) -> Result {
  do throws(Errno) {
    return try body()
  } catch {
    throw attempt().failure(error)
  }
}

// Calls that name an entry say "<name> in <its folder>".
extension Attempt {
  static func open(_ name: String, _ mode: OpenMode, in root: String) -> Attempt {
    let verb =
      switch mode {
      case .read, .readWrite: "open"
      case .create: "create"
      case .folder: "open the folder"
      }
    var attempt = entry("openat", verb, name, in: root)
    attempt.opensPart = !name.isEmpty
    return attempt
  }

  static func makeFolder(_ name: String, in root: String) -> Attempt {
    entry("mkdirat", "make the folder", name, in: root)
  }

  static func unlink(_ name: String, in root: String) -> Attempt {
    entry("unlinkat", "remove", name, in: root)
  }

  static func rename(_ name: String, to newName: String, in root: String) -> Attempt {
    Attempt(call: "renameat", sentence: "cannot rename \(name) to \(newName)", path: root)
  }

  static func status(_ name: String, in root: String) -> Attempt {
    entry("fstatat", "look at", name, in: root)
  }

  static func list(_ folder: String, in root: String) -> Attempt {
    Attempt(call: "readdir", sentence: "cannot list the entries", path: joinPath(root, folder))
  }

  static func watch(in root: String) -> Attempt {
    Attempt(call: "watch", sentence: "cannot watch the folder", path: root)
  }

  static func syncFolder(_ folder: String, in root: String) -> Attempt {
    Attempt(call: "fsync", sentence: "cannot sync the entries", path: joinPath(root, folder))
  }

  private static func entry(
    _ call: String, _ verb: String, _ name: String, in root: String
  ) -> Attempt {
    let (folder, last) = splitPath(joinPath(root, name))
    return Attempt(call: call, sentence: "cannot \(verb) \(last.shortened(to: 255))", path: folder)
  }
}

// Calls on an open file say what was tried "in <file> at byte <offset>".
extension Attempt {
  static func size(_ path: String) -> Attempt {
    Attempt(call: "fstat", sentence: "cannot read the length", path: path)
  }

  static func seekData(from offset: UInt64, _ path: String) -> Attempt {
    Attempt(call: "lseek", sentence: "cannot look for data", path: path, offset: offset)
  }

  static func read(_ count: Int, at offset: UInt64, _ path: String) -> Attempt {
    Attempt(call: "pread", sentence: "cannot read \(bytes(count))", path: path, offset: offset)
  }

  static func write(_ count: Int, at offset: UInt64, _ path: String) -> Attempt {
    Attempt(call: "pwrite", sentence: "cannot write \(bytes(count))", path: path, offset: offset)
  }

  static func sync(_ path: String) -> Attempt {
    #if canImport(Glibc)
      let call = "fdatasync"
    #else
      let call = "fcntl(F_FULLFSYNC)"
    #endif
    return Attempt(call: call, sentence: "cannot sync what was written", path: path)
  }

  static func truncate(to size: UInt64, _ path: String) -> Attempt {
    Attempt(call: "ftruncate", sentence: "cannot set the length to \(bytes(size))", path: path)
  }

  static func lock(_ kind: LockKind, _ path: String) -> Attempt {
    let article = kind == .shared ? "a shared" : "an exclusive"
    return Attempt(call: "flock", sentence: "cannot take \(article) lock", path: path)
  }

  static func unlock(_ path: String) -> Attempt {
    Attempt(call: "flock", sentence: "cannot release the lock", path: path)
  }

  private static func bytes(_ count: some BinaryInteger) -> String {
    count == 1 ? "1 byte" : "\(count) bytes"
  }
}
