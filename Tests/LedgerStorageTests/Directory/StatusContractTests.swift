import LedgerCore
import LedgerStorage
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `Every directory, how files stand` {
  @Test(arguments: DirectoryKind.allCases)
  func `a name and an open file tell of the same file`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [1, 2, 3])
      let status = try file.status()
      #expect(try directory.status("a") == status)
      #expect(status.size == 3)
      try directory.rename("a", to: "b")
      #expect(try directory.status("a") == nil)
      #expect(try directory.status("b")?.identity == status.identity)
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a file is told from a folder without opening it`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      try directory.make("a", [1, 2])
      try directory.makeFolder("b")
      #expect(try directory.extent("a")?.isFile == true)
      #expect(try directory.extent("a")?.size == 2)
      #expect(try directory.extent("b")?.isFile == false)
      #expect(try directory.extent("c") == nil)
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `another file under the name is another file`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [1])
      try directory.make("b", [1])
      let identity = try file.status().identity
      #expect(try directory.status("b")?.identity != identity)
      try directory.rename("b", to: "a")
      #expect(try directory.status("a")?.identity != identity)
      #expect(try file.status().identity == identity)
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a cut is seen at once, through every handle`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [UInt8](repeating: 1, count: 100))
      let before = try file.status()
      try directory.open("a", .readWrite).truncate(to: 40)
      #expect(try file.status().size == 40)
      #expect(try directory.status("a") != before)
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `names that lead out of the folder are refused here as everywhere`(
    _ kind: DirectoryKind
  ) throws {
    try kind.with { directory in
      try directory.make("a")
      for name in ["", "/a", "a/", ".", "..", "../a", "f/../a", "a//b", "a\u{0}b"] {
        expectFailure(EINVAL) { _ = try directory.status(name) }
      }
      expectFailure(ENAMETOOLONG) { _ = try directory.status(String(repeating: "x", count: 256)) }
      #expect(try directory.status("...") == nil)
      #expect(try directory.status("no/a") == nil)
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `data is never overlooked behind a hole`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a")
      #expect(try file.nextData(from: 0) == nil)
      try file.write([1], at: 3 << 20)
      try file.truncate(to: 8 << 20)
      let first = try #require(try file.nextData(from: 0))
      #expect(first <= 3 << 20)
      #expect(try file.nextData(from: 3 << 20) == 3 << 20)
      #expect(try file.nextData(from: 8 << 20) == nil)
      if let next = try file.nextData(from: 5 << 20) { #expect(next >= 5 << 20 && next < 8 << 20) }
    }
  }
}
