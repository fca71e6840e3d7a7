import LedgerCore
import LedgerFormat

/// Walks the log, segment by segment, up to the last transaction that lies before a moment.
struct FoldScan {
  private let moment: FoldCut
  private let replica: ReplicaID
  /// The end of the last transaction so far.
  private(set) var cut: FoldPlan.Cut?
  /// Whether the moment was reached.
  private(set) var isOver = false
  /// The salvaged segment inside of which it was, or may have been: there the history cannot be cut.
  private(set) var uncut: SegmentEntry?

  init(_ moment: FoldCut, replica: ReplicaID) {
    self.moment = moment
    self.replica = replica
  }

  /// What the scan needs of an event.
  private struct Head {
    var stamp: Stamp
    var endsTransaction: Bool
    var leaf: Digest
  }

  /// Takes a sealed segment, or the baseline.
  ///
  /// - Returns: whether events of it lie before the moment.
  mutating func pass(_ segment: SealedSegment, _ pool: ZstdPool) throws(LedgerError) -> Bool {
    let entry = segment.entry
    let run = try segment.run(pool)
    if moment.includesAll(of: run.footer) {
      cut = FoldPlan.Cut(
        sequence: entry.lastSequence,
        newest: max(cut?.newest ?? run.footer.newest, run.footer.newest),
        digest: entry.digestAfter, ownCount: entry.ownCount)
      return true
    }
    guard entry.kind == .sealed else {
      if entry.kind == .salvaged { try stop(in: entry, run, pool) }
      isOver = true
      return false
    }
    let before = cut?.sequence
    pass(try Self.heads(of: run, pool), of: entry)
    return cut?.sequence != before
  }

  /// Takes a segment of which nothing is left.
  ///
  /// - Returns: whether it lies before the moment.
  mutating func pass(lost entry: SegmentEntry) -> Bool {
    guard let newest = entry.newest, includes(newest, entry.lastSequence) else {
      if case .sequence(let last) = moment, last >= entry.firstSequence { uncut = entry }
      isOver = true
      return false
    }
    // Of nothing there is no baseline: it goes with what follows.
    guard let before = cut else { return true }
    cut = FoldPlan.Cut(
      sequence: entry.lastSequence, newest: max(before.newest, newest),
      digest: entry.digestAfter, ownCount: entry.ownCount)
    return true
  }

  /// Notes that the moment lies inside a salvaged segment, behind events of it.
  private mutating func stop(
    in entry: SegmentEntry, _ run: SealedRun, _ pool: ZstdPool
  ) throws(LedgerError) {
    var isBehind = false
    if case .sequence(let last) = moment { isBehind = last >= entry.firstSequence }
    try pool.with { (zstd) throws(LedgerError) in
      try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in
        isBehind = isBehind || includes(event.stamp, event.sequence)
      }
    }
    if isBehind { uncut = entry }
  }

  /// Takes a segment of frames with its events.
  mutating func pass(_ segment: FrameSegment, _ events: [Event]) {
    var scratch: [UInt8] = []
    let heads = events.map { event in
      Head(
        stamp: event.stamp, endsTransaction: event.endsTransaction,
        leaf: EventDigest.leaf(event, scratch: &scratch))
    }
    pass(heads, of: segment.entry)
  }

  /// In order of sequence.
  private static func heads(
    of run: SealedRun, _ pool: ZstdPool
  ) throws(LedgerError) -> [Head] {
    let first = run.footer.firstSequence
    var heads = [Head?](repeating: nil, count: Int(run.footer.eventCount))
    var scratch: [UInt8] = []
    try pool.with { (zstd) throws(LedgerError) in
      try run.forEachEvent(zstd: zstd) { (event) throws(LedgerError) in
        // A block reader lets no number pass that lies outside the segment.
        heads[Int(event.sequence - first)] = Head(
          stamp: event.stamp, endsTransaction: event.endsTransaction,
          leaf: EventDigest.leaf(event, scratch: &scratch))
      }
    }
    let known = heads.compactMap(\.self)
    guard known.count == heads.count else {
      throw LedgerError(.damaged, "an event is missing").located(in: run.source.path)
    }
    return known
  }

  private mutating func pass(_ heads: [Head], of entry: SegmentEntry) {
    var digest = entry.logDigestBefore
    var newest = cut?.newest
    var ownCount = cut?.ownCount ?? 0
    for head in heads {
      guard includes(head.stamp, digest.sequence + 1) else {
        isOver = true
        return
      }
      digest.append(leaf: head.leaf)
      let latest = max(newest ?? head.stamp, head.stamp)
      newest = latest
      if head.stamp.replica == replica { ownCount = max(ownCount, head.stamp.count) }
      guard head.endsTransaction else { continue }
      cut = FoldPlan.Cut(
        sequence: digest.sequence, newest: latest, digest: digest.value, ownCount: ownCount)
    }
  }

  private func includes(_ stamp: Stamp, _ sequence: UInt64) -> Bool {
    switch moment {
    case .present: true
    case .sequence(let last): sequence <= last
    case .time(let last): stamp.time <= last
    }
  }
}
