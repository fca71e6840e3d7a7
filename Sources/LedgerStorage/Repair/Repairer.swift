import LedgerCore
import LedgerFormat

/// Saves what is intact of a damaged ledger. Never runs by itself.
///
/// Invariants:
/// - it works under the maintenance lock and the folder lock: nobody writes meanwhile;
/// - broken bytes are copied aside, durably, before anything else; the broken files stay where they are until the repaired ledger is
///   durable;
/// - no segment or manifest that nothing names is removed, but moved aside and put on record: where files are not what they should be,
///   it may be the one that counts;
/// - one manifest step makes all of it so: whenever it is interrupted, the ledger is as damaged as before, or repaired;
/// - what is intact keeps its sequence numbers, log digests around segments stay what they were, and what is lost is named by the
///   manifest.
package struct Repairer {
  let directory: any LedgerDirectory
  let options: StoreOptions
  let pool: ZstdPool
  let clock: LedgerClock
  private let progress: ((UInt64) -> Void)?

  /// - Parameter progress: called now and then with the number of events checked so far.
  package init(
    _ directory: any LedgerDirectory, options: StoreOptions, pool: ZstdPool,
    clock: @escaping LedgerClock, progress: ((UInt64) -> Void)? = nil
  ) {
    self.directory = directory
    self.options = options
    self.pool = pool
    self.clock = clock
    self.progress = progress
  }

  /// What ``run()`` would do now. It writes nothing.
  package func plan() throws(LedgerError) -> RepairPlan { try plan(isAlone: false) }

  private func plan(isAlone: Bool) throws(LedgerError) -> RepairPlan {
    var planner = RepairPlanner(directory, pool: pool, isAlone: isAlone, progress: progress)
    return try planner.make()
  }

  /// - Returns: what was done; nothing where the ledger is sound.
  /// - Throws: `damaged` where no manifest fits the files, `busy` where others are at work for too long, `io`; nothing was changed
  ///   then, or the next run goes on from there.
  package func run() throws(LedgerError) -> RepairPlan {
    // A ledger that is sound is not locked, and a folder of something else is not written to.
    let look = try plan()
    guard !look.steps.isEmpty else { return look }
    try LedgerError.typing { try directory.ensureFolder(LedgerNames.segments) }
    let plan = try MaintenanceLock(directory).hold(timeout: options.lockTimeoutMilliseconds) {
      let plan = try repairUnderLocks()
      try FileCleaner(directory, options: options).removeUnneeded()
      return plan
    }
    guard let plan else {
      throw LedgerError(
        .busy, "another process rewrites segments", path: directory.path,
        hint: "try again when it is done; nothing was changed")
    }
    if plan.steps.contains(where: { $0.part == .snapshot }) {
      try SnapshotMaker(directory, options: options, pool: pool, clock: clock).removeUnneeded()
    }
    return plan
  }

  private func repairUnderLocks() throws -> RepairPlan {
    let lockStep = RepairPlanner.lockStep(directory)
    if let aside = lockStep?.aside {
      try ManifestStep.moveAside(LedgerNames.lock, to: aside, in: directory)
    }
    let lock = FolderLock(directory)
    try lock.acquire(timeout: options.lockTimeoutMilliseconds)
    defer { lock.release() }
    var plan = try plan(isAlone: true)
    if let lockStep { plan.steps.insert(lockStep, at: 0) }
    guard let base = plan.base, !plan.steps.isEmpty else { return plan }
    for step in plan.steps where step.part != .lock {
      if step.isMoved {
        // A run that was interrupted may have moved it.
        guard step.aside?.hasSameBytes(as: step.file) != true else { continue }
        try ManifestStep.moveAside(step.file, to: step.aside, in: directory)
      } else {
        try copyAside(step)
      }
    }
    let active = try exchange(base, plan).active
    // What LOCK says of another segment was taken into account, as far as it can be.
    let word = DurableEnd(of: base.ledger, in: directory)
    if let word, word.segment != active.segment { try? lock.takeBackWord() }
    return plan
  }

  /// Copies the bytes of a file to where the plan says.
  private func copyAside(_ step: RepairPlan.Step) throws {
    guard let aside = step.aside, let digest = step.digest else { return }
    let file = try directory.open(step.file, .read)
    defer { file.close() }
    let bytes = FileStretch(file: file, range: 0..<step.bytes)
    try directory.ensureFolder(LedgerNames.aside)
    try directory.replaceDurably(aside, in: LedgerNames.aside) { try bytes.copy(to: $0) }
    let copy = try directory.open(aside, .read)
    defer { copy.close() }
    guard try FileStretch(file: copy, range: 0..<copy.size()).digest() == digest else {
      throw LedgerError(
        .damaged, "a copy of broken bytes reads back otherwise than it was written",
        path: directory.pathOf(aside), hint: "check the disk; nothing was changed")
    }
  }

  /// Writes the new segments and takes the step that names them; what was written goes when the step was not taken.
  private func exchange(_ base: Manifest, _ plan: RepairPlan) throws -> Manifest {
    var written: [String] = []
    do {
      let manifest = try SegmentRebuild(self, base, plan).manifest { written.append($0) }
      written.append(LedgerNames.manifest(manifest.number))
      try ManifestStep.removing(written, in: directory) {
        written = []
        try ManifestStep.takeNamingFiles(manifest, in: directory)
      }
      return manifest
    } catch {
      for file in written { try? directory.unlink(file) }
      throw error
    }
  }
}
