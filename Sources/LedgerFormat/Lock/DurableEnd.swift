import LedgerCore

/// Up to where the active segment is known to be durable, as LOCK tells those who read it later.
///
/// A frame names what was durable before it: of the last one nobody would know that it was, and a damaged one could be taken for
/// what a crash left. So whoever gives the folder lock back leaves word in LOCK. It also tells a list of files that went back to an
/// older one: an event that was durable in a segment which the list does not have is in the list, or the list is out of date.
///
/// Invariants:
/// - it is written only once a sync to there has succeeded, so that it is true however old it is;
/// - it needs no sync itself: one that is lost or torn (its checksum tells) leaves what the frames say;
/// - it is about one ledger, whose id its checksum covers: where files of another came into the folder, it says nothing;
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
  package static let byteCount = 32

  /// What stands in LOCK where it says nothing.
  package static let nothing = [UInt8](repeating: 0, count: byteCount)

  package init(segment: UInt64, position: UInt64, sequence: UInt64) {
    self.segment = segment
    self.position = position
    self.sequence = sequence
  }

  /// What the bytes in its place say of a ledger; nil where they say nothing, or nothing whole.
  package init?(_ bytes: [UInt8], of ledger: ReplicaID) {
    var reader = ByteReader(bytes)
    guard let id = try? reader.u64(), let position = try? reader.u64(),
      let sequence = try? reader.u64(), let found = try? reader.u64(),
      found == Self.checksum(bytes.prefix(24), ledger)
    else { return nil }
    self.init(segment: id, position: position, sequence: sequence)
  }

  /// The bytes as they stand in LOCK of a ledger.
  package func encoded(for ledger: ReplicaID) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u64: segment)
    bytes.append(u64: position)
    bytes.append(u64: sequence)
    bytes.append(u64: Self.checksum(bytes[...], ledger))
    return bytes
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>, _ ledger: ReplicaID) -> UInt64 {
    var covered = Array(bytes)
    covered.append(replica: ledger)
    return LedgerFormat.checksum(of: covered)
  }
}
