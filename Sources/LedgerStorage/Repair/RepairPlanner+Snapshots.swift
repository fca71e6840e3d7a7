import LedgerCore
import LedgerFormat

/// Which snapshots a repair takes out of use, and keeps.
extension RepairPlanner {
  /// A snapshot of lost events says what the events that are left do not: it is no longer used, and kept.
  mutating func planSnapshots(_ manifest: Manifest) throws(LedgerError) {
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
        if error.isOfOtherThanFile {
          try step.keepBytes(in: directory)
        } else if !directory.isNoneOfOthers(name, than: manifest.ledger) {
          // It is another ledger's: nobody removes it.
          step.aside = AsideNames().free(for: name, in: directory)
        }
      } else if firstLost.map({ entry.sequence >= $0 }) ?? false {
        if case .unreadable(let error) = file.status { throw unreadable(error) }
        step.problem = "it stands for events that are lost"
        let snapshot = try SnapshotFile(entry, manifest, in: directory, pool: pool)
        step.tasks = snapshot.footer.state?.tasks
        try step.keepBytes(in: directory)
      } else if plan.firstReturned.map({ entry.sequence >= $0 }) ?? false {
        step.problem = "it lacks events that return"
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
        part: .snapshot, file: name,
        problem: "it stands for events that are lost, and no list names it")
      step.tasks = snapshot.tasks
      try step.keepBytes(in: directory)
      plan.steps.append(step)
    }
  }

  /// The log digests at the ends of segments; at other events the comparison with the events tells as much.
  private func digests(_ manifest: Manifest) -> [UInt64: Digest] {
    let ends = manifest.segments.filter { $0.kind != .active }
    return Dictionary(
      ends.map { ($0.lastSequence, $0.digestAfter) }, uniquingKeysWith: { first, _ in first })
  }
}
