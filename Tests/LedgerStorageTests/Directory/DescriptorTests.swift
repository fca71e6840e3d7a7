import LedgerStorage
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct `A descriptor` {
  @Test func `that is closed during a call is given back after it`() throws {
    let descriptor = try open()
    try descriptor.use { number throws(Errno) in
      descriptor.close()
      #expect(fcntl(number, F_GETFD) != -1)
    }
    // Not asked of the system: a test beside this one may have been given the number by now.
    #expect(throws: Errno(EBADF)) { try descriptor.use { _ in } }
  }

  @Test func `lets no call begin once it is closed, even while one is under way`() throws {
    let descriptor = try open()
    try descriptor.use { number throws(Errno) in
      descriptor.close()
      descriptor.close()
      #expect(throws: Errno(EBADF)) { try descriptor.use { _ in } }
      #expect(fcntl(number, F_GETFD) != -1)
    }
  }

  private func open() throws -> Descriptor {
    let number = dup(STDERR_FILENO)
    try #require(number >= 0)
    return Descriptor(owning: number)
  }
}
