import LedgerCore

/// Bytes that can be read at any place: a file, or bytes in memory.
package protocol ByteSource: AnyObject, Sendable {
  /// As messages name it.
  var path: String { get }

  /// The number of bytes.
  func size() throws(LedgerError) -> UInt64

  /// Exactly `count` bytes at `offset`.
  ///
  /// - Throws: `LedgerError` with code `damaged` where there are fewer.
  func read(at offset: UInt64, count: Int) throws(LedgerError) -> [UInt8]
}

/// Bytes in memory.
package final class MemorySource: ByteSource {
  package let path: String
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8], path: String = "memory") {
    self.bytes = bytes
    self.path = path
  }

  package func size() -> UInt64 { UInt64(bytes.count) }

  package func read(at offset: UInt64, count: Int) throws(LedgerError) -> [UInt8] {
    guard count >= 0, offset <= UInt64(bytes.count), UInt64(count) <= UInt64(bytes.count) - offset
    else {
      throw LedgerError(
        .damaged, "expected \(count) bytes, the end comes earlier", path: path, offset: offset)
    }
    return Array(bytes[Int(offset)..<Int(offset) + count])
  }
}
