import LedgerCore
import LedgerFormat

/// Reads every byte of a segment, and says what is wrong with it and with which of its events.
struct SegmentExamination {
  /// What was found.
  struct Finding {
    var bytes: UInt64 = 0
    var status = VerifyReport.Status.sound
    /// The events that are as they were written.
    var intact = SequenceRanges()
    /// The events that are no longer there.
    var lost = SequenceRanges()
    /// The events of which that cannot be told.
    var doubtful = SequenceRanges()
    /// Whether events after the last known one may have been there.
    var isEndKnown = true
    /// The events that it holds or held; nil when there are none.
    var sequences: ClosedRange<UInt64>?
    /// The log digest after it; nil where it cannot be told.
    var digest: LogDigest?
  }

  private let directory: any LedgerDirectory
  private let manifest: Manifest
  private let pool: ZstdPool
  private let witness: UInt64?
  private let reading: SegmentReading

  /// - Parameter witness: the last event that is known to have been there.
  init(
    _ directory: any LedgerDirectory, _ manifest: Manifest, pool: ZstdPool, witness: UInt64? = nil
  ) {
    self.directory = directory
    self.manifest = manifest
    self.pool = pool
    self.witness = witness
    reading = SegmentReading(directory, manifest, pool: pool, witness: witness)
  }

  /// - Parameter note: called with the log digest after each event, as far as they can be told.
  func check(_ entry: SegmentEntry, note: (LogDigest) -> Void = { _ in }) -> Finding {
    var finding = Finding()
    if entry.eventCount > 0 { finding.sequences = entry.firstSequence...entry.lastSequence }
    do throws(LedgerError) {
      try checkIsThere(entry)
      finding.bytes =
        entry.hasFile ? try FileSource(directory, LedgerNames.inSegments(entry.file)).size() : 0
      let digest = try digest(entry, &finding, note)
      if entry.kind != .active, digest.value != entry.digestAfter {
        throw LedgerError(
          .damaged,
          "the log digest after event \(digest.sequence) is \(digest.value.hex), expected \(entry.digestAfter.hex)",
          path: directory.pathOf(LedgerNames.inSegments(entry.file)))
      }
      finding.digest = digest
      if let sequences = finding.sequences { finding.intact = entry.lost.missing(in: sequences) }
    } catch {
      finding.status = status(error, entry)
      judge(entry, &finding)
    }
    return finding
  }

  private func checkIsThere(_ entry: SegmentEntry) throws(LedgerError) {
    guard entry.hasFile else { return }
    let name = LedgerNames.inSegments(entry.file)
    guard try LedgerError.typing({ try directory.status(name) }) == nil else { return }
    throw .missing(directory.pathOf(name))
  }

  private func status(_ error: LedgerError, _ entry: SegmentEntry) -> VerifyReport.Status {
    guard error.code == .damaged else { return .unreadable(error) }
    let name = LedgerNames.inSegments(entry.file)
    if (try? directory.status(name)) == .some(nil) { return .missing(error) }
    return reading.belongsToOther(entry) ? .otherLedger(error) : .damaged(error)
  }

  /// Which events are lost, and which are not.
  private func judge(_ entry: SegmentEntry, _ finding: inout Finding) {
    let known = finding.sequences.map { entry.lost.missing(in: $0) } ?? SequenceRanges()
    finding.isEndKnown = entry.kind != .active
    // What a link leads to may be the file.
    let isOfLink = finding.status.fault?.isOfLink ?? false
    guard !finding.status.isUnreadable, !isOfLink, let salvage = try? reading.salvage(entry) else {
      finding.doubtful = known
      return
    }
    finding.isEndKnown = salvage.isEndKnown
    if entry.kind == .active, salvage.lastSequence >= entry.firstSequence {
      finding.sequences = entry.firstSequence...salvage.lastSequence
    }
    let gone = salvage.newlyLost(entry)
    // Whose events the damaged blocks of a baseline held cannot be told.
    let isCertain = salvage.isCertain && (entry.kind != .baseline || salvage.events.isEmpty)
    if isCertain { finding.lost = gone } else { finding.doubtful = gone }
    if entry.kind != .baseline {
      finding.intact = SequenceRanges(ascending: salvage.events.lazy.map(\.sequence))
    } else if gone.isEmpty {
      finding.intact = known
    }
  }

  private func digest(
    _ entry: SegmentEntry, _ finding: inout Finding, _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    guard entry.isRun else { return try digestOfFrames(entry, &finding, note) }
    try SegmentCheck(directory, ledger: manifest.ledger, pool: pool).run(entry, note: note)
    return entry.logDigestAfter
  }

  private func digestOfFrames(
    _ entry: SegmentEntry, _ finding: inout Finding, _ note: (LogDigest) -> Void
  ) throws(LedgerError) -> LogDigest {
    let read = try FrameSegmentReader(ledger: manifest.ledger, in: directory).read(entry)
    if case .torn(let start, let end) = read.scan.tail {
      finding.status = .tornTail(bytes: end - start, offset: start)
    }
    if entry.kind == .active, let witness, witness > read.segment.lastSequence {
      throw LedgerError(
        .damaged,
        "the segment ends with event \(read.segment.lastSequence), and LOCK or a snapshot tells of event \(witness)",
        path: directory.pathOf(LedgerNames.inSegments(entry.file)), offset: read.segment.end,
        hint: LedgerError.repairHint)
    }
    if read.segment.eventCount > 0 {
      finding.sequences = entry.firstSequence...read.segment.lastSequence
    }
    let path = directory.pathOf(LedgerNames.inSegments(entry.file))
    return try read.segment.digest(pool, path: path, note: note).digest
  }
}
