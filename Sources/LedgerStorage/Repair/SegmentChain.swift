import LedgerCore
import LedgerFormat

/// Puts files of segments together to a log: each goes on from the sequence number and the log digest with which the one before
/// ends. Where nothing does, the events up to the next file are lost: how many they are, and the log digests around them, is known.
struct SegmentChain {
  /// A list that is remade from files.
  struct Remade {
    var manifest: Manifest
    /// The events that no file holds.
    var lost = SequenceRanges()
    /// Whether every event is there.
    var isWhole: Bool
    /// Whether it may be that of a backup, whose replica goes on elsewhere.
    var mayBeBackup: Bool
  }

  private let files: [SegmentInventory.File]
  private let word: DurableEnd?

  /// - Parameter word: what LOCK tells.
  init(_ files: [SegmentInventory.File], word: DurableEnd?) {
    self.files = files
    self.word = word
  }

  /// The manifest that names the files from the first event to the last that any of them holds; nil where there is none, where frames
  /// are missing at the end of a closed segment, or where the invariants of a manifest do not hold.
  ///
  /// - Parameters:
  ///   - ledger: the ledger, where it is known; otherwise all files must be of one.
  ///   - known: older manifests, the newest first, for what the files do not say: what was done to the ledger.
  func remade(ledger: ReplicaID?, known: [Manifest]) -> Remade? {
    guard let ledger = ledger ?? onlyLedger else { return nil }
    let own = files.filter { $0.ledger == ledger }
    let chain = chain(own)
    guard !own.contains(where: \.isCut), let last = chain.last, let furthest = own.map(\.lastSequence).max(),
      last.lastSequence == furthest
    else { return nil }
    // In a copy nothing was ever appended to the frames of a closed segment.
    let isClosed = last.replica == nil || LedgerNames.closedEnd(last.name) != nil
    let active = isClosed ? missingActive(after: last) : last.entry
    let replica = last.replica ?? known.first?.replica ?? .random()
    let isCopied = own.contains { LedgerNames.closedEnd($0.name) != nil }
    let mayBeBackup = known.isEmpty && (isCopied || isNeverAppendedTo(last))
    var builder = Builder(replica: replica, known: known, newest: own.compactMap(\.newest).max())
    for file in isClosed ? chain[...] : chain.dropLast() { builder.add(file) }
    builder.bridge(to: active)
    let manifest = Manifest(
      ledger: ledger, number: 1, replica: replica, segments: builder.segments + [active],
      records: known.first?.records ?? [])
    guard manifest.brokenInvariants.isEmpty else { return nil }
    return Remade(
      manifest: manifest, lost: builder.lost,
      isWhole: builder.lost.isEmpty && chain.allSatisfy(\.isWhole), mayBeBackup: mayBeBackup)
  }

  private var onlyLedger: ReplicaID? {
    let ledgers = Set(files.map(\.ledger))
    return ledgers.count == 1 ? ledgers.first : nil
  }

  /// The active segment of a backup is empty, and no writer leaves word of it.
  private func isNeverAppendedTo(_ last: SegmentInventory.File) -> Bool {
    last.isWhole && last.end == UInt64(ActiveHeader.byteCount) && last.replica != nil
      && word?.segment != last.entry.segment
  }

  /// The active segment that there must have been, where no file is one: it is missing, and so nobody compares its header.
  private func missingActive(after last: SegmentInventory.File) -> SegmentEntry {
    let isNamed = word.map { $0.sequence > last.lastSequence } ?? false
    let header = ActiveHeader(
      ledger: last.ledger, segment: isNamed ? word?.segment ?? 1 : last.digestAfter.checksum | 1,
      firstSequence: last.lastSequence + 1, replica: last.ledger, digestBefore: last.digestAfter,
      countBefore: 0)
    return header.entry(
      named: LedgerNames.activeSegment(first: header.firstSequence, segment: header.segment))
  }

  /// The longest file at each point; where there is none, the next one.
  private func chain(_ files: [SegmentInventory.File]) -> [SegmentInventory.File] {
    var chain: [SegmentInventory.File] = []
    var (next, digest): (UInt64, Digest) = (1, .zero)
    while true {
      let candidates = files.filter {
        $0.entry.firstSequence == next && $0.entry.digestBefore == digest && canStand($0, files)
      }
      guard let best = candidates.max(by: precedes) ?? nearest(after: next, files) else { break }
      chain.append(best)
      guard best.lastSequence >= best.entry.firstSequence else { break }
      (next, digest) = (best.lastSequence + 1, best.digestAfter)
    }
    return chain
  }

  /// Whether it is known what follows a file, or nothing does.
  private func canStand(
    _ file: SegmentInventory.File, _ files: [SegmentInventory.File]
  ) -> Bool {
    file.isWhole || file.replica == nil
      || !files.contains { $0.entry.firstSequence > file.entry.firstSequence }
  }

  private func nearest(
    after next: UInt64, _ files: [SegmentInventory.File]
  ) -> SegmentInventory.File? {
    let later = files.filter { $0.entry.firstSequence > next && canStand($0, files) }
    let first = later.map(\.entry.firstSequence).min()
    return later.filter { $0.entry.firstSequence == first }.max(by: precedes)
  }

  /// Longer is better, of the same length what is whole, and then what was sealed.
  private func precedes(
    _ left: SegmentInventory.File, _ right: SegmentInventory.File
  ) -> Bool {
    if left.lastSequence != right.lastSequence { return left.lastSequence < right.lastSequence }
    if left.isWhole != right.isWhole { return right.isWhole }
    return (left.replica == nil ? 1 : 0) < (right.replica == nil ? 1 : 0)
  }
}

extension SegmentChain {
  /// Makes the entries of closed segments.
  private struct Builder {
    let replica: ReplicaID
    let known: [Manifest]
    /// No event of any file was stamped later.
    let newest: Stamp?
    var segments: [SegmentEntry] = []
    var lost = SequenceRanges()
    private var ownCount: UInt64 = 0

    init(replica: ReplicaID, known: [Manifest], newest: Stamp?) {
      self.replica = replica
      self.known = known
      self.newest = newest
    }

    mutating func add(_ file: SegmentInventory.File) {
      bridge(to: file.entry)
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
      segments.append(entry)
    }

    /// Fills the gap before a segment with one that is lost whole.
    mutating func bridge(to entry: SegmentEntry) {
      let next = (segments.last?.lastSequence ?? 0) + 1
      guard next < entry.firstSequence else { return }
      let range = SequenceRanges(next...entry.firstSequence - 1)
      let gap = SegmentEntry(
        kind: .salvaged, file: "", segment: 0, firstSequence: next, eventCount: range.count,
        end: 0, checksum: 0, digestBefore: segments.last?.digestAfter ?? .zero,
        digestAfter: entry.digestBefore, ownCount: ownCount,
        newest: newest ?? Stamp(time: .earliest, replica: replica, count: 0), lost: range)
      segments.append(gap)
      lost.formUnion(range)
    }
  }
}
