import LedgerCore
import LedgerStorage
import Testing

@Suite struct `Every directory, locks` {
  @Test(arguments: DirectoryKind.allCases)
  func `an exclusive lock excludes every other`(_ kind: DirectoryKind) throws {
    try withTwoHandles(kind) { one, two in
      #expect(try one.tryLock(.exclusive))
      #expect(try !two.tryLock(.exclusive))
      #expect(try !two.tryLock(.shared))
      try one.unlock()
      #expect(try two.tryLock(.exclusive))
      #expect(try !one.tryLock(.shared))
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `shared locks exclude exclusive ones only`(_ kind: DirectoryKind) throws {
    try withTwoHandles(kind) { one, two in
      #expect(try one.tryLock(.shared))
      #expect(try two.tryLock(.shared))
      #expect(try one.tryLock(.shared))
      try two.unlock()
      try two.unlock()
      #expect(try !two.tryLock(.exclusive))
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `asking again changes the kind`(_ kind: DirectoryKind) throws {
    try withTwoHandles(kind) { (one, two) throws in
      #expect(try one.tryLock(.shared))
      #expect(try one.tryLock(.exclusive))
      #expect(try !two.tryLock(.shared))
      #expect(try one.tryLock(.shared))
      #expect(try two.tryLock(.shared))
      #expect(try !one.tryLock(.exclusive))
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a refused change of kind loses the lock, as on Linux`(_ kind: DirectoryKind) throws {
    #if os(Linux)
      try withTwoHandles(kind) { (one, two) throws in
        #expect(try one.tryLock(.shared))
        #expect(try two.tryLock(.shared))
        #expect(try !one.tryLock(.exclusive))
        #expect(try two.tryLock(.exclusive))
      }
    #endif
  }

  @Test(arguments: DirectoryKind.allCases)
  func `closing releases, and so does the last reference`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let one = try directory.make("LOCK")
      var two: (any LedgerFile)? = try directory.open("LOCK", .readWrite)
      #expect(try one.tryLock(.exclusive))
      one.close()
      #expect(try two?.tryLock(.exclusive) == true)
      two = nil
      #expect(try directory.open("LOCK", .read).tryLock(.exclusive))
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a folder can be locked`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      try directory.makeFolder("f")
      let (root, again) = (try directory.open("", .folder), try directory.open("", .folder))
      let other = try directory.open("f", .folder)
      #expect(try root.tryLock(.exclusive))
      #expect(try !again.tryLock(.shared))
      #expect(try other.tryLock(.exclusive))
    }
  }

  @Test(arguments: DirectoryKind.allCases)
  func `a lock belongs to the file, not to its name`(_ kind: DirectoryKind) throws {
    try kind.with { directory in
      let one = try directory.make("LOCK")
      let two = try directory.open("LOCK", .readWrite)
      #expect(try one.tryLock(.exclusive))
      try directory.rename("LOCK", to: "moved")
      let new = try directory.make("LOCK")
      #expect(try new.tryLock(.exclusive))
      #expect(try !two.tryLock(.exclusive))
      try directory.unlink("moved")
      #expect(try !two.tryLock(.exclusive))
    }
  }

  private func withTwoHandles(
    _ kind: DirectoryKind, _ test: (any LedgerFile, any LedgerFile) throws -> Void
  ) throws {
    try kind.with { directory in
      try test(try directory.make("LOCK"), try directory.open("LOCK", .readWrite))
    }
  }
}
