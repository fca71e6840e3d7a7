import LedgerCore
import LedgerFormat

/// Puts files of segments together to a log: each goes on from the sequence number and the log digest with which the one before
/// ends.
struct SegmentChain {
  private let files: [SegmentInventory.File]

  init(_ files: [SegmentInventory.File]) { self.files = files }

  /// The manifest that names the files from the first event to the last that any of them holds; nil where there is none, or
  /// the invariants of a manifest do not hold.
  ///
  /// - Parameters:
  ///   - ledger: the ledger, where it is known; otherwise all files must be of one.
  ///   - known: older manifests, the newest first, for what the files do not say: what was done to the ledger.
  func manifest(ledger: ReplicaID?, known: [Manifest]) -> Manifest? {
    guard let ledger = ledger ?? onlyLedger else { return nil }
    let own = files.filter { $0.ledger == ledger }
    guard let chain = chain(own), let active = chain.last, let replica = active.replica,
      let furthest = own.map(\.lastSequence).max(), active.lastSequence == furthest
    else { return nil }
    var ownCount: UInt64 = 0
    var segments: [SegmentEntry] = []
    for file in chain.dropLast() {
      segments.append(entry(file, replica, known, &ownCount))
    }
    segments.append(active.entry)
    let manifest = Manifest(
      ledger: ledger, number: 1, replica: replica, segments: segments,
      records: known.first?.records ?? [])
    return manifest.brokenInvariants.isEmpty ? manifest : nil
  }

  private var onlyLedger: ReplicaID? {
    let ledgers = Set(files.map(\.ledger))
    return ledgers.count == 1 ? ledgers.first : nil
  }

  /// The longest file at each point; the last one is of frames, to which can be appended.
  private func chain(_ files: [SegmentInventory.File]) -> [SegmentInventory.File]? {
    var chain: [SegmentInventory.File] = []
    var (next, digest): (UInt64, Digest) = (1, .zero)
    while true {
      let candidates = files.filter {
        $0.entry.firstSequence == next && $0.entry.digestBefore == digest
      }
      guard let best = candidates.max(by: precedes) else { break }
      chain.append(best)
      guard best.lastSequence >= next else { break }
      (next, digest) = (best.lastSequence + 1, best.digestAfter)
    }
    return chain.last?.replica == nil ? nil : chain
  }

  /// Longer is better, and of the same length what was sealed.
  private func precedes(
    _ left: SegmentInventory.File, _ right: SegmentInventory.File
  ) -> Bool {
    if left.lastSequence != right.lastSequence { return left.lastSequence < right.lastSequence }
    return (left.replica == nil ? 1 : 0) < (right.replica == nil ? 1 : 0)
  }

  private func entry(
    _ file: SegmentInventory.File, _ replica: ReplicaID, _ known: [Manifest],
    _ ownCount: inout UInt64
  ) -> SegmentEntry {
    var entry = file.entry
    if file.replica != nil {
      entry.kind = .frozen
      entry.eventCount = file.lastSequence - entry.firstSequence + 1
      entry.end = file.end
      entry.checksum = file.seed
      entry.digestAfter = file.digestAfter
      entry.newest = file.newest
      entry.ownCount = file.ownCount
    } else if let told = known.lazy.flatMap(\.segments).first(where: { file.isWhat($0) }) {
      entry = told
    } else {
      entry.ownCount = max(ownCount, file.counts[replica] ?? 0)
    }
    ownCount = entry.ownCount
    return entry
  }
}
