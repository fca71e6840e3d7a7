import LedgerCore
import LedgerFormat

/// The first bytes of a source, as if it ended there.
final class ByteSourcePrefix: ByteSource {
  private let source: any ByteSource
  private let count: UInt64

  /// - Parameter count: no more than the source has.
  init(_ source: any ByteSource, count: UInt64) {
    self.source = source
    self.count = count
  }

  var path: String { source.path }

  func size() throws(LedgerError) -> UInt64 { count }

  func read(at offset: UInt64, count wanted: Int) throws(LedgerError) -> [UInt8] {
    guard offset <= count, UInt64(wanted) <= count - offset else {
      throw LedgerError(
        .damaged, "expected \(wanted) bytes, the part that is read ends at \(count)", path: path,
        offset: offset, hint: LedgerError.repairHint)
    }
    return try source.read(at: offset, count: wanted)
  }
}
