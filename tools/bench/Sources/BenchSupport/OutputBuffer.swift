#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Collects bytes and hands them to a file descriptor in large writes.
///
/// Millions of lines go through here, so nothing on the way makes a `String`. A failed write is
/// kept and thrown by `finish()`: checking it once costs less than a `try` on every append.
public final class OutputBuffer {
  private static let capacity = 1 << 18

  private let descriptor: Int32
  private let storage = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private var count = 0
  private var failure: Int32 = 0

  public init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
  }

  deinit {
    storage.deallocate()
  }

  /// Whether a write has failed already, so that going on is of no use.
  public var hasFailed: Bool { failure != 0 }

  public func append(byte: UInt8) {
    if count == Self.capacity { flush() }
    storage[count] = byte
    count += 1
  }

  public func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  public func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  public func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    if bytes.count > Self.capacity - count { flush() }
    if bytes.count > Self.capacity {
      writeAll(start, bytes.count)
      return
    }
    (storage + count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  public func append(decimal value: Int) {
    if value < 0 { append(byte: UInt8(ascii: "-")) }
    append(digits: value.magnitude, width: 1)
  }

  /// Decimal digits, filled with zeros on the left up to `width`.
  public func append(digits value: UInt, width: Int) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
      var rest = value
      var first = 32
      while rest > 0 || 32 - first < width {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      append(UnsafeBufferPointer(rebasing: digits[first..<32]))
    }
  }

  /// Hands over what is left and throws the first failure of any write.
  public func finish() throws {
    flush()
    if failure != 0 { throw BenchError.system("write", "the output", code: failure) }
  }

  private func flush() {
    writeAll(storage, count)
    count = 0
  }

  private func writeAll(_ start: UnsafePointer<UInt8>, _ length: Int) {
    var done = 0
    while done < length, failure == 0 {
      let written = write(descriptor, start + done, length - done)
      if written >= 0 {
        done += written
      } else if errno != EINTR {
        failure = errno
      }
    }
  }
}
