import LedgerCore
import LedgerFormat

/// An active segment that is to be begun: nothing but a header.
struct EmptySegment {
  let header: ActiveHeader

  /// - Parameters:
  ///   - replica: who will make its events.
  ///   - digest: the log before it.
  ///   - ownCount: that replica's count before it.
  init(ledger: ReplicaID, replica: ReplicaID, after digest: LogDigest, ownCount: UInt64 = 0) {
    header = ActiveHeader(
      ledger: ledger, segment: .unique(),
      firstSequence: digest.sequence + 1, replica: replica, digestBefore: digest.value,
      countBefore: ownCount)
  }

  /// What a manifest says of it.
  var entry: SegmentEntry {
    header.entry(
      named: LedgerNames.activeSegment(first: header.firstSequence, segment: header.segment))
  }

  /// Makes its file, durable with its name when this returns; leaves nothing behind when it fails.
  func makeFile(in directory: any LedgerDirectory, extensionBytes: UInt64) throws {
    let file = try SegmentFile.create(
      header, named: entry.file, in: directory, extensionBytes: extensionBytes)
    file.file.close()
  }
}

extension ActiveHeader {
  /// What a manifest says of an active segment with this header.
  func entry(named file: String) -> SegmentEntry {
    SegmentEntry(
      kind: .active, file: file, segment: segment, firstSequence: firstSequence, eventCount: 0,
      end: UInt64(Self.byteCount), checksum: checksum(of: encoded), digestBefore: digestBefore,
      digestAfter: digestBefore, ownCount: countBefore, newest: nil)
  }
}
