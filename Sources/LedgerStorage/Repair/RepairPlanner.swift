import LedgerCore
import LedgerFormat

/// Finds everything that a repair has to do. It reads every byte and writes nothing.
struct RepairPlanner {
  let directory: any LedgerDirectory
  let pool: ZstdPool
  private let isAlone: Bool
  private let progress: ((UInt64) -> Void)?
  var plan = RepairPlan()
  /// Keeps the files that it names from being removed while they are read.
  private var held: HeldManifest?
  /// What is wrong with files of other ledgers.
  private var otherLedgers: [LedgerError] = []
  /// The number of the list that counts; nil where it is remade.
  private(set) var listNumber: UInt64?

  /// - Parameter isAlone: whether the caller holds the locks that keep everybody else from writing.
  init(
    _ directory: any LedgerDirectory, pool: ZstdPool, isAlone: Bool = false,
    progress: ((UInt64) -> Void)? = nil
  ) {
    self.directory = directory
    self.pool = pool
    self.isAlone = isAlone
    self.progress = progress
  }

  /// - Throws: `damaged` where no manifest fits the files; `io` where the system does not give some bytes: whether they are lost
  ///   cannot be told then.
  mutating func make() throws(LedgerError) -> RepairPlan {
    if let step = Self.lockStep(directory) { plan.steps.append(step) }
    try checkSegmentsFolder()
    let manifest = try planManifest()
    let damaged = try planSegments(manifest)
    try planReturned(manifest, damaged: damaged, current: held?.manifest)
    try checkIsNotOfTwo(manifest)
    try planAside(manifest)
    try planSnapshots(manifest)
    if plan.steps.contains(where: { $0.tasks != nil || $0.isOfFolded }) {
      let left = RemainingState(directory, manifest, plan, pool: pool)
      plan.tasks = try left.taskCount()
    }
    plan.base = manifest
    plan.lostBefore = stillLost(manifest)
    if !plan.steps.isEmpty {
      // What is held counts as needed.
      held = nil
      try UnnamedFiles(directory).addSteps(to: &plan, keeping: manifest)
    }
    return plan
  }

  private func stillLost(_ manifest: Manifest) -> SequenceRanges {
    var lost = SequenceRanges()
    for entry in manifest.segments where entry.kind != .baseline {
      let back = (plan.returned[entry] ?? []).reduce(into: plan.lost) { $0.formUnion($1.events) }
      lost.formUnion(entry.lost.without(back))
    }
    return lost
  }

  /// What is to be done to LOCK; nil where it is a file, or missing, and then whoever writes makes it.
  static func lockStep(_ directory: any LedgerDirectory) -> RepairPlan.Step? {
    let lock = FolderCheck(directory).lock()
    guard let error = lock.status.fault else { return nil }
    let aside = AsideNames().free(for: LedgerNames.lock, in: directory)
    return RepairPlan.Step(part: .lock, file: lock.name, problem: error.sentence, aside: aside)
  }

  /// The manifest that counts.
  private mutating func planManifest() throws(LedgerError) -> Manifest {
    let error: LedgerError
    switch try heldList() {
    case .success(let held):
      listNumber = held.manifest.number
      return held.manifest
    case .failure(let problem): error = problem
    }
    let isOutdated = held != nil
    let found: ManifestRecovery.Found
    switch try ManifestRecovery(directory, pool: pool).find(isOutdated: isOutdated) {
    case .success(let some):
      if let link = some.unread.first(where: { $0.problem.isOfLink }) { throw linked(link.problem) }
      found = some
    case .failure(let obstacle):
      var error = error.without(obstacle)
      error.sentence = "cannot repair the list of files: \(error.sentence)"
      error.path = error.path ?? directory.path
      throw error
    }
    plan.number = found.highestNumber + 1
    listNumber = found.source
    plan.witness = found.witness
    plan.isNewReplica = found.mayBeBackup
    if let held {
      try NewerBackup(beside: held, in: directory, isAlone: isAlone)
        .check(isPartOf: found.manifest, pool)
    }
    let other = try OtherSide(
      directory, beside: found.manifest, number: found.source, current: held?.manifest,
      pool: pool)
    plan.unproven = other.unproven
    plan.kept = other.kept
    // What LOCK tells of is nowhere else: the list stays, and the active segment lacks it.
    if isOutdated, found.witness != nil, found.manifest == held?.manifest, other.files.isEmpty {
      return found.manifest
    }
    var step = RepairPlan.Step(
      part: .manifest(from: found.source), file: error.listFile(in: directory),
      problem: error.sentence, lost: found.lost)
    try step.keepBytes(in: directory)
    plan.steps.append(step)
    try planDropping(other)
    return found.manifest
  }

  /// The list of files that CURRENT names, where nothing is wrong with it; it is held where it can be read.
  private mutating func heldList() throws(LedgerError) -> Result<HeldManifest, LedgerError> {
    let held: HeldManifest
    do throws(LedgerError) {
      held = try HeldManifest.load(from: directory)
    } catch {
      guard error.code == .damaged else { throw error }
      return .failure(error)
    }
    try held.manifest.checkIsNoUnfinishedBackup(directory.path)
    self.held = held
    plan.number = held.manifest.number + 1
    let newer = NewerBackup(beside: held, in: directory, isAlone: isAlone)
    if let newest = try newer.lists().last { return .failure(newer.outdated(by: newest)) }
    var unlisted = UnlistedFiles(directory, held, pool: pool)
    let found = try unlisted.find()
    if let outdated = found.outdated { return .failure(outdated) }
    plan.leftAlone = found.faults.sorted { $0.key < $1.key }.compactMap(\.value.error)
    plan.kept = found.names
    otherLedgers = found.faults.values.compactMap(\.otherLedger)
    return .success(held)
  }

  /// What was acknowledged on another list is kept, and named one by one.
  private mutating func planDropping(_ other: OtherSide) throws(LedgerError) {
    for file in other.files {
      var step = RepairPlan.Step(
        part: .dropped, file: file.name,
        problem: file.events.isEmpty
          ? "it is a list of other events than those of the list that counts"
          : "it leads to acknowledged events that the list that counts has not")
      step.dropped = file.events
      try step.keepBytes(in: directory)
      plan.steps.append(step)
    }
    plan.droppedEvents = other.eventCount
  }

  /// - Returns: what is left of the segments that lack events.
  private mutating func planSegments(
    _ manifest: Manifest
  ) throws(LedgerError) -> [SegmentEntry: SegmentSalvage] {
    var damaged: [SegmentEntry: SegmentSalvage] = [:]
    let witness = plan.witness
    let check = SegmentExamination(directory, manifest, pool: pool, witness: witness)
    let reading = SegmentReading(directory, manifest, pool: pool, witness: witness)
    var events: UInt64 = 0
    for entry in manifest.segments {
      let finding = check.check(entry)
      events += finding.intact.count
      progress?(events)
      if case .unreadable(let error) = finding.status { throw unreadable(error) }
      guard let fault = finding.status.fault ?? tailToKeep(entry, finding.status) else { continue }
      let salvage = try reading.salvage(entry)
      if fault.isOfLink, !salvage.newlyLost(entry).isEmpty || !salvage.isEndKnown {
        throw linked(fault)
      }
      var step = RepairPlan.Step(
        part: .segment, file: LedgerNames.inSegments(entry.file), problem: fault.sentence,
        keptEvents: UInt64(salvage.events.count), lost: salvage.newlyLost(entry), entry: entry)
      if entry.kind == .baseline, !step.lost.isEmpty {
        step.isOfFolded = true
        step.countedEvents = salvage.countedEvents
      }
      step.foundIn = salvage.foundIn.map(LedgerNames.inSegments)
      if !salvage.isEndKnown { step.uncertainAfter = salvage.lastSequence }
      try step.keepBytes(in: directory)
      if !step.lost.isEmpty { damaged[entry] = salvage }
      plan.steps.append(step)
    }
    return damaged
  }

  /// Another replica goes on in another active segment: what stands behind the frames of this one would go with it.
  private func tailToKeep(_ entry: SegmentEntry, _ status: VerifyReport.Status) -> LedgerError? {
    guard entry.kind == .active, plan.isNewReplica, case .tornTail(let bytes, let offset) = status
    else { return nil }
    return LedgerError(
      .damaged, "\(bytes) bytes behind its last frame are no whole one",
      path: directory.pathOf(LedgerNames.inSegments(entry.file)), offset: offset)
  }

  /// Where files of a list are missing and those of another ledger are there, CURRENT and manifests may be what came from elsewhere.
  private func checkIsNotOfTwo(_ manifest: Manifest) throws(LedgerError) {
    guard !plan.lost.isEmpty || plan.uncertainAfter != nil, let other = otherLedgers.first else {
      return
    }
    let missing = try LedgerError.typing {
      try manifest.segments.first { entry in
        try entry.hasFile && directory.status(LedgerNames.inSegments(entry.file)) == nil
      }
    }
    guard let missing else { return }
    throw LedgerError(
      .damaged,
      "files of several ledgers lie in the folder: CURRENT names \(missing.title) of \(manifest.ledger), which is missing",
      path: directory.pathOf(LedgerNames.inSegments(missing.file)), cause: other.message,
      hint: ListObstacle.severalLedgers([]).hint)
  }

  func unreadable(_ error: LedgerError) -> LedgerError {
    var error = error
    error.hint =
      error.code == .io
      ? "whether it is lost cannot be told: put it right, or copy what can be read to a healthy disk; nothing was changed"
      : error.hint
    return error
  }

  /// What a link leads to may be the file: nobody gives up its events for that.
  private func linked(_ error: LedgerError) -> LedgerError {
    var error = error
    error.hint =
      "put the file itself in the place of the link, which is not followed; where it is lost, remove the link; nothing was changed"
    return error
  }

  /// Where the folder of all segments is missing, it is elsewhere, or was never mounted.
  private func checkSegmentsFolder() throws(LedgerError) {
    let isLedger = try LedgerError.typing {
      try directory.list("").contains {
        $0 == LedgerNames.current || LedgerNames.manifestNumber($0) != nil
      }
    }
    if isLedger { try LogOpening.checkSegments(directory) }
  }

  private mutating func planAside(_ manifest: Manifest) throws(LedgerError) {
    for file in AsideCheck(directory).files(manifest) {
      guard let fault = file.status.fault else { continue }
      plan.steps.append(
        RepairPlan.Step(part: .aside, file: file.name, problem: fault.sentence))
    }
  }
}
