import LedgerFormat
import LedgerStorage
import LedgerTestSupport
import TaskLedger

extension TestDisk {
  /// Puts one segment in the place of all sealed ones, as a compaction does: snapshots then end in its middle.
  func mergeAllSealed() throws {
    let pool = ZstdPool()
    let held = try HeldManifest.load(from: memory)
    var manifest = held.manifest
    let entries = manifest.segments.filter { $0.kind == .sealed }
    guard let first = entries.first, let last = entries.last else { return }
    var events: [Event] = []
    let view = try LogOpening.open(memory, pool: pool).view
    try view.forEachPortion(after: 0) { (portion) throws(LedgerError) in
      events += portion.filter { $0.sequence <= last.lastSequence }
      return true
    }
    let bytes = try SortedRun.bytes(
      of: events, ledger: manifest.ledger, digests: (first.digestBefore, last.digestAfter),
      level: 1, zstd: try Zstd())
    // The checksum of the footer stands before its magic.
    var tail = ByteReader(bytes, bytes.count - 12..<bytes.count - 4)
    var merged = last
    merged.firstSequence = first.firstSequence
    merged.eventCount = UInt64(events.count)
    merged.digestBefore = first.digestBefore
    merged.end = UInt64(bytes.count)
    merged.checksum = try tail.u64()
    merged.newest = events.map(\.stamp).max()
    merged.file = LedgerNames.sealedSegment(
      first: merged.firstSequence, last: merged.lastSequence, unique: 77)
    manifest.segments.replaceSubrange(0..<entries.count, with: [merged])
    manifest.number += 1
    try overwrite(LedgerNames.inSegments(merged.file), with: bytes)
    let encoded = manifest.encoded
    try overwrite(LedgerNames.manifest(manifest.number), with: encoded)
    try overwrite(
      LedgerNames.current,
      with: CurrentFile(
        ledger: manifest.ledger, manifestNumber: manifest.number, manifestBytes: encoded
      ).encoded)
  }
}
