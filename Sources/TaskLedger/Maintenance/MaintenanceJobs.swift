import LedgerFormat
import LedgerStorage

/// The jobs of one run of maintenance.
///
/// Invariants:
/// - what a dry run says and what a run does begin with the same look at the ledger;
/// - damage is looked for before anything is rewritten, and once it is found nothing is rewritten or removed: what is left of the
///   events may be needed;
/// - what another process keeps from being done is left to the next run;
/// - a job that fails keeps no other from being done: a full disk is no reason not to remove what nobody needs.
struct MaintenanceJobs {
  let ledger: Ledger
  let policy: MaintenancePolicy
  let progress: ((MaintenanceReport.Job, UInt64) -> Void)?

  private typealias Step = MaintenanceReport.Step

  /// What is due.
  func planned() throws(LedgerError) -> MaintenanceReport {
    var report = MaintenanceReport()
    for job in MaintenanceReport.Job.allCases { report.steps.append(try plan(job)) }
    return report
  }

  /// Does what is due.
  func run() throws(LedgerError) -> MaintenanceReport {
    var report = MaintenanceReport()
    for job in MaintenanceReport.Job.allCases {
      let isLeftOut = report.damage != nil
      report.steps.append(isLeftOut ? Step(job, .leftOut) : try perform(job, &report))
    }
    return report
  }

  private func plan(_ job: MaintenanceReport.Job) throws(LedgerError) -> Step {
    switch job {
    case .seal: try sealing()
    case .verify: try verifying()
    case .snapshot: try snapshotting()
    case .merge: try merging()
    case .remove: try removing()
    }
  }

  private func perform(
    _ job: MaintenanceReport.Job, _ report: inout MaintenanceReport
  ) throws(LedgerError) -> Step {
    var step = Step(job, .notDue)
    do throws(LedgerError) {
      step = try plan(job)
      guard step.outcome == .due else { return step }
      switch job {
      case .seal: return try seal(step)
      case .verify: return try verify(step, &report.damage)
      case .snapshot: return try snapshot(step)
      case .merge: return try merge(step)
      case .remove: return try remove(step)
      }
    } catch {
      switch error.code {
      case .busy: return step.with(.busy)
      case .damaged, .unsupported:
        report.damage = error
        return step.with(.damaged)
      // The ledger is gone: no other job can be done either.
      case .notFound: throw error
      default:
        report.failure = report.failure ?? error
        step.problem = error.message
        return step.with(.failed)
      }
    }
  }
}

// Sealing.
extension MaintenanceJobs {
  private func sealing() throws(LedgerError) -> Step {
    let view = try ledger.currentView()
    let waiting = view.frameSegments.dropLast().reduce(0) { $0 + $1.eventCount }
    let isFull = isActiveFull(view)
    var step = Step(.seal, waiting > 0 || isFull ? .due : .notDue)
    step.threshold = policy.sealEvents
    step.events = waiting + (isFull || waiting == 0 ? view.active.eventCount : 0)
    if step.outcome == .notDue, policy.sealEvents == 0 { step.outcome = .off }
    return step
  }

  private func isActiveFull(_ view: LogView) -> Bool {
    policy.sealEvents > 0 && view.active.eventCount >= policy.sealEvents
  }

  private func seal(_ plan: Step) throws(LedgerError) -> Step {
    if isActiveFull(try ledger.currentView()) {
      try ledger.closeSegment()
    }
    let sealed = try ledger.sealer().sealAll()
    ledger.noteSealed()
    return plan.with(sealed == nil ? .busy : .done)
  }
}

// Reading a share.
extension MaintenanceJobs {
  private var shareCheck: ShareCheck {
    ShareCheck(ledger.directory, pool: ledger.pool, clock: ledger.configuration.clock)
  }

  private func verifying() throws(LedgerError) -> Step {
    guard policy.verifyPercent > 0 else { return Step(.verify, .off) }
    let share = try shareCheck.next(percent: policy.verifyPercent)
    var step = Step(.verify, share.entries.isEmpty ? .notDue : .due)
    step.files = share.entries.count
    step.bytes = share.bytes
    step.threshold = UInt64(share.segments)
    return step
  }

  private func verify(_ plan: Step, _ damage: inout LedgerError?) throws(LedgerError) -> Step {
    let share = try shareCheck.run(percent: policy.verifyPercent) { progress?(.verify, $0) }
    damage = share.damage
    var step = plan.with(damage == nil ? .done : .damaged)
    step.files = share.soundSegments
    step.bytes = share.soundBytes
    step.problem = share.notKept?.message
    return step
  }
}

// Snapshots.
extension MaintenanceJobs {
  private func snapshotting() throws(LedgerError) -> Step {
    guard policy.snapshotEvents > 0 else { return Step(.snapshot, .off) }
    let due = ledger.snapshotMaker(every: policy.snapshotEvents).due(try ledger.currentView())
    var step = Step(.snapshot, due.isDue ? .due : .notDue)
    step.events = due.events
    step.threshold = due.threshold
    return step
  }

  private func snapshot(_ plan: Step) throws(LedgerError) -> Step {
    let maker = ledger.snapshotMaker(every: policy.snapshotEvents)
    // That of the end goes on from that of the middle.
    _ = try maker.makeOfMiddleIfDue(eventsMax: .max) { progress?(.snapshot, $0) }
    let isMade = try maker.makeIfDue(eventsMax: .max) { progress?(.snapshot, $0) }
    return plan.with(isMade ? .done : .busy)
  }
}

// Merging.
extension MaintenanceJobs {
  private func merging() throws(LedgerError) -> Step {
    guard policy.mergeSegments > 0 else { return Step(.merge, .off) }
    let plan = try ledger.compactionPlan()
    var step = Step(.merge, UInt64(plan.segments) >= policy.mergeSegments ? .due : .notDue)
    step.files = plan.segments
    step.events = plan.events
    step.bytes = plan.bytes
    step.threshold = policy.mergeSegments
    return step
  }

  private func merge(_ plan: Step) throws(LedgerError) -> Step {
    let done = try ledger.compact { progress?(.merge, $0) }
    var step = plan.with(.done)
    step.files = done.plan.segments
    step.events = done.plan.events
    step.bytes = done.plan.bytes
    return step
  }
}

// Removing.
extension MaintenanceJobs {
  private func removing() throws(LedgerError) -> Step {
    guard policy.removesUnneeded else { return Step(.remove, .off) }
    var step = Step(.remove, .notDue)
    step.files = try ledger.currentView().removableFiles().count
    if step.files > 0 { step.outcome = .due }
    return step
  }

  private func remove(_ plan: Step) throws(LedgerError) -> Step {
    try ledger.letGoOfFiles()
    guard let files = try ledger.sealer().removeUnneededFiles() else { return plan.with(.busy) }
    var step = plan.with(.done)
    step.files = files + (try ledger.snapshotMaker().removeUnneeded())
    if step.files == 0 { step.outcome = .notDue }
    return step
  }
}

extension MaintenanceReport.Step {
  fileprivate func with(_ outcome: MaintenanceReport.Outcome) -> Self {
    var step = self
    step.outcome = outcome
    return step
  }
}
