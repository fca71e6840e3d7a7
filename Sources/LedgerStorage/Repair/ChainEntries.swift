import LedgerCore
import LedgerFormat

/// Makes the entries of closed segments of a list that is remade from files, and of the gaps between them.
struct ChainEntries {
  private let replica: ReplicaID
  private let known: [Manifest]
  /// No event of any file was stamped later.
  private let newest: Stamp
  private var ownCount: UInt64 = 0
  private(set) var segments: [SegmentEntry] = []
  /// The events that no file holds, and of which no list says that they were lost before.
  private(set) var lost = SequenceRanges()

  init(replica: ReplicaID, known: [Manifest], newest: Stamp?) {
    self.replica = replica
    self.known = known
    self.newest = newest ?? Stamp(time: .earliest, replica: replica, count: 0)
  }

  mutating func add(_ link: SegmentChain.Link) {
    let file = link.file
    // Of frames without an event nothing is left to name.
    guard link.through >= file.entry.firstSequence else { return }
    bridge(to: file.entry)
    var entry = file.entry
    if file.replica != nil {
      entry.kind = .frozen
      entry.eventCount = link.through - entry.firstSequence + 1
      entry.end = file.end
      entry.checksum = file.seed
      entry.digestAfter = link.digestAfter
      entry.newest = link.isSound ? file.newest : newest
      entry.ownCount = file.ownCount
      if !link.isSound {
        // So it is not what this says: whoever looks at it finds that it is damaged.
        entry.end = LedgerNames.closedEnd(file.name).flatMap(Self.possibleEnd) ?? file.fileEnd
        entry.checksum = ~file.seed
      }
    } else if let told = known.lazy.flatMap(\.segments).first(where: { file.isWhat($0) }) {
      entry = told
    } else {
      entry.ownCount = max(ownCount, file.counts[replica] ?? 0)
      // Of what cannot be told apart nobody is told that it was lost before.
      if file.mayHaveLostMore { lost.formUnion(entry.lost) }
    }
    ownCount = entry.ownCount
    segments.append(entry)
  }

  /// What a name says may be anything.
  private static func possibleEnd(_ end: UInt64) -> UInt64? {
    end % 8 == 0 && end >= UInt64(ActiveHeader.byteCount) && end < 1 << 62 ? end : nil
  }

  /// Fills the gap before a segment with one that is lost whole.
  mutating func bridge(to entry: SegmentEntry) {
    let next = (segments.last?.lastSequence ?? 0) + 1
    guard next < entry.firstSequence else { return }
    let range = SequenceRanges(next...entry.firstSequence - 1)
    let gap = SegmentEntry(
      kind: .salvaged, file: "", segment: 0, firstSequence: next, eventCount: range.count,
      end: 0, checksum: 0, digestBefore: segments.last?.digestAfter ?? .zero,
      digestAfter: entry.digestBefore, ownCount: ownCount, newest: newest, lost: range)
    segments.append(gap)
    lost.formUnion(range)
  }
}
