import LedgerCore
import LedgerFormat

/// Reads what is intact of damaged segments.
package struct SegmentReading {
  let directory: any LedgerDirectory
  let ledger: ReplicaID
  let replica: ReplicaID
  let pool: ZstdPool
  /// The last event that is known to have been there, where the active segment does not lead to it.
  private let witness: UInt64?
  private let whereabouts: SegmentWhereabouts

  package init(
    _ directory: any LedgerDirectory, _ manifest: Manifest, pool: ZstdPool,
    witness: UInt64? = nil
  ) {
    self.directory = directory
    ledger = manifest.ledger
    replica = manifest.replica
    self.pool = pool
    self.witness = witness
    whereabouts = SegmentWhereabouts(directory, ledger: manifest.ledger)
  }

  /// What is left of a segment.
  ///
  /// - Throws: `io` where the system does not give the bytes, and `damaged` where every byte fits and the log digest does not: which
  ///   event is wrong cannot be told then.
  package func salvage(_ entry: SegmentEntry) throws(LedgerError) -> SegmentSalvage {
    guard entry.hasFile else { return SegmentSalvage(nothingOf: entry) }
    if let moved = try salvageMoved(entry) { return moved }
    let name = LedgerNames.inSegments(entry.file)
    guard try LedgerError.typing({ try directory.extent(name) })?.isFile == true else {
      return nothing(of: entry)
    }
    return entry.isRun ? try salvageRun(entry) : try salvageDamagedFrames(entry)
  }

  /// The intact events of a segment of which the parts without which none can be read are as they were written, but for flipped bits
  /// that can be put right, in order; and whether these are all that it held.
  ///
  /// - Throws: `damaged` where they are not.
  func intactEvents(
    of entry: SegmentEntry
  ) throws(LedgerError) -> (events: [Event], isWhole: Bool) {
    guard entry.hasFile else { return ([], true) }
    guard entry.isRun else {
      let salvage = try salvage(entry)
      return (salvage.events, salvage.lost.isEmpty && salvage.isEndKnown)
    }
    var events: [Event] = []
    let run: SealedRun
    if let (opened, _) = try openedRun(entry) { run = opened } else { run = try self.run(entry) }
    let isWhole = try run.forEachIntactEvent(pool) { events.append($0) }
    return (events.sorted { $0.sequence < $1.sequence }, isWhole)
  }

  /// What there is of a segment that is as the list says, lost events included.
  func remains(of entry: SegmentEntry) throws(LedgerError) -> SegmentSalvage {
    var remains = SegmentSalvage(nothingOf: entry)
    remains.events = try intactEvents(of: entry).events
    remains.lost = entry.lost
    return remains
  }

  func run(_ entry: SegmentEntry) throws(LedgerError) -> SealedRun {
    let run = try SealedSegment(entry, ledger: ledger, in: directory).run(pool)
    try pool.with { (zstd) throws(LedgerError) in _ = try run.clocks(zstd: zstd) }
    return run
  }

  /// What a file of another name holds of a segment; nil where there is none that is whole, or the one in its place is it.
  private func salvageMoved(_ entry: SegmentEntry) throws(LedgerError) -> SegmentSalvage? {
    if !entry.isRun { guard try isGone(entry) else { return nil } }
    guard let file = try whereabouts.file(of: entry) else { return nil }
    var moved = entry
    moved.file = file
    var salvage =
      entry.isRun ? try salvageRun(moved, isMoved: true) : try salvageFrames(moved)
    guard !entry.isRun || salvage.newlyLost(entry).isEmpty else { return nil }
    salvage.foundIn = file
    return salvage
  }

  /// What is left of frames where they should be, or a copy of them that holds all of that, and more.
  private func salvageDamagedFrames(_ entry: SegmentEntry) throws(LedgerError) -> SegmentSalvage {
    let inPlace = try salvageFrames(entry)
    guard !inPlace.lost.isEmpty || !inPlace.isEndKnown,
      let file = try whereabouts.file(of: entry)
    else { return inPlace }
    var copied = entry
    copied.file = file
    var copy = try salvageFrames(copied)
    guard copy.lost.isEmpty, copy.lastSequence >= inPlace.lastSequence,
      copy.isEndKnown || !inPlace.isEndKnown, copy.holds(inPlace.events)
    else { return inPlace }
    copy.foundIn = file
    return copy
  }

  /// Whether there is no file in the place of a segment, or that of another one.
  private func isGone(_ entry: SegmentEntry) throws(LedgerError) -> Bool {
    let name = LedgerNames.inSegments(entry.file)
    let found = try LedgerError.typing { try directory.extent(name) }
    guard found?.isFile == true else { return true }
    return try belongsElsewhere(entry)
  }

  /// Where nothing is left of a segment, LOCK may still tell how many events it held.
  private func nothing(of entry: SegmentEntry) -> SegmentSalvage {
    var salvage = SegmentSalvage(nothingOf: entry)
    guard let last = knownEnd(entry)?.sequence, last >= entry.firstSequence,
      last < UInt64(Int64.max) - 1
    else { return salvage }
    salvage.lastSequence = last
    salvage.lost = SequenceRanges(entry.firstSequence...last)
    salvage.ownCount = entry.ownCount + salvage.lost.count
    return salvage
  }

  /// What is known of the end of an active segment beside its frames.
  private func knownEnd(_ entry: SegmentEntry) -> DurableEnd? {
    guard entry.kind == .active else { return nil }
    if let witness {
      return DurableEnd(segment: entry.segment, position: 0, sequence: witness)
    }
    let word = DurableEnd(of: ledger, in: directory)
    return word?.segment == entry.segment ? word : nil
  }

  private func salvageRun(
    _ entry: SegmentEntry, isMoved: Bool = false
  ) throws(LedgerError) -> SegmentSalvage {
    var salvage = SegmentSalvage(nothingOf: entry)
    guard let (run, isMended) = try openedRun(entry) else {
      // Without its tables no block can be read; another file never held them.
      salvage.isCertain = try belongsElsewhere(entry)
      return salvage
    }
    var numbers: Set<UInt64> = []
    let isWhole = try run.forEachIntactEvent(pool) { event in
      if numbers.insert(event.sequence).inserted { salvage.events.append(event) }
    }
    if isWhole, !isMended, !isMoved { try checkFilterIsWrong(run, entry) }
    salvage.events.sort { $0.sequence < $1.sequence }
    if entry.kind == .baseline {
      salvage.countedEvents = run.footer.eventCount
      salvage.isWhole = isWhole
      if isWhole { salvage.lost = entry.lost }
    } else {
      salvage.lost = SequenceRanges(ascending: salvage.events.lazy.map(\.sequence))
        .missing(in: entry.firstSequence...entry.lastSequence)
    }
    return salvage
  }

  /// Where all blocks are as they were written, the filter is all that can be made anew.
  private func checkFilterIsWrong(
    _ run: SealedRun, _ entry: SegmentEntry
  ) throws(LedgerError) {
    let isRight = try pool.with { (zstd) throws(LedgerError) in
      try run.hasRightFilter(zstd: zstd)
    }
    guard isRight else { return }
    throw LedgerError(
      .damaged, "the events of \(entry.title) have another log digest than the manifest says",
      path: directory.pathOf(LedgerNames.inSegments(entry.file)),
      hint: "which of them is wrong cannot be told: restore the file from a backup")
  }

  /// The run, and whether bits of it had to be put right for that; nil where it cannot be opened.
  func openedRun(
    _ entry: SegmentEntry
  ) throws(LedgerError) -> (run: SealedRun, isMended: Bool)? {
    do throws(LedgerError) {
      return (try run(entry), false)
    } catch {
      guard error.code == .damaged else { throw error }
      return try mendedRun(entry).map { ($0, true) }
    }
  }

  /// The run with the flipped bits put right that keep it from being opened; nil where that is not it.
  private func mendedRun(_ entry: SegmentEntry) throws(LedgerError) -> SealedRun? {
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    do throws(LedgerError) {
      // Bytes behind the end that the manifest knows were not written by us.
      guard try source.size() >= entry.end,
        let mended = try RunMending.mend(
          ByteSourcePrefix(source, count: entry.end), kind: entry.fileKind, ledger: ledger,
          checksum: entry.checksum)
      else { return nil }
      return try pool.with { (zstd) throws(LedgerError) in
        let run = try SealedRun(mended, zstd: zstd, kind: entry.fileKind)
        _ = try run.clocks(zstd: zstd)
        guard run.footer.firstSequence == entry.firstSequence,
          run.footer.lastSequence == entry.lastSequence
        else { return nil }
        return run
      }
    } catch {
      guard error.code == .damaged else { throw error }
      return nil
    }
  }

  private func salvageFrames(_ entry: SegmentEntry) throws(LedgerError) -> SegmentSalvage {
    let source = FileSource(directory, LedgerNames.inSegments(entry.file))
    return try source.withFile { (file) throws(LedgerError) in
      let size = try file.size()
      let start = try file.read(
        at: 0, count: min(ActiveHeader.byteCount, Int(clamping: size)))
      // It tells whose events they are: of a restored ledger some can be another replica's.
      let header = (try? ActiveHeader(start)) ?? ActiveHeader(mending: start)
      if let header, header.ledger != ledger || header.segment != entry.segment {
        return nothing(of: entry)
      }
      var search = FrameSearch(
        file, entry, size: size, replica: header?.replica ?? replica, pool: pool,
        durable: knownEnd(entry))
      var salvage = try search.run()
      if let witness, entry.kind == .active, witness > salvage.events.last?.sequence ?? 0 {
        salvage.isEndKnown = false
      }
      // A file of nothing but other bytes says nothing of how many events there were.
      if header == nil, entry.kind == .active, salvage.events.isEmpty { salvage.isEndKnown = false }
      return salvage
    }
  }
}
