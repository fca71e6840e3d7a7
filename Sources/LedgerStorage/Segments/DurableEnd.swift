import LedgerCore
import LedgerFormat

/// Up to where the active segment is known to be durable, as LOCK tells those who read it later.
///
/// A frame names what was durable before it: of the last one nobody would know that it was, and a damaged one could be taken for
/// what a crash left. So whoever gives the folder lock back leaves word in LOCK.
///
/// Invariants:
/// - it is written only once a sync to there has succeeded, so that it is true however old it is;
/// - it needs no sync itself: one that is lost or torn (its checksum tells) leaves what the frames say;
/// - whoever reads the segment reads it first: what it says was there already then.
package struct DurableEnd: Equatable {
  /// The active segment's random id.
  package let segment: UInt64
  /// Where its last durable frame ends.
  package let position: UInt64
  /// The last event there.
  package let sequence: UInt64

  /// Where it stands in LOCK.
  package static let offset: UInt64 = 16
  private static let byteCount = 32

  package init(segment: UInt64, position: UInt64, sequence: UInt64) {
    self.segment = segment
    self.position = position
    self.sequence = sequence
  }

  /// What LOCK says of a segment; nil where it says nothing, or nothing whole.
  package init?(of segment: UInt64, in directory: any LedgerDirectory) {
    guard let file = try? directory.open(LedgerNames.lock, .read) else { return nil }
    defer { file.close() }
    guard let bytes = try? file.read(at: Self.offset, count: Self.byteCount),
      bytes.count == Self.byteCount
    else { return nil }
    var reader = ByteReader(bytes)
    guard let id = try? reader.u64(), let position = try? reader.u64(),
      let sequence = try? reader.u64(), let found = try? reader.u64(),
      found == checksum(of: bytes, in: 0..<24), id == segment
    else { return nil }
    self.init(segment: id, position: position, sequence: sequence)
  }

  /// The bytes as they stand in LOCK.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u64: segment)
    bytes.append(u64: position)
    bytes.append(u64: sequence)
    bytes.append(u64: checksum(of: bytes, in: 0..<bytes.count))
    return bytes
  }
}
