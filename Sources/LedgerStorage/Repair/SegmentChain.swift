import LedgerCore
import LedgerFormat

/// Puts files of segments together to a log: each goes on from the sequence number and the log digest with which the one before
/// ends. Where nothing does, the events up to the next file are lost: how many they are, and the log digests around them, is known.
///
/// Frames that are damaged or cut say where they begin. What follows them tells how many events they held, and the log digest after
/// these; where nothing follows, nobody knows whether events are missing behind those that any frame names.
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

  /// A file in its place.
  struct Link {
    var file: SegmentInventory.File
    /// The last event that it held, and the log digest after that.
    var through: UInt64
    var digestAfter: Digest
    /// Whether it is what a manifest would say of it.
    var isSound: Bool

    init(_ file: SegmentInventory.File) {
      self.file = file
      through = file.lastSequence
      digestAfter = file.digestAfter
      isSound = !file.isCut && (file.isWhole || file.replica == nil)
    }
  }

  private let files: [SegmentInventory.File]
  private let word: DurableEnd?

  /// - Parameter word: what LOCK tells.
  init(_ files: [SegmentInventory.File], word: DurableEnd?) {
    self.files = files
    self.word = word
  }

  /// The manifest that names the files from the first event to the last that any of them holds. Frames may stand before a run in it:
  /// behind a gap, or where what they were sealed to is gone.
  ///
  /// - Parameters:
  ///   - ledger: the ledger, where it is known; otherwise all files must be of one.
  ///   - known: older manifests, the newest first, for what the files do not say: what was done to the ledger.
  /// - Throws: what keeps the files from making one.
  func remade(ledger: ReplicaID?, known: [Manifest]) throws(ListObstacle) -> Remade {
    let ledger = if let ledger { ledger } else { try onlyLedger() }
    let own = files.filter { $0.ledger == ledger }
    let chain = SegmentLinks(own).links
    guard let last = chain.last?.file,
      let furthest = own.max(by: { $0.lastSequence < $1.lastSequence })
    else { throw .noSegment }
    guard last.lastSequence == furthest.lastSequence else {
      throw .contradiction(
        LedgerNames.inSegments(last.name), LedgerNames.inSegments(furthest.name))
    }
    // In a copy nothing was ever appended to the frames of a closed segment.
    let isClosed = last.replica == nil || LedgerNames.closedEnd(last.name) != nil
    let active = isClosed ? missingActive(after: last) : last.entry
    let replica = last.replica ?? known.first?.replica ?? .random()
    let isCopied = own.contains { LedgerNames.closedEnd($0.name) != nil }
    // Nobody appends to a backup: events in the active segment are those of a restored one.
    let isAppendedTo = !isClosed && last.lastSequence >= last.entry.firstSequence
    let mayBeBackup =
      known.isEmpty && !isAppendedTo && (isCopied || isNeverAppendedTo(last))
    var builder = ChainEntries(
      replica: replica, known: known, newest: own.compactMap(\.newest).max())
    for link in isClosed ? chain[...] : chain.dropLast() { builder.add(link) }
    builder.bridge(to: active)
    var manifest = Manifest(
      ledger: ledger, number: 1, replica: replica, segments: builder.segments + [active],
      records: [])
    // One that folded more tells of a fold that is none of this list. Of snapshots nobody knows whether they are made of its events.
    let told = known.first { $0.foldedThrough <= manifest.foldedThrough }
    manifest.records =
      (isAppendedTo ? told?.recordsToCopy : told?.records)?
      .filter { $0.kind != SnapshotEntry.recordKind } ?? []
    if let broken = manifest.brokenInvariants(allowingFramesBeforeRuns: true).first {
      throw .impossible(broken)
    }
    return Remade(
      manifest: manifest, lost: builder.lost,
      isWhole: builder.lost.isEmpty && chain.allSatisfy { $0.isSound && $0.file.isWhole },
      mayBeBackup: mayBeBackup)
  }

  private func onlyLedger() throws(ListObstacle) -> ReplicaID {
    guard let first = files.first else { throw .noSegment }
    guard let other = files.first(where: { $0.ledger != first.ledger }) else { return first.ledger }
    throw .severalLedgers([first, other].map { LedgerNames.inSegments($0.name) })
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
}
