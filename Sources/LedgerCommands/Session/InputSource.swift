import LedgerCore
import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A stream of bytes to read.
package protocol InputSource: AnyObject {
  /// The next bytes, at most so many; none at the end.
  func read(_ count: Int) throws(LedgerError) -> [UInt8]
  /// Whether nothing more is there for the moment, though something may come.
  func isWaiting() -> Bool
}

/// A descriptor of the process.
package final class DescriptorSource: InputSource {
  private let descriptor: Int32
  private let path: String
  private let isOwned: Bool

  /// How long a stream may pause before it counts as waiting, in milliseconds: shorter pauses are those of a writer who is
  /// merely slower than we are, and a sync for each of them would slow both.
  private static let pauseMilliseconds: Int32 = 5

  /// A descriptor that somebody else closes.
  package init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    path = name
    isOwned = false
  }

  /// What a stream of commands consists of, as errors call it.
  package static let lines = "the lines"

  /// Opens a file, a pipe or a device.
  ///
  /// - Parameter what: what is in it, as an error calls it.
  /// - Throws: `LedgerError` with code `notFound` when it cannot be opened for reading, whatever the reason.
  package init(path: String, of what: String = lines) throws(LedgerError) {
    self.path = path
    isOwned = true
    var number: Int32
    repeat { number = open(path, O_RDONLY | O_CLOEXEC) } while number < 0 && errno == EINTR
    guard number >= 0 else { throw Self.unreadable(path, what, errno) }
    descriptor = number
    if PathKind.of(path).isFolder { throw Self.unreadable(path, what, EISDIR) }
  }

  /// Finds out whether a file can be read, without opening it: a pipe that is opened and closed again has lost its writer.
  ///
  /// - Throws: as `init(path:)`.
  package static func check(_ path: String) throws(LedgerError) {
    guard access(path, R_OK) == 0 else { throw unreadable(path, lines, errno) }
    guard !PathKind.of(path).isFolder else { throw unreadable(path, lines, EISDIR) }
  }

  private static func unreadable(_ path: String, _ what: String, _ code: Int32) -> LedgerError {
    LedgerError(
      .notFound, "cannot read \(what)", path: path, cause: Errno(code).text,
      hint: [ENOENT, EISDIR].contains(code)
        ? "name a file, or - for standard input" : Errno(code).hint,
      systemError: code)
  }

  deinit { if isOwned { close(descriptor) } }

  package func read(_ count: Int) throws(LedgerError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        let moved = systemRead(descriptor, buffer)
        if moved >= 0 {
          filled = moved
          return
        }
        guard errno == EINTR || errno == EAGAIN else {
          failure = errno
          return
        }
        if errno == EAGAIN { _ = waits(milliseconds: -1) }
      }
    }
    guard failure == 0 else {
      throw LedgerError(
        .io, "cannot read from \(path.shortenedPath)", cause: Errno(failure).text,
        hint: failure == EISDIR ? "name a file, or - for standard input" : Errno(failure).hint,
        systemError: failure)
    }
    return bytes
  }

  package func isWaiting() -> Bool { waits(milliseconds: Self.pauseMilliseconds) }

  private func waits(milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, milliseconds) == 0
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
  #if canImport(Glibc)
    Glibc.read(descriptor, buffer.baseAddress, buffer.count)
  #else
    Darwin.read(descriptor, buffer.baseAddress, buffer.count)
  #endif
}
