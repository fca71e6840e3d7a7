/// What a run of ``Ledger/maintain(_:isDryRun:progress:)`` did, or would do.
public struct MaintenanceReport: Sendable {
  /// A job of maintenance, in the order in which they are done.
  public enum Job: String, Sendable, CaseIterable {
    /// Closes the active segment and seals what waits to be.
    case seal
    /// Reads a share of the sealed segments.
    case verify
    /// Makes a snapshot.
    case snapshot
    /// Merges segments.
    case merge
    /// Removes files that nobody needs.
    case remove
  }

  /// What became of a job.
  public enum Outcome: String, Sendable {
    /// It was due, and done.
    case done
    /// It is due: a dry run does nothing.
    case due
    /// There was nothing to do yet.
    case notDue
    /// The policy does not want it.
    case off
    /// Another process is at it, or holds the ledger: left to the next run.
    case busy
    /// What was read is not what was written.
    case damaged
    /// It could not be done, or not to its end; ``Step/problem`` says why. The other jobs were done all the same.
    case failed
    /// It was not begun, because damage was found before.
    case leftOut
  }

  /// One job.
  public struct Step: Hashable, Sendable {
    /// Which job.
    public var job: Job
    /// What became of it.
    public var outcome: Outcome
    /// How many events it concerns: those that are sealed or wait for it, or that were sealed since the last snapshot.
    public var events: UInt64 = 0
    /// How many files it concerns: those that were read, are merged, or removed. A dry run counts as removed also files that
    /// a reader may still need.
    public var files: Int = 0
    /// The bytes of the files that were read or merged.
    public var bytes: UInt64 = 0
    /// How many events or files make the job due; for ``Job/verify`` how many files there are.
    public var threshold: UInt64 = 0
    /// What is in the way of the job, or of keeping what it found; nil where nothing is.
    public var problem: String?

    init(_ job: Job, _ outcome: Outcome) {
      self.job = job
      self.outcome = outcome
    }
  }

  /// Every job, in order.
  public internal(set) var steps: [Step] = []
  /// What is damaged, as a rule in the share that was read; the jobs after it were left out.
  public internal(set) var damage: LedgerError?
  /// Why the first of the jobs that failed did; nil where none failed.
  public internal(set) var failure: LedgerError?
}
