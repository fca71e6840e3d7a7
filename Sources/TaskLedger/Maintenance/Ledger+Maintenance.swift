import LedgerFormat
import LedgerStorage

/// Maintenance that a schedule runs.
extension Ledger {
  /// Does what is due: seals, reads a share of the sealed segments, makes a snapshot, merges, and removes what nobody needs.
  ///
  /// Others can read and write meanwhile. It can be run at any time, by several schedules at once: all but the first return at once.
  /// Each job is complete or was never begun when it is interrupted, and the next run goes on.
  ///
  /// ```swift
  /// if let report = try ledger.maintain(), let damage = report.damage { alert(damage) }
  /// ```
  /// - Parameters:
  ///   - policy: what is due when; nil: that of the ledger's folder, see ``maintenancePolicy()``.
  ///   - isDryRun: whether only to say what is due, and write nothing.
  ///   - progress: called with the job and how far it is: bytes read, or events merged.
  /// - Returns: what was done and what was not due; nil where maintenance is under way elsewhere. Damage that was found is part of
  ///   it, and so is why a job failed, as on a full disk: the others were done, and the events are as they were.
  /// - Throws: ``LedgerError`` with code `invalid` for a policy that says what it cannot say, for a backup, and inside a transaction
  ///   of this ledger, `damaged`, `notFound` or `io` when the ledger itself cannot be read: nothing was begun.
  public func maintain(
    _ policy: MaintenancePolicy? = nil, isDryRun: Bool = false,
    progress: ((MaintenanceReport.Job, UInt64) -> Void)? = nil
  ) throws(LedgerError) -> MaintenanceReport? {
    try currentView().manifest.checkIsNoBackup(path)
    var policy = policy
    if policy == nil { policy = try maintenancePolicy() }
    let run = MaintenanceJobs(
      ledger: self, policy: policy ?? MaintenancePolicy(), progress: progress)
    if isDryRun { return try run.planned() }
    // A transaction of this thread would wait for itself.
    try letGoOfFiles()
    try LedgerError.typing { try directory.ensureFolder(LedgerNames.checkpoints) }
    let lock = MaintenanceLock(directory, of: LedgerNames.checkpoints)
    let report = try lock.hold { try run.run() }
    // Who closed a segment meanwhile may have been turned away.
    if let report, report.damage == nil { sealIfDue() }
    return report
  }
}
