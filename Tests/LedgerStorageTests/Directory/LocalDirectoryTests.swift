import LedgerCore
import LedgerStorage
import LedgerTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `A local directory` {
  @Test func `create makes a folder for its owner alone`() throws {
    try withTemporaryFolder { parent in
      let directory = try LocalDirectory.create(path: "\(parent)/tasks.ledger")
      try directory.make("a", [1])
      try directory.makeFolder("f")
      #expect(permissions("\(parent)/tasks.ledger") == 0o700)
      #expect(permissions("\(parent)/tasks.ledger/a") == 0o600)
      #expect(permissions("\(parent)/tasks.ledger/f") == 0o700)
      #expect(directory.path == "\(parent)/tasks.ledger")
    }
  }

  @Test func `create takes an empty folder, and a path that ends with a slash`() throws {
    try withTemporaryFolder { parent in
      #expect(mkdir("\(parent)/empty", 0o755) == 0)
      _ = try LocalDirectory.create(path: "\(parent)/empty")
      _ = try LocalDirectory.create(path: "\(parent)/slash/").make("a", [1])
      #expect(try LocalDirectory(path: "\(parent)/slash").bytes("a") == [1])
    }
  }

  @Test func `create refuses what is not an empty folder`() throws {
    try withTemporaryFolder { parent in
      let outer = try LocalDirectory(path: parent)
      try outer.make("file", [1])
      try outer.makeFolder("full")
      try outer.make("full/a", [1])
      #expect(symlink("nowhere", "\(parent)/link") == 0)
      for name in ["file", "full", "link"] {
        let error = #expect(throws: LedgerError.self) {
          try LocalDirectory.create(path: "\(parent)/\(name)")
        }
        #expect(error?.code == .alreadyExists)
        #expect(
          error?.message
            == "cannot make the folder \(name) in \(parent): mkdirat: File exists (EEXIST)")
      }
      #expect(try outer.bytes("file") == [1])
      #expect(try outer.list("full") == ["a"])
    }
  }

  @Test func `a missing parent or folder is not found`() throws {
    try withTemporaryFolder { parent in
      let error = #expect(throws: LedgerError.self) {
        try LocalDirectory.create(path: "\(parent)/no/tasks.ledger")
      }
      #expect(error?.code == .notFound)
      let second = #expect(throws: LedgerError.self) { try LocalDirectory(path: "\(parent)/no") }
      #expect(
        second?.message == "cannot open the folder no in \(parent): "
          + "openat: No such file or directory (ENOENT)")
      expectFailure(EINVAL) { _ = try LocalDirectory(path: "\(parent)\0/x") }
      expectFailure(ENOENT) { _ = try LocalDirectory(path: "") }
    }
  }

  @Test func `a symbolic link is never followed at the end of a name`() throws {
    try withTemporaryFolder { path in
      let directory = try LocalDirectory(path: path)
      try directory.make("target", [1])
      try directory.makeFolder("folder")
      #expect(symlink("target", "\(path)/link") == 0)
      #expect(symlink("folder", "\(path)/folder-link") == 0)
      expectFailure(ELOOP) { _ = try directory.open("link", .read) }
      expectFailure(ELOOP) { _ = try directory.open("link", .readWrite) }
      expectFailure(EEXIST) { _ = try directory.open("link", .create) }
      expectFailure(ELOOP, ENOTDIR) { _ = try directory.open("folder-link", .folder) }
      expectFailure(ELOOP, ENOTDIR) { _ = try directory.list("folder-link") }
      expectFailure(ELOOP, ENOTDIR) { try directory.syncFolder("folder-link") }
      #expect(try directory.list("") == ["folder", "folder-link", "link", "target"])
    }
  }

  @Test func `a pipe in the place of a file is refused without waiting`() throws {
    try withTemporaryFolder { path in
      #expect(mkfifo("\(path)/pipe", 0o600) == 0)
      let directory = try LocalDirectory(path: path)
      expectFailure(ENXIO) { _ = try directory.open("pipe", .read) }
      expectFailure(ENXIO) { _ = try directory.open("pipe", .readWrite) }
    }
  }

  @Test func `a folder that is moved keeps working`() throws {
    try withTemporaryFolder { parent in
      let directory = try LocalDirectory.create(path: "\(parent)/here")
      try directory.make("a", [1])
      #expect(rename("\(parent)/here", "\(parent)/there") == 0)
      #expect(try directory.bytes("a") == [1])
      try directory.make("b", [2], synced: true)
      try directory.syncFolder("")
      #expect(try directory.list("") == ["a", "b"])
    }
  }

  @Test func `a deleted folder is named in every error`() throws {
    try withTemporaryFolder { parent in
      let path = "\(parent)/gone"
      let directory = try LocalDirectory.create(path: path)
      #expect(rmdir(path) == 0)
      // A new folder at the old path is another one.
      #expect(mkdir(path, 0o700) == 0)
      let calls: [() throws -> Void] = [
        { _ = try directory.open("a", .read) }, { _ = try directory.open("a", .create) },
        { _ = try directory.open("", .folder) }, { _ = try directory.list("") },
        { try directory.makeFolder("f") }, { try directory.rename("a", to: "b") },
        { try directory.unlink("a") }, { try directory.syncFolder("") },
      ]
      for call in calls {
        let error = #expect(throws: LedgerError.self) { try call() }
        #expect(error?.systemError == ENOENT)
        #expect(
          error?.hint
            == "the folder \(path) was deleted while it was open; restore it from a backup")
      }
    }
  }

  @Test func `the errors of an open file name file and position`() throws {
    try withTemporaryFolder { path in
      let directory = try LocalDirectory(path: path)
      try directory.make("a")
      let file = try directory.open("a", .read)
      let error = #expect(throws: LedgerError.self) { try file.write([1, 2], at: 81920) }
      #expect(
        error?.message == "cannot write 2 bytes in \(path)/a at byte 81920: "
          + "pwrite: Bad file descriptor (EBADF)")
    }
  }

  #if os(Linux)
    @Test func `a full disk is ENOSPC`() throws {
      // The only file that is always full is a device, which a directory refuses to open: the text is tested here,
      // the behaviour with injected faults.
      #expect(Errno(ENOSPC).text == "No space left on device (ENOSPC)")
      #expect(Errno(ENOSPC).hint == "free some space, then try again")
      #expect(Errno(9999).text.hasSuffix("(errno 9999)"))
    }

    @Test func `descriptors are not inherited by programs that are started`() throws {
      try withTemporaryFolder { path in
        let directory = try LocalDirectory(path: path)
        let files = [try directory.make("a"), try directory.open("", .folder)]
        let flags = (0..<1024).filter { isOpen(Int32($0), inside: path) }.map {
          fcntl(Int32($0), F_GETFD)
        }
        #expect(flags.count == files.count + 1)
        #expect(flags.allSatisfy { $0 & FD_CLOEXEC != 0 })
      }
    }

    @Test func `closed files give their descriptors back`() throws {
      try withTemporaryFolder { path in
        let directory = try LocalDirectory(path: path)
        let kept = try directory.make("a")
        for _ in 0..<20 {
          _ = try directory.open("a", .read)
          _ = try directory.list("")
          try directory.syncFolder("")
          expectFailure(EISDIR) { _ = try LocalDirectory(path: "/").open("tmp", .read) }
        }
        kept.close()
        #expect((0..<1024).count { isOpen(Int32($0), inside: path) } == 1)
      }
    }

    private func isOpen(_ descriptor: Int32, inside path: String) -> Bool {
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(descriptor)", &target, 4096)
      let bytes = target.prefix(max(count, 0)).map(UInt8.init(bitPattern:))
      return String(decoding: bytes, as: UTF8.self).hasPrefix(path)
    }
  #endif

  private func permissions(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }
}
