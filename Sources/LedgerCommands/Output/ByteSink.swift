import LedgerCore
import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where bytes go: a descriptor of the process, or a test's collector.
package protocol ByteSink: AnyObject {
  /// Writes all bytes.
  func write(_ bytes: [UInt8]) throws(WriteFailure)
}

/// Why bytes could not be written.
package enum WriteFailure: Error {
  /// Nobody reads any more (EPIPE): no error to speak of, `ledger log | head` ends like this.
  case readerLeft
  /// The system refused.
  case failed(LedgerError)
}

/// A descriptor of the process.
package final class DescriptorSink: ByteSink {
  private let descriptor: Int32
  private let name: String

  /// - Parameter name: what messages call it.
  package init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  package func write(_ bytes: [UInt8]) throws(WriteFailure) {
    var written = 0
    while written < bytes.count {
      let moved = bytes.withUnsafeBytes { bytes in
        systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...]))
      }
      if moved >= 0 {
        written += moved
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case EPIPE: throw .readerLeft
      case let code:
        throw .failed(
          LedgerError(
            .io, "cannot write to \(name)", cause: Errno(code).text, hint: Errno(code).hint,
            systemError: code))
      }
    }
  }

  /// Someone else may have made the pipe or terminal that we share non-blocking.
  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&request, 1, -1)
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Glibc)
    Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  #else
    Darwin.write(descriptor, bytes.baseAddress, bytes.count)
  #endif
}
