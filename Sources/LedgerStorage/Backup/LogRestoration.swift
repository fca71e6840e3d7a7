import LedgerCore
import LedgerFormat

/// Makes a new ledger of the log of another, most often a backup.
///
/// Invariants:
/// - it goes into an empty folder, or over what an interrupted run of it left, and nowhere else;
/// - the folder has no CURRENT, and so is no ledger, before everything that the manifest names is durable and was read back;
/// - what it left is known as that: the first manifest and what is to become CURRENT are durable before anything is copied, and
///   go last;
/// - the events from then on are another replica's, which has made none before.
package struct LogRestoration {
  /// What came of it.
  package struct Report: Sendable {
    /// Where the log ends that was restored.
    package var end: LogDigest
    /// How many events are there up to it, and which are not, as a repair recorded.
    package var events: UInt64
    package var lost: SequenceRanges
    /// The replica whose log it was.
    package var source: ReplicaID
    /// The replica that makes the events of the new ledger.
    package var replica: ReplicaID
    package var copy = CopyReport()
    /// The files of the backup that recovery or repair had moved aside and that are no longer what they were then, with what is wrong with
    /// them: they are copied as they are, and on record.
    package var altered: [(file: String, problem: String)] = []
  }

  private let view: LogView
  private let target: any LedgerDirectory
  private let options: StoreOptions
  private let clock: LedgerClock

  package init(
    _ view: LogView, to target: any LedgerDirectory, options: StoreOptions,
    clock: @escaping LedgerClock
  ) {
    self.view = view
    self.target = target
    self.options = options
    self.clock = clock
  }

  /// Makes the ledger.
  ///
  /// - Parameter progress: called with the number of bytes copied so far.
  /// - Throws: `alreadyExists` for a folder that is not empty, or lies in that of the backup or around it; `damaged` or `io`
  ///   when a file cannot be read or written: there is no ledger then, but where the message says that it may be.
  package func run(progress: ((UInt64) -> Void)? = nil) throws(LedgerError) -> Report {
    try CopyPlace(of: "the backup", as: "the ledger").check(target, apartFrom: view.directory)
    return try LedgerError.typing {
      // A folder of something else does not even get a LOCK.
      _ = try LedgerCreation.leftovers(in: target, isRestoration: true)
      let lock = FolderLock(target)
      try lock.acquire(timeout: options.lockTimeoutMilliseconds)
      defer { lock.release() }
      try removeLeftovers()
      // A LOCK that was left of the ledger tells of events that need not be in the backup.
      try lock.takeBackWord()
      return try restore(progress)
    }
  }

  private func restore(_ progress: ((UInt64) -> Void)?) throws -> Report {
    let copy = try LogCopy(view)
    let events = view.manifest.eventCount(through: copy.end.sequence)
    var report = Report(
      end: copy.end, events: events, lost: view.manifest.lost, source: view.manifest.replica,
      replica: .random())
    report.altered = AsideCheck(view.directory).files(view.manifest).compactMap { file in
      file.status.fault.map { (file.name, $0.sentence) }
    }
    let active = EmptySegment(
      ledger: view.manifest.ledger, replica: report.replica, after: copy.end)
    do {
      try target.ensureFolder(LedgerNames.segments)
      let current = try ManifestStep.prepare(manifest(copy, report, active), in: target)
      for part in copy.parts {
        try copy.copy(part, to: target)
        if part.entry.hasFile { report.copy.note(part.entry.end, isCopied: true) }
        progress?(report.copy.copiedBytes)
      }
      try copy.copyAside(to: target, &report.copy)
      try active.makeFile(in: target, extensionBytes: options.extensionBytes)
      // The names of the copies are durable with that of the last file.
      try ManifestStep.commit(current, in: target)
      return report
    } catch {
      guard let failure = error as? ManifestStep.Failure else {
        try? removeLeftovers()
        throw error
      }
      switch failure {
      case .before(let error):
        try? removeLeftovers()
        throw error
      case .unknown(var error):
        error.hint = "the ledger may be there: look at it with `ledger verify`"
        throw error
      }
    }
  }

  private func manifest(
    _ copy: LogCopy, _ report: Report, _ active: EmptySegment
  ) -> Manifest {
    let segments = copy.parts.map { part in
      var entry = part.entry
      // The new replica has made none of these events.
      entry.ownCount = 0
      return entry
    }
    let now = clock()
    let record = MaintenanceRecord.restoration(
      from: report.source, as: report.replica, end: copy.end, time: now)
    let losses = report.altered.map { file, problem in
      RepairRecord.record(
        RepairPlan.Step(part: .aside, file: file, problem: problem),
        follows: copy.end.sequence, time: now)
    }
    return Manifest(
      ledger: view.manifest.ledger, number: 1, replica: report.replica,
      segments: segments + [active.entry], records: view.manifest.recordsToCopy + losses + [record])
  }

  /// Removes what an interrupted run left: durably first what is in folders, then what it is known by.
  private func removeLeftovers() throws {
    let leftovers = try LedgerCreation.leftovers(in: target, isRestoration: true)
    let inFolders = leftovers.filter { $0.utf8.contains(0x2f) }
    for name in inFolders { try target.unlink(name) }
    // A copy that failed may have removed its draft itself, and not made that durable.
    let there = try target.list("")
    for folder in [LedgerNames.segments, LedgerNames.aside]
    where !leftovers.isEmpty && there.contains(folder) {
      try target.syncFolder(folder)
    }
    for name in leftovers where !name.utf8.contains(0x2f) { try target.unlink(name) }
  }
}
