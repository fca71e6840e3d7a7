import LedgerCore
import LedgerStorage
import LedgerTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `Every directory, open files` {
  @Test(arguments: DirectoryKind.allCases)
  func `what is written is read back, by any handle`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.open("a", .create)
      try file.write([1, 2, 3, 4], at: 0)
      try file.write([9, 9], at: 1)
      #expect(try file.read(at: 0, count: 4) == [1, 9, 9, 4])
      #expect(try directory.bytes("a") == [1, 9, 9, 4])
      #expect(file.name == "a")
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a read ends where the file ends`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [1, 2, 3])
      #expect(try file.read(at: 1, count: 100) == [2, 3])
      #expect(try file.read(at: 1, count: 1 << 40) == [2, 3])
      #expect(try file.read(at: 3, count: 1) == [])
      #expect(try file.read(at: 1 << 40, count: 1 << 20) == [])
      #expect(try file.read(at: 0, count: 0) == [])
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `large contents come back whole`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      let file = try directory.make("a", bytes)
      #expect(try file.allBytes() == bytes)
      #expect(try file.read(at: 100_000, count: 70_000) == Array(bytes[100_000..<170_000]))
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a write beyond the end leaves zeros between`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [1])
      try file.write([2], at: 4)
      #expect(try file.allBytes() == [1, 0, 0, 0, 2])
      try file.write([], at: 100)
      #expect(try file.size() == 5)
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `truncate cuts, and extends by zeros`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [1, 2, 3])
      try file.truncate(to: 1)
      #expect(try file.allBytes() == [1])
      try file.truncate(to: 3)
      #expect(try file.allBytes() == [1, 0, 0])
      try file.sync()
      #expect(try file.size() == 3)
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a position that no file can have is refused`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [1])
      for offset in [UInt64.max, UInt64(Int64.max), UInt64(Int64.max) + 1] {
        expectFailure(EINVAL) { _ = try file.read(at: offset, count: 1) }
        expectFailure(EFBIG) { try file.write([1], at: offset) }
      }
      expectFailure(EFBIG) { try file.truncate(to: .max) }
      #expect(try file.allBytes() == [1])
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a file opened for reading cannot be changed`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      try directory.make("a", [1])
      let file = try directory.open("a", .read)
      expectFailure(EBADF) { try file.write([2], at: 0) }
      expectFailure(EINVAL, EBADF) { try file.truncate(to: 0) }
      try file.sync()
      #expect(try file.allBytes() == [1])
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a folder handle reads and writes nothing`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let folder = try directory.open("", .folder)
      expectFailure(EISDIR) { _ = try folder.read(at: 0, count: 1) }
      expectFailure(EBADF) { try folder.write([1], at: 0) }
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `after close every call is EBADF, another close nothing`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let file = try directory.make("a", [1])
      file.close()
      file.close()
      expectFailure(EBADF) { _ = try file.size() }
      expectFailure(EBADF) { _ = try file.read(at: 0, count: 1) }
      expectFailure(EBADF) { try file.write([2], at: 0) }
      expectFailure(EBADF) { try file.sync() }
      expectFailure(EBADF) { try file.truncate(to: 0) }
      expectFailure(EBADF) { _ = try file.tryLock(.shared) }
      expectFailure(EBADF) { try file.unlock() }
      #expect(try directory.bytes("a") == [1])
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `threads may use and close one file at once`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      // Each writes its own file through a handle that another thread closes: whatever number the system gives to
      // the next file, no byte of one may end up in another.
      let others = try (0..<8).map { try directory.make("other\($0)", [UInt8($0)]) }
      inParallel(8) { worker in
        for round in 0..<50 {
          guard let file = try? directory.make("w\(worker).\(round)") else { continue }
          inParallel(2) { role in
            if role == 0 { file.close() } else { try? file.write([0xEE], at: 0) }
          }
        }
      }
      for (index, other) in others.enumerated() {
        #expect(try other.allBytes() == [UInt8(index)])
      }
    }
  }
}
