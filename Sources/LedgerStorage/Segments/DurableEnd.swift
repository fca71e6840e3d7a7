import LedgerCore
import LedgerFormat

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
  private static let byteCount = 32

  package init(segment: UInt64, position: UInt64, sequence: UInt64) {
    self.segment = segment
    self.position = position
    self.sequence = sequence
  }

  /// What LOCK says of a ledger, of whichever segment; nil where it says nothing, or nothing whole.
  package init?(of ledger: ReplicaID, in directory: any LedgerDirectory) {
    guard let bytes = Self.bytes(in: directory) else { return nil }
    self.init(bytes, of: ledger)
  }

  /// What stands in LOCK in its place; nil where LOCK does not reach so far, or cannot be read.
  private static func bytes(in directory: any LedgerDirectory) -> [UInt8]? {
    guard let file = try? directory.open(LedgerNames.lock, .read) else { return nil }
    defer { file.close() }
    guard let bytes = try? file.read(at: Self.offset, count: Self.byteCount),
      bytes.count == Self.byteCount
    else { return nil }
    return bytes
  }

  private init?(_ bytes: [UInt8], of ledger: ReplicaID) {
    var reader = ByteReader(bytes)
    guard let id = try? reader.u64(), let position = try? reader.u64(),
      let sequence = try? reader.u64(), let found = try? reader.u64(),
      found == Self.checksum(bytes.prefix(24), ledger)
    else { return nil }
    self.init(segment: id, position: position, sequence: sequence)
  }

  /// Whether LOCK holds something in its place that is none: it is damaged, or about another ledger.
  static func isBroken(of ledger: ReplicaID, in directory: any LedgerDirectory) -> Bool {
    var found: [UInt8]?
    for _ in 0..<looksMax {
      guard let bytes = bytes(in: directory), bytes != nothing,
        DurableEnd(bytes, of: ledger) == nil
      else { return false }
      // Who reads while it is written may see a part of it.
      if bytes == found { return true }
      found = bytes
      sleep(milliseconds: 1)
    }
    return false
  }

  private static let looksMax = 8

  /// The bytes as they stand in LOCK of a ledger.
  package func encoded(for ledger: ReplicaID) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u64: segment)
    bytes.append(u64: position)
    bytes.append(u64: sequence)
    bytes.append(u64: Self.checksum(bytes[...], ledger))
    return bytes
  }

  /// What stands in LOCK where it says nothing.
  static let nothing = [UInt8](repeating: 0, count: byteCount)

  private static func checksum(_ bytes: ArraySlice<UInt8>, _ ledger: ReplicaID) -> UInt64 {
    var covered = Array(bytes)
    covered.append(replica: ledger)
    return LedgerFormat.checksum(of: covered)
  }
}
