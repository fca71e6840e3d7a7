import LedgerCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file descriptor that one thread may close while others use it.
///
/// - The number is given back to the system once, after the last call that uses it has returned: a number
///   that was reused for another file meanwhile can never be written to.
/// - The mutex is held to count, never during a system call.
package final class Descriptor: Sendable {
  private struct State {
    var users = 0
    var isClosed = false
  }

  private let number: Int32
  private let state = Guarded(State())

  /// Takes ownership of an open descriptor.
  package init(owning number: Int32) { self.number = number }

  deinit { close() }

  /// Runs a call with the number, which stays valid until it returns; EBADF once closed.
  package func use<Result>(_ call: (Int32) throws(Errno) -> Result) throws(Errno) -> Result {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.users += 1 }
      return !state.isClosed
    }
    guard isOpen else { throw Errno(EBADF) }
    defer { finishUse() }
    return try call(number)
  }

  /// Lets no further call begin, and closes once those under way have returned.
  package func close() {
    let isLast = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed && state.users == 0
    }
    if isLast { SystemCalls.close(number) }
  }

  private func finishUse() {
    let isLast = state.withLock { state in
      state.users -= 1
      return state.isClosed && state.users == 0
    }
    if isLast { SystemCalls.close(number) }
  }
}
