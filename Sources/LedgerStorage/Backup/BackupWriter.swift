import LedgerCore
import LedgerFormat

/// Makes a backup of a log, or brings one up to date.
///
/// Invariants:
/// - a folder is a backup from its first manifest on, which is made before any file is copied: what was interrupted is known as
///   what it is, and the next run goes on from there;
/// - what the backup's manifest names is durable and was read back, in this run: what was copied before is read again, and copied
///   anew where it is no longer what it was;
/// - the manifest changes by one step, and until then the backup is the one before; a second one, which changes nothing but the number,
///   shows that the first was taken, should an older copy be put over the backup;
/// - events of a newer list, over which an older copy was put, are not taken out of it either;
/// - nor are events that the ledger has lost, and a repair recorded so: the log digest is kept for those, and tells nothing;
/// - the log that is copied goes on from the one that the backup holds, which its log digest tells: no event that is in a backup
///   is taken out of it, but by a fold that it was asked to follow;
/// - the original's lock is not held while files are copied; one run at a time works on a backup, under the lock of its folder
///   `segments`.
package struct BackupWriter {
  /// What came of it.
  package struct Report: Sendable {
    /// Where the log ends that the backup holds.
    package var end: LogDigest
    /// How many events are there up to it, and which are not, as a repair recorded.
    package var events: UInt64
    package var lost: SequenceRanges
    package var copy = CopyReport()
  }

  private let view: LogView
  private let target: any LedgerDirectory
  private let options: StoreOptions
  private let clock: LedgerClock
  private let agreement: BackupAgreement

  /// - Parameters:
  ///   - view: the log that is copied; all of it must be durable.
  ///   - followsFold: whether history that was folded since the last run is folded in the backup, too.
  package init(
    _ view: LogView, to target: any LedgerDirectory, followsFold: Bool = false,
    options: StoreOptions, clock: @escaping LedgerClock
  ) {
    agreement = BackupAgreement(view, target, followsFold: followsFold)
    self.view = view
    self.target = target
    self.options = options
    self.clock = clock
  }

  /// Copies what the backup does not have yet.
  ///
  /// - Parameter progress: called with the number of bytes copied or read again so far.
  /// - Throws: `alreadyExists` for a folder that holds something else, or events that the log does not have, and for the folder of
  ///   the log itself, one inside it or around it; `busy` where another backup to it is under way; `damaged` or `io` when a file
  ///   cannot be read or written: the backup is as it was, but for damaged files of it that were copied anew.
  package func run(progress: ((UInt64) -> Void)? = nil) throws(LedgerError) -> Report {
    try CopyPlace(of: "the ledger", as: "the backup").check(target, apartFrom: view.directory)
    try begin()
    guard let report = try MaintenanceLock(target).hold({ try bringUpToDate(progress) }) else {
      throw LedgerError(
        .busy, "another backup is under way", path: target.path,
        hint: "try again when it is done; nothing was changed")
    }
    return report
  }

  private func begin() throws(LedgerError) {
    if let known = try known() { return try agreement.checkFits(known) }
    let manifest = view.manifest
    do throws(LedgerError) {
      try LedgerCreation.create(
        in: target, ledger: manifest.ledger, replica: manifest.replica,
        record: .backupBegun(of: manifest.replica, time: clock()), options: options, clock: clock)
    } catch {
      // Another run may have begun it in the meantime.
      guard error.code == .alreadyExists, let known = try known() else { throw error }
      try agreement.checkFits(known)
    }
  }

  /// What is in the folder; nil where that is no ledger.
  private func known() throws(LedgerError) -> Manifest? {
    do throws(LedgerError) {
      return try HeldManifest.load(from: target).manifest
    } catch {
      var error = error
      switch error.code {
      case .notFound: return nil
      case .damaged:
        // Without its list of files nobody can say that no event is taken out of it.
        error.hint =
          "make a backup in another folder, and keep this one until that is done, or have this one repaired: `ledger --ledger DEST repair`"
      default: break
      }
      throw error
    }
  }

  /// The list that CURRENT names, which is not held any longer than that, and those that came after it.
  private func lists() throws(LedgerError) -> (known: Manifest, newer: [Manifest]) {
    let held = try HeldManifest.load(from: target)
    return (held.manifest, try NewerBackup(beside: held, in: target).lists())
  }

  private func bringUpToDate(_ progress: ((UInt64) -> Void)?) throws -> Report {
    let (known, newer) = try lists()
    try agreement.check(known, newer: newer)
    let copy = try LogCopy(view)
    let events = view.manifest.eventCount(through: copy.end.sequence)
    var report = Report(end: copy.end, events: events, lost: view.manifest.lost)
    try copySegments(copy, known.closedEnd, &report.copy, progress)
    try copy.copyAside(to: target, &report.copy)
    try step(copy, known, number: (newer.last ?? known).number + 1, &report.copy)
    // What is left over costs nothing but space, and goes with the next run.
    try? clean()
    return report
  }

  /// Copies the segments that the backup lacks, first the one that tells whether the log is a continuation.
  private func copySegments(
    _ copy: LogCopy, _ known: LogDigest, _ report: inout CopyReport,
    _ progress: ((UInt64) -> Void)?
  ) throws {
    guard known.sequence <= copy.end.sequence else {
      throw agreement.otherEvents(
        "the ledger ends with event \(copy.end.sequence), the backup with event \(known.sequence)")
    }
    var digest = copy.digest(at: known.sequence)
    let telling = digest == nil ? copy.place(holdingMoreThan: known.sequence) : nil
    if let telling, copy.parts[telling].entry.kind == .baseline {
      throw agreement.refusal(
        "the folder holds a history that was folded in the ledger",
        cause: "whether it is the same cannot be told")
    }
    guard telling != nil || digest == known.value else {
      throw agreement.otherEvents("the log digests differ")
    }
    for place in ([telling].compactMap { $0 } + copy.parts.indices.filter { $0 != telling }) {
      let part = copy.parts[place]
      let note = { (end: LogDigest) in
        if end.sequence == known.sequence { digest = end.value }
      }
      let confirm = {
        guard let digest else {
          throw agreement.refusal(
            "the folder holds a history of which the ledger has lost a part",
            cause: "whether it is the same cannot be told")
        }
        guard digest == known.value else { throw agreement.otherEvents("the log digests differ") }
      }
      let name = LedgerNames.inSegments(part.entry.file)
      let found = copy.presence(of: part, in: target, note: place == telling ? note : nil)
      let copyAnew = { try copy.copy(part, to: target, note: note, confirm: confirm) }
      switch found {
      case .whole:
        if place == telling { try confirm() }
        if part.entry.hasFile { report.note(part.entry.end, isCopied: false) }
      case .missing:
        try copyAnew()
        report.note(part.entry.end, isCopied: true)
      case .broken(let error):
        try mending(name, error, copyAnew)
        report.note(part.entry.end, isCopied: true)
        report.noteMended(name, error)
      }
      progress?(report.bytes)
    }
    try target.syncFolder(LedgerNames.segments)
  }

  /// Copies a file anew; where that cannot be done, both are damaged, and that is said.
  private func mending(_ name: String, _ problem: LedgerError, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch var error as LedgerError where error.code == .damaged {
      let too = "and \(target.pathOf(name)) is damaged, too: \(problem.sentence)"
      error.cause = error.cause.map { "\($0), \(too)" } ?? too
      throw error
    }
  }

  /// Whether the last segment, which a backup has like any ledger, can be read and is empty.
  private func isActiveWhole(_ known: Manifest, _ report: inout CopyReport) -> Bool {
    do throws(LedgerError) {
      let read = try FrameSegmentReader(ledger: known.ledger, in: target).read(known.active)
      if read.segment.eventCount == 0, read.scan.tail == .clean { return true }
      throw LedgerError(.damaged, "it is not empty")
    } catch {
      report.noteMended(LedgerNames.inSegments(known.active.file), error)
      return false
    }
  }

  /// The manifest step: the backup is what was copied.
  private func step(
    _ copy: LogCopy, _ known: Manifest, number: UInt64, _ report: inout CopyReport
  ) throws {
    let source = view.manifest
    let segments = copy.parts.map(\.entry)
    let records = source.recordsToCopy
    let isSame =
      known.segments.dropLast().elementsEqual(segments) && known.recordsToCopy == records
      && known.replica == source.replica && !known.isUnfinishedBackup
    // Without a readable one nobody can open the backup.
    let isCurrent = isActiveWhole(known, &report) && isSame
    // A run that was interrupted between its steps, or whose second one failed, is brought to its end by the next.
    if isCurrent, known.backupRecord?.isOfSecondStep == true { return }
    let lock = FolderLock(target)
    try lock.acquire(timeout: options.lockTimeoutMilliseconds)
    defer { lock.release() }
    if isCurrent { return try takeSecondStep(known.afterSecondStep(number: number)) }
    let active = EmptySegment(
      ledger: source.ledger, replica: source.replica, after: copy.end,
      ownCount: view.active.ownCount)
    let manifest = Manifest(
      ledger: source.ledger, number: number, replica: source.replica,
      segments: segments + [active.entry],
      records: records + [.backup(of: source.replica, end: copy.end, time: clock())])
    try ManifestStep.removing([LedgerNames.inSegments(active.entry.file)], in: target) {
      try active.makeFile(in: target, extensionBytes: SegmentFile.lengthMin)
      try ManifestStep.takeNamingFiles(manifest, in: target)
    }
    try takeSecondStep(manifest.afterSecondStep(number: number + 1))
  }

  private func takeSecondStep(_ manifest: Manifest) throws {
    do {
      try ManifestStep.take(manifest, in: target)
    } catch {
      var error =
        switch error {
        case .before(let error), .unknown(let error): error
        }
      error.sentence = "the backup is made, but for the step that shows it: \(error.sentence)"
      error.hint = "run `ledger backup` again: it takes that step alone"
      throw error
    }
  }

  /// Removes what the backup no longer names, and drafts of what the original no longer has.
  private func clean() throws {
    try FileCleaner(target, options: options).removeUnneeded()
    for file in try target.list(LedgerNames.segments)
    where file.hasSuffix(LedgerNames.draftSuffix)
      && LedgerNames.isSegment(String(file.dropLast(LedgerNames.draftSuffix.count)))
    {
      try ManifestStep.removeIfThere(LedgerNames.inSegments(file), in: target)
    }
  }
}
