import LedgerCore
import LedgerFormat

/// Finds everything that a repair has to do. It reads every byte and writes nothing.
struct RepairPlanner {
  private let directory: any LedgerDirectory
  private let pool: ZstdPool
  private let progress: ((UInt64) -> Void)?
  private var plan = RepairPlan()
  /// Keeps the files that it names from being removed while they are read.
  private var held: HeldManifest?

  init(
    _ directory: any LedgerDirectory, pool: ZstdPool, progress: ((UInt64) -> Void)? = nil
  ) {
    self.directory = directory
    self.pool = pool
    self.progress = progress
  }

  /// - Throws: `damaged` where no manifest fits the files; `io` where the system does not give some bytes: whether they are lost
  ///   cannot be told then.
  mutating func make() throws(LedgerError) -> RepairPlan {
    if let step = Self.lockStep(directory) { plan.steps.append(step) }
    let manifest = try planManifest()
    try planSegments(manifest)
    try planAside(manifest)
    try planSnapshots(manifest)
    if plan.steps.contains(where: { $0.tasks != nil || $0.isOfFolded }) {
      let left = RemainingState(directory, manifest, plan, pool: pool)
      plan.tasks = try left.taskCount()
    }
    plan.base = manifest
    if !plan.steps.isEmpty {
      // What is held counts as needed.
      held = nil
      try UnnamedFiles(directory).addSteps(to: &plan, keeping: manifest)
    }
    return plan
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
    guard let error = try listProblem() else {
      // It is held where nothing is wrong with it.
      guard let held else { preconditionFailure("a list without a problem is not held") }
      return held.manifest
    }
    let isOutdated = held != nil
    let found: ManifestRecovery.Found
    switch try ManifestRecovery(directory, pool: pool).find(isOutdated: isOutdated) {
    case .success(let some): found = some
    case .failure(let obstacle):
      var error = error.without(obstacle)
      error.sentence = "cannot repair the list of files: \(error.sentence)"
      error.path = error.path ?? directory.path
      throw error
    }
    plan.number = found.highestNumber + 1
    plan.witness = found.witness
    plan.isNewReplica = found.mayBeBackup
    if let held { try NewerBackup(beside: held, in: directory).check(isPartOf: found.manifest, pool) }
    let other = try OtherSide(
      directory, beside: found.manifest, number: found.source, current: held?.manifest,
      pool: pool)
    plan.unproven = other.unproven
    // What LOCK tells of is nowhere else: the list stays, and the active segment lacks it.
    if isOutdated, found.witness != nil, found.manifest == held?.manifest, other.files.isEmpty {
      return found.manifest
    }
    var step = RepairPlan.Step(
      part: .manifest(from: found.source), file: nameInFolder(error.path) ?? LedgerNames.current,
      problem: error.sentence, lost: found.lost)
    try keepBytes(&step)
    plan.steps.append(step)
    try planDropping(other)
    return found.manifest
  }

  /// What is wrong with the list of files that CURRENT names; nil where nothing is. It is held where it can be read.
  private mutating func listProblem() throws(LedgerError) -> LedgerError? {
    let held: HeldManifest
    do throws(LedgerError) {
      held = try HeldManifest.load(from: directory)
    } catch {
      guard error.code == .damaged else { throw error }
      return error
    }
    self.held = held
    plan.number = held.manifest.number + 1
    let newer = NewerBackup(beside: held, in: directory)
    if let newest = try newer.lists().last { return newer.outdated(by: newest) }
    var unlisted = UnlistedFiles(directory, held, pool: pool)
    return try unlisted.find().outdated
  }

  /// The name of a file in the ledger's folder by its path; nil for the folder itself.
  private func nameInFolder(_ path: String?) -> String? {
    guard let path, !path.hasSameBytes(as: directory.path) else { return nil }
    let prefix = directory.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
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
      try keepBytes(&step)
      plan.steps.append(step)
    }
    plan.droppedEvents = other.eventCount
  }

  private mutating func planSegments(_ manifest: Manifest) throws(LedgerError) {
    let witness = plan.witness
    let check = SegmentExamination(directory, manifest, pool: pool, witness: witness)
    let reading = SegmentReading(directory, manifest, pool: pool, witness: witness)
    var events: UInt64 = 0
    for entry in manifest.segments {
      let finding = check.check(entry)
      events += finding.intact.count
      progress?(events)
      if case .unreadable(let error) = finding.status { throw unreadable(error) }
      guard let fault = finding.status.fault else { continue }
      let salvage = try reading.salvage(entry)
      var step = RepairPlan.Step(
        part: .segment, file: LedgerNames.inSegments(entry.file), problem: fault.sentence,
        keptEvents: UInt64(salvage.events.count), lost: salvage.newlyLost(entry), entry: entry)
      if entry.kind == .baseline, !step.lost.isEmpty {
        step.isOfFolded = true
        step.countedEvents = salvage.countedEvents
      }
      step.foundIn = salvage.foundIn.map(LedgerNames.inSegments)
      if !salvage.isEndKnown { step.uncertainAfter = salvage.lastSequence }
      try keepBytes(&step)
      plan.steps.append(step)
    }
  }

  private func unreadable(_ error: LedgerError) -> LedgerError {
    var error = error
    error.hint =
      error.code == .io
      ? "whether it is lost cannot be told: put it right, or copy what can be read to a healthy disk; nothing was changed"
      : error.hint
    return error
  }

  private mutating func planAside(_ manifest: Manifest) throws(LedgerError) {
    for file in AsideCheck(directory).files(manifest) {
      guard let fault = file.status.fault else { continue }
      plan.steps.append(
        RepairPlan.Step(part: .aside, file: file.name, problem: fault.sentence))
    }
  }

  /// A snapshot of lost events says what the events that are left do not: it is no longer used, and kept.
  private mutating func planSnapshots(_ manifest: Manifest) throws(LedgerError) {
    let firstLost = plan.firstLost
    let isWhole = !plan.steps.contains { $0.part == .segment }
    let view =
      isWhole && plan.steps.isEmpty ? try LogOpening.open(directory, pool: pool).view : nil
    let check = SnapshotCheck(
      directory, manifest, pool: pool, digests: digests(manifest), view: view, digestsFrom: .max)
    let entries = SnapshotEntry.all(in: manifest)
    let found = check.files(entries)
    let unreadableFolder = found.first {
      $0.name.hasSameBytes(as: LedgerNames.snapshots) && $0.status.isUnreadable
    }
    for entry in entries {
      let name = LedgerNames.inSnapshots(entry.file)
      // One that was deleted is not missed.
      if (try? directory.status(name)) == .some(nil) { continue }
      var step = RepairPlan.Step(part: .snapshot, file: name, problem: "")
      // All that it says is in the events, too: whatever is wrong with it keeps nothing from being repaired.
      guard let file = found.first(where: { $0.name.hasSameBytes(as: name) }) ?? unreadableFolder
      else {
        step.problem = "it cannot be looked at"
        plan.steps.append(step)
        continue
      }
      if case .leftOut(let error) = file.status, error.code != .unsupported {
        step.problem = [error.sentence, error.cause].compactMap { $0 }.joined(separator: ": ")
        if error.isOfOtherThanFile { try keepBytes(&step) }
      } else if firstLost.map({ entry.sequence >= $0 }) ?? false {
        if case .unreadable(let error) = file.status { throw unreadable(error) }
        step.problem = "it stands for events that are lost"
        let snapshot = try SnapshotFile(entry, manifest, in: directory, pool: pool)
        step.tasks = snapshot.footer.state?.tasks
        try keepBytes(&step)
      } else {
        plan.snapshots.append(entry)
        continue
      }
      plan.steps.append(step)
    }
    if plan.steps.contains(where: \.part.isManifest) { try planUnnamedSnapshots(manifest, entries) }
  }

  /// With a list its snapshots are gone: one of lost events is kept as it would be otherwise.
  private mutating func planUnnamedSnapshots(
    _ manifest: Manifest, _ entries: [SnapshotEntry]
  ) throws(LedgerError) {
    guard let firstLost = plan.firstLost,
      let files = try? directory.listIfThere(LedgerNames.snapshots)
    else { return }
    let named = Set(entries.map { ByteText($0.file) })
    for file in files where !named.contains(ByteText(file)) {
      let name = LedgerNames.inSnapshots(file)
      guard LedgerNames.snapshotSequence(file) != nil,
        let snapshot = try? LooseSnapshot(name, in: directory, pool: pool),
        snapshot.ledger == manifest.ledger, snapshot.sequence >= firstLost
      else { continue }
      var step = RepairPlan.Step(
        part: .snapshot, file: name, problem: "it stands for events that are lost, and no list names it")
      step.tasks = snapshot.tasks
      try keepBytes(&step)
      plan.steps.append(step)
    }
  }

  /// The log digests at the ends of segments; at other events the comparison with the events tells as much.
  private func digests(_ manifest: Manifest) -> [UInt64: Digest] {
    let ends = manifest.segments.filter { $0.kind != .active }
    return Dictionary(
      ends.map { ($0.lastSequence, $0.digestAfter) }, uniquingKeysWith: { first, _ in first })
  }

  /// Says where the bytes of a file are going to be kept, if it is there.
  private mutating func keepBytes(_ step: inout RepairPlan.Step) throws(LedgerError) {
    do {
      let file = try directory.open(step.file, .read)
      defer { file.close() }
      let size = try file.size()
      let digest = try FileStretch(file: file, range: 0..<size).digest()
      step.bytes = size
      step.digest = digest
      step.aside = AsideNames().name(for: step.file, digest)
    } catch let error as LedgerError where error.code == .notFound {
    } catch let error as LedgerError where error.isOfOtherThanFile {
      let last = step.file.split(separator: "/").last.map(String.init) ?? step.file
      step.aside = AsideNames().free(for: last, in: directory)
    } catch {
      throw LedgerError.wrapping(error)
    }
  }
}

/// Names of files in the folder of what was moved aside.
struct AsideNames {
  private static let suffix = ".broken"

  /// Whether a file in that folder has a name that a repair gives.
  static func isBroken(_ file: String) -> Bool { file.hasSuffix(suffix) }

  /// Names bytes by what they are: a copy that is made twice is the same.
  func name(for file: String, _ digest: Digest) -> String {
    let last = file.split(separator: "/").last.map(String.init) ?? file
    return "\(LedgerNames.aside)/\(last)-\(hex(digest.checksum))\(Self.suffix)"
  }

  /// A name that nothing has yet.
  func free(for file: String, in directory: any LedgerDirectory) -> String {
    let taken = Set(((try? directory.list(LedgerNames.aside)) ?? []).map(ByteText.init))
    var number = 1
    while taken.contains(ByteText("\(file)-\(number)\(Self.suffix)")) { number += 1 }
    return "\(LedgerNames.aside)/\(file)-\(number)\(Self.suffix)"
  }
}

extension RepairPlan {
  /// The first event that is lost, or may be; nil where none is.
  var firstLost: UInt64? {
    steps.compactMap { step -> UInt64? in
      if let entry = step.entry, entry.kind == .baseline, step.foundIn == nil { return 1 }
      return step.lost.ranges.first?.lowerBound ?? step.uncertainAfter.map { $0 + 1 }
    }.min()
  }
}

extension SegmentSalvage {
  /// What the manifest does not say of the lost yet; of a baseline, what may be: that it says so already is no reason that no more is.
  func newlyLost(_ entry: SegmentEntry) -> SequenceRanges {
    if entry.kind == .baseline, entry.hasFile, !isWhole { return lost }
    return SequenceRanges(lost.ranges.flatMap { entry.lost.missing(in: $0).ranges })
  }
}
