import LedgerCore
import LedgerFormat

/// Reads every byte of every file of a ledger, checks every checksum and the log digest, and folds the events anew.
package struct Verifier {
  /// How a verification goes on from the one before.
  package struct Resuming {
    /// What the clock shows.
    package var now: LedgerTime
    /// About so many events are checked; the rest is left to the next run.
    package var eventsMax: UInt64

    package init(now: LedgerTime, eventsMax: UInt64 = .max) {
      self.now = now
      self.eventsMax = eventsMax
    }
  }

  /// About so many positions are kept in a whole run.
  private static let positionsMax: UInt64 = 64

  let directory: any LedgerDirectory
  let pool: ZstdPool
  private let progress: ((UInt64) -> Void)?
  var report = VerifyReport()
  /// The files with events that the list lacks, and which events these are, where that is known.
  var unlisted: [ByteText: SequenceRanges] = [:]
  /// The events that are counted as lost, by the files that hold some.
  var returned: [ByteText: SequenceRanges] = [:]
  /// Those of them that are another ledger's, or cannot be read.
  var faults: [ByteText: VerifyReport.Status] = [:]
  /// The segments that lack events.
  private var damaged: [SegmentEntry] = []
  /// The log digests at the events of snapshots, as they are found on the way.
  private var digests: [UInt64: Digest] = [:]

  /// - Parameter progress: called now and then with the number of events checked so far.
  package init(
    _ directory: any LedgerDirectory, pool: ZstdPool, progress: ((UInt64) -> Void)? = nil
  ) {
    self.directory = directory
    self.pool = pool
    self.progress = progress
  }

  /// Verifies the ledger as it stands. What is damaged is in the report; only a folder that is no ledger, or one that cannot be
  /// read at all, is an error.
  ///
  /// - Parameter resuming: goes on from where the last run stopped, and keeps how far this one comes; nil writes nothing.
  package mutating func run(
    resuming: Resuming? = nil
  ) throws(LedgerError) -> VerifyReport {
    report = VerifyReport()
    report.files.append(FolderCheck(directory).lock())
    let held: HeldManifest
    do throws(LedgerError) {
      held = try HeldManifest.load(from: directory)
    } catch  where error.code == .damaged {
      try verifyWithoutList(error)
      return report
    }
    try held.manifest.checkIsNoUnfinishedBackup(directory.path)
    if let outdated = findUnlisted(held) {
      try verifyWithoutList(outdated, outdated: held.manifest)
      return report
    }
    note(LedgerNames.current, UInt64(held.current.count))
    note(
      LedgerNames.manifest(held.manifest.number), UInt64(held.manifest.encoded.count))
    guard try verifySegments(held.manifest, resuming) else { return report }
    noteBack(held.manifest, number: held.manifest.number, current: held.manifest)
    verifyAside(held.manifest)
    noteOthers(held.manifest)
    var view: LogView?
    if report.isSound {
      let opened = try LogOpening.open(held, directory, pool: pool, known: nil).view
      report.logDigest = try opened.digestOfActive().digest.value
      try refold(opened)
      view = opened
    }
    checkSnapshots(held.manifest, view)
    if let resuming, report.isSound {
      let progress = VerifyProgress(directory, held.manifest, now: resuming.now)
      try keep(
        progress, held.manifest, segments: held.manifest.segments.count - 1, isDone: true)
    }
    return report
  }

  /// Notes which files hold events that the list lacks, or what lies over a newer list.
  ///
  /// - Returns: why the list is out of date; nil where it is not, or where the system does not let that be seen, and then it is told
  ///   of the file that it keeps from us.
  private mutating func findUnlisted(_ held: HeldManifest) -> LedgerError? {
    var beside = UnlistedFiles(directory, held, pool: pool)
    guard let finding = try? beside.find() else { return nil }
    for name in finding.names { unlisted[name] = SequenceRanges() }
    returned = finding.returned
    faults = finding.faults.mapValues(VerifyReport.Status.init)
    let backup = NewerBackup(beside: held, in: directory)
    guard let newest = (try? backup.lists())?.last else { return finding.outdated }
    let outdated = backup.outdated(by: newest)
    report.listHint = outdated.hint
    return outdated
  }

  private mutating func note(_ name: String, _ bytes: UInt64) {
    report.files.append(VerifyReport.File(name: name, bytes: bytes, status: .sound))
  }

  /// - Returns: whether all were verified, rather than some left to the next run.
  mutating func verifySegments(
    _ manifest: Manifest, _ resuming: Resuming?, witness: UInt64? = nil
  ) throws(LedgerError) -> Bool {
    let check = SegmentExamination(directory, manifest, pool: pool, witness: witness)
    let position = resuming.map { VerifyProgress(directory, manifest, now: $0.now) }
    let skipped = position?.skipped ?? 0
    report.earlier = position?.earlier
    report.restarted = position?.restarted
    report.lostBefore = manifest.lost
    report.foldedLoss = manifest.foldedLoss
    report.isBackup = manifest.isBackup
    if let last = MaintenanceRecord.uncertainEnd(in: manifest) { report.uncertainAfter = last }
    let marked = Set(SnapshotEntry.all(in: manifest).map(\.sequence))
    var keptThrough = report.earlier?.through ?? 0
    for (place, entry) in manifest.segments.enumerated() {
      guard place >= skipped else {
        passOver(entry)
        continue
      }
      if let resuming, report.events >= resuming.eventsMax {
        if report.isSound { try keep(position, manifest, segments: place) }
        report.stoppedAfter = entry.firstSequence - 1
        return false
      }
      verify(entry, check, marking: marked)
      // Often enough for an interruption to cost little, seldom enough for the position to cost little.
      let isDue =
        entry.kind != .active
        && entry.lastSequence - keptThrough > manifest.lastFixedSequence / Self.positionsMax
      if report.isSound, isDue {
        try keep(position, manifest, segments: place + 1)
        keptThrough = entry.lastSequence
      }
    }
    return true
  }

  /// Keeps how far it came. Something else in the place of that is no reason not to verify.
  private mutating func keep(
    _ position: VerifyProgress?, _ manifest: Manifest, segments: Int, isDone: Bool = false
  ) throws(LedgerError) {
    do throws(LedgerError) {
      try position?.keep(manifest, segments: segments, isDone: isDone)
    } catch {
      guard error.isOfOtherKind else { throw error }
      report.notKept = error
    }
  }

  /// Takes a segment for what it was found to be before.
  private mutating func passOver(_ entry: SegmentEntry) {
    report.intact.formUnion(entry.lost.missing(in: entry.firstSequence...entry.lastSequence))
    digests[entry.lastSequence] = entry.digestAfter
  }

  private mutating func verify(
    _ entry: SegmentEntry, _ check: SegmentExamination, marking marked: Set<UInt64>
  ) {
    var found: [UInt64: Digest] = [:]
    let finding = check.check(entry) { digest in
      if marked.contains(digest.sequence) { found[digest.sequence] = digest.value }
    }
    if !finding.status.isFault { digests.merge(found) { $1 } }
    report.intact.formUnion(finding.intact)
    report.lost.formUnion(finding.lost)
    report.doubtful.formUnion(finding.doubtful)
    if !finding.lost.isEmpty || !finding.doubtful.isEmpty { damaged.append(entry) }
    if !finding.isEndKnown {
      report.uncertainAfter = finding.sequences?.upperBound ?? entry.firstSequence - 1
    }
    if entry.kind != .baseline { report.events += finding.intact.count }
    progress?(report.events)
    guard entry.hasFile else { return }
    report.files.append(
      VerifyReport.File(
        name: LedgerNames.inSegments(entry.file), bytes: finding.bytes, status: finding.status,
        sequences: finding.sequences))
  }

  /// What damaged segments lack can be in files beside the list: it is not lost then.
  mutating func noteBack(
    _ manifest: Manifest, number: UInt64?, current: Manifest?, witness: UInt64? = nil
  ) {
    guard !damaged.isEmpty || report.foldedLoss != nil else { return }
    let reading = SegmentReading(directory, manifest, pool: pool, witness: witness)
    var rests: [SegmentEntry: SegmentSalvage] = [:]
    for entry in damaged { rests[entry] = try? reading.salvage(entry) }
    let beside = try? EventsBeside(
      directory, manifest, damaged: rests, number: number, current: current, pool: pool)
    guard let beside else { return }
    for found in beside.files {
      let name = ByteText(found.file.name)
      unlisted[name] = SequenceRanges()
      returned[name] = found.look.found
    }
    let back = beside.found.without(report.lostBefore)
    report.intact.formUnion(report.lost.intersection(back))
    report.intact.formUnion(report.doubtful.intersection(back))
    report.lost = report.lost.without(back)
    report.doubtful = report.doubtful.without(back)
  }

  /// What was moved aside is checked against the records that say so.
  mutating func verifyAside(_ manifest: Manifest) {
    report.files += AsideCheck(directory).files(manifest)
  }

  mutating func noteOthers(_ manifest: Manifest) {
    let hints = HintCheck(directory, of: manifest.ledger)
    if let place = report.files.firstIndex(where: { $0.name == LedgerNames.lock }),
      case .sound = report.files[place].status, let problem = hints.lock()
    {
      report.files[place].status = .leftOut(problem)
    }
    report.files += hints.files()
    do throws(LedgerError) {
      // What readers refuse must not pass here.
      try LogOpening.checkSegments(directory)
    } catch {
      if error.code == .damaged {
        // It may be elsewhere, with all that is in it.
        report.listHint = LogOpening.missingSegmentsHint
        report.doubtful.formUnion(report.lost)
        report.lost = SequenceRanges()
      }
      report.files.append(
        VerifyReport.File(name: LedgerNames.segments, bytes: 0, status: .init(error)))
    }
    let told = Set(report.files.map { ByteText($0.name) })
    report.files += FolderCheck(directory).others(
      manifest, keeping: AsideCheck.named(in: manifest), unlisted: unlisted,
      returned: returned, faults: faults
    ).filter { !told.contains(ByteText($0.name)) }
  }

  private mutating func checkSnapshots(_ manifest: Manifest, _ view: LogView?) {
    let check = SnapshotCheck(
      directory, manifest, pool: pool, digests: digests, view: view,
      digestsFrom: (report.earlier?.through ?? 0) + 1)
    report.files += check.files(SnapshotEntry.all(in: manifest))
  }

  private mutating func refold(_ view: LogView) throws(LedgerError) {
    let state = try view.fold(progress: progress)
    report.stateDigest = state.digest()
    report.tasks = state.count
  }
}

extension MaintenanceRecord {
  /// The value of a detail by its name.
  package func detail(_ name: String) -> String? {
    details.first { $0.name == name }?.value
  }
}
