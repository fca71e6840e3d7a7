import LedgerCore
import LedgerFormat

/// Segments and manifests that nobody uses, where a ledger is repaired: whoever removes what is not needed would take them for leftovers.
/// They are moved aside and put on record, but for those that nobody removes, and so is what an earlier repair kept and no record names: it was interrupted, or the
/// records are lost with the list.
struct UnnamedFiles {
  private let directory: any LedgerDirectory

  init(_ directory: any LedgerDirectory) { self.directory = directory }

  /// - Parameter manifest: the list that counts.
  func addSteps(to plan: inout RepairPlan, keeping manifest: Manifest) throws(LedgerError) {
    // What is copied aside, and what segments are read from, is known to the plan.
    let known = Set(
      plan.steps.filter { $0.aside != nil }.map { ByteText($0.file) }
        + plan.steps.filter { $0.part == .returned }.map { ByteText($0.file) }
        + plan.steps.compactMap { $0.foundIn.map(ByteText.init) })
    let unneeded = try LedgerError.typing {
      try FileCleaner(directory, options: StoreOptions()).unneededFiles(
        under: manifest, passesOverDamage: true)
    }
    let unnamed = unneeded.filter {
      !known.contains(ByteText($0)) && !plan.kept.contains(ByteText($0))
    }
    for file in unnamed {
      var step = step(file, "no list of files names it")
      if let found = plan.unproven.first(where: { $0.name.hasSameBytes(as: file) }) {
        step.unproven = found.events
        step.problem += ", and nothing tells whether its events were acknowledged"
      }
      plan.steps.append(step)
    }
    let named = AsideCheck.named(in: manifest).union(
      plan.steps.compactMap { $0.aside.map(ByteText.init) })
    for file in (try? directory.list(LedgerNames.aside)) ?? [] where AsideNames.isBroken(file) {
      let name = "\(LedgerNames.aside)/\(file)"
      guard !named.contains(ByteText(name)) else { continue }
      var step = step(name, "no record names it")
      step.aside = name
      plan.steps.append(step)
    }
  }

  private func step(_ file: String, _ problem: String) -> RepairPlan.Step {
    var step = RepairPlan.Step(part: .unnamed, file: file, problem: problem)
    do throws(LedgerError) {
      try step.keepBytes(in: directory)
    } catch {
      // It need not be readable to be moved.
      step.aside = AsideNames().free(for: file, in: directory)
    }
    return step
  }
}
