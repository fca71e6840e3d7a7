import TaskLedger

/// Runs what an actor does on a thread of its own, one job after the other.
///
/// A change waits for the disk, and for other processes that hold the ledger's lock: on one of Swift's own threads, of which there are as
/// few as cores, it would keep everybody else waiting.
///
/// Invariants:
/// - there is a thread exactly while `isRunning`, and it ends when there are no more jobs;
/// - jobs run in the order in which they came.
final class LedgerThread: SerialExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var isRunning = false
  }

  private let state = Guarded(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let starts = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts, !DetachedThread.start({ self.run() }) else { return }
    // Where the system allows no more threads one of Swift's own has to do.
    Task.detached { self.run() }
  }

  private func run() {
    while let job = takeJob() { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  private func takeJob() -> UnownedJob? {
    state.withLock { state in
      guard !state.jobs.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
