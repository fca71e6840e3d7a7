import LedgerCore
import LedgerStorage
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `Every directory, names` {
  @Test(arguments: DirectoryKind.allCases)
  func `a missing file is not found`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let error = #expect(throws: LedgerError.self) { try directory.open("a", .read) }
      #expect(error?.code == .notFound)
      #expect(
        error?.message
          == "cannot open a in \(directory.path): openat: No such file or directory (ENOENT)")
      expectFailure(ENOENT) { _ = try directory.open("a", .readWrite) }
      expectFailure(ENOENT) { _ = try directory.open("no/a", .create) }
      expectFailure(ENOENT) { _ = try directory.open("no", .folder) }
      expectFailure(ENOENT) { _ = try directory.list("no") }
      expectFailure(ENOENT) { try directory.unlink("a") }
      expectFailure(ENOENT) { try directory.rename("a", to: "b") }
      expectFailure(ENOENT) { try directory.syncFolder("no") }
      expectFailure(ENOENT) { try directory.makeFolder("no/a") }
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `what exists is not created again`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      try directory.make("a", [1])
      try directory.makeFolder("f")
      let error = #expect(throws: LedgerError.self) { try directory.open("a", .create) }
      #expect(error?.code == .alreadyExists)
      #expect(error?.systemError == EEXIST)
      expectFailure(EEXIST) { _ = try directory.open("f", .create) }
      expectFailure(EEXIST) { try directory.makeFolder("a") }
      expectFailure(EEXIST) { try directory.makeFolder("f") }
      #expect(try directory.bytes("a") == [1])
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `files and folders are not taken for each other`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      try directory.make("a")
      try directory.makeFolder("f")
      expectFailure(EISDIR) { _ = try directory.open("f", .read) }
      expectFailure(EISDIR) { _ = try directory.open("f", .readWrite) }
      expectFailure(ENOTDIR) { _ = try directory.open("a", .folder) }
      expectFailure(ENOTDIR) { _ = try directory.open("a/b", .read) }
      expectFailure(ENOTDIR) { _ = try directory.list("a") }
      expectFailure(ENOTDIR) { try directory.syncFolder("a") }
      expectFailure(EISDIR, EPERM) { try directory.unlink("f") }
      expectFailure(EISDIR) { try directory.rename("a", to: "f") }
      expectFailure(ENOTDIR) { try directory.rename("f", to: "a") }
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `entries are listed by their bytes`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      #expect(try directory.list("") == [])
      try directory.makeFolder("segments")
      for name in ["b", "B", "ä", "a10", "a9", "z", ".x", "Z"] { try directory.make(name) }
      #expect(
        try directory.list("") == [".x", "B", "Z", "a10", "a9", "b", "segments", "z", "ä"])
      try directory.make("segments/1")
      #expect(try directory.list("segments") == ["1"])
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `two spellings of one letter are two names`(_ kind: DirectoryKind) throws {
    #if os(Linux)  // File systems of Apple take them for one.
      try kind.with { directory in
        try directory.make("\u{E9}", [1])
        try directory.make("e\u{301}", [2])
        #expect(try directory.list("").count == 2)
        #expect(try directory.bytes("\u{E9}") == [1])
      }
    #endif
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a rename replaces, and open files stay what they were`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      try directory.makeFolder("f")
      let new = try directory.make("new", [1])
      let old = try directory.make("f/name", [2])
      try directory.rename("new", to: "f/name")
      try directory.syncFolder("f")
      try directory.syncFolder("")
      #expect(try directory.list("") == ["f"])
      #expect(try directory.bytes("f/name") == [1])
      #expect(try new.allBytes() == [1])
      #expect(try old.allBytes() == [2])
      try directory.rename("f/name", to: "f/name")
      #expect(try directory.list("f") == ["name"])
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `folders are renamed over empty folders only`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      for name in ["f", "g", "h"] { try directory.makeFolder(name) }
      try directory.make("f/a", [1])
      try directory.make("g/a", [2])
      expectFailure(ENOTEMPTY, EEXIST) { try directory.rename("f", to: "g") }
      try directory.rename("f", to: "h")
      #expect(try directory.bytes("h/a") == [1])
      expectFailure(EINVAL) { try directory.rename("h", to: "h/inside") }
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `an unlinked file lives on in its handles`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [1])
      try directory.unlink("a")
      try directory.syncFolder("")
      #expect(try directory.list("") == [])
      try file.write([2], at: 1)
      try file.sync()
      #expect(try file.allBytes() == [1, 2])
      #expect(try directory.make("a", [3]).allBytes() == [3])
      #expect(try file.allBytes() == [1, 2])
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `names that lead elsewhere are refused`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      try directory.makeFolder("f")
      for name in ["/etc/passwd", "../x", "f/../../x", ".", "f/.", "f//x", "f/", "a\0b"] {
        expectFailure(EINVAL) { _ = try directory.open(name, .create) }
        expectFailure(EINVAL) { _ = try directory.open(name, .folder) }
        expectFailure(EINVAL) { _ = try directory.list(name) }
        expectFailure(EINVAL) { try directory.makeFolder(name) }
        expectFailure(EINVAL) { try directory.rename("f", to: name) }
        expectFailure(EINVAL) { try directory.rename(name, to: "g") }
        expectFailure(EINVAL) { try directory.unlink(name) }
        expectFailure(EINVAL) { try directory.syncFolder(name) }
      }
      expectFailure(EINVAL) { _ = try directory.open("", .read) }
      expectFailure(ENAMETOOLONG) {
        _ = try directory.open(String(repeating: "a", count: 256), .create)
      }
      #expect(try directory.list("") == ["f"])
    }
  }
}
