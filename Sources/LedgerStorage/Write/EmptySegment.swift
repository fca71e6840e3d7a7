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
    SegmentEntry(
      kind: .active,
      file: LedgerNames.activeSegment(first: header.firstSequence, segment: header.segment),
      segment: header.segment, firstSequence: header.firstSequence, eventCount: 0,
      end: UInt64(ActiveHeader.byteCount), checksum: checksum(of: header.encoded),
      digestBefore: header.digestBefore, digestAfter: header.digestBefore,
      ownCount: header.countBefore, newest: nil)
  }

  /// Makes its file, durable with its name when this returns; leaves nothing behind when it fails.
  func makeFile(in directory: any LedgerDirectory, extensionBytes: UInt64) throws {
    let file = try SegmentFile.create(
      header, named: entry.file, in: directory, extensionBytes: extensionBytes)
    file.file.close()
  }
}
