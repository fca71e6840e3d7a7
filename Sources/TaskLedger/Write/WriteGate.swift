import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Orders the writers of one process.
///
/// A writer enters, has its turn to make events, queues them, and waits until they are synced; one of those who wait is the leader
/// who writes and syncs what all have queued. The folder lock is taken by the first to enter and given back by the last to
/// leave.
///
/// Invariants, all under `mutex`, which is never held across a system call that waits, nor across user code:
/// - `turn` belongs to at most one writer, in order of arrival;
/// - there is at most one leader;
/// - the folder lock is held exactly while `isLockHeld`, and taken or released only by a writer that has the turn while nobody
///   leads;
/// - after a failed append, `epoch` has grown, and everything made under an older epoch has failed.
final class WriteGate: @unchecked Sendable {
  // Unchecked: every variable is guarded by `mutex`, but for `writer` and `session`, which belong to whoever has the turn, and
  // the writer's appending, which belongs to the leader.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var nextTicket = 0
  private var servedTicket = 0
  private var inside = 0
  private var isLockHeld = false
  private var heldSince = 0.0
  private var isLeading = false
  private var epoch = 0
  /// Grows whenever the folder lock is taken or given back.
  private var lockChanges = 0
  private var rotates = false
  private var dropsSession = false
  private var queue: [Queued] = []
  private var owner: pthread_t?
  /// What appends; kept from one turn to the next, so that a failed sync is not forgotten.
  var writer: LogWriter?
  /// What the writer who has the turn builds on.
  var session: WriteSession?

  /// How long a process keeps the folder lock while its own writers follow each other, in seconds.
  private static let lockSecondsMax = 0.2

  /// Transactions of one writer, waiting to be synced.
  final class Queued {
    let transactions: [PendingTransaction]
    /// The tasks that they touched, as they are then; nil where nobody collected them.
    let touched: [(TaskID, TaskState)]?
    fileprivate var isDone = false
    fileprivate var error: LedgerError?

    init(_ transactions: [PendingTransaction], touched: [(TaskID, TaskState)]?) {
      self.transactions = transactions
      self.touched = touched
    }
  }

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  private func locked<R>(_ body: () throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }

  private func wait() { pthread_cond_wait(changed, mutex) }

  /// Waits for the turn.
  ///
  /// - Returns: whether the folder lock is still to be taken, and the epoch in which the events are made.
  /// - Throws: `invalid` when this thread has the turn already: it would wait for itself.
  func enter() throws(LedgerError) -> (needsLock: Bool, epoch: Int) {
    guard let entered = enterUnlessInside() else {
      throw LedgerError(
        .invalid, "a transaction of this ledger is under way on this thread",
        hint:
          "inside the closure of `transaction` and `update`, use the transaction at hand, not the ledger, for changes"
      )
    }
    return entered
  }

  private func enterUnlessInside() -> (needsLock: Bool, epoch: Int)? {
    locked {
      if let owner, pthread_equal(owner, pthread_self()) != 0 { return nil }
      // Other processes get their chance: nobody enters before the lock was given back.
      while isLockHeld, monotonicSeconds() - heldSince > Self.lockSecondsMax { wait() }
      let ticket = nextTicket
      nextTicket += 1
      inside += 1
      while ticket != servedTicket { wait() }
      owner = pthread_self()
      return (!isLockHeld, epoch)
    }
  }

  /// Notes that the writer who has the turn took the folder lock.
  func lockTaken() {
    locked {
      isLockHeld = true
      lockChanges += 1
      heldSince = monotonicSeconds()
    }
  }

  /// Whether this process holds the folder lock, and a number that differs when that was otherwise in between.
  var lockState: (isHeld: Bool, changes: Int) { locked { (isLockHeld, lockChanges) } }

  /// Queues transactions made in an epoch and passes the turn on; nil when there is nothing to queue. Those of an older epoch
  /// fail: they are built on events that are not there.
  func passTurn(_ queued: Queued?, madeIn epoch: Int) {
    locked {
      if let queued, epoch == self.epoch {
        queue.append(queued)
      } else if let queued {
        queued.isDone = true
        queued.error = LedgerError(
          .io, "an append before this one failed",
          hint: "try again; open the ledger again if that fails")
      }
      owner = nil
      servedTicket += 1
      pthread_cond_broadcast(changed)
    }
  }

  /// Waits until transactions are synced; leads when nobody does.
  func waitUntilDone(
    _ queued: Queued, append: ([Queued]) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    pthread_mutex_lock(mutex)
    while !queued.isDone {
      if isLeading {
        wait()
        continue
      }
      isLeading = true
      let group = queue
      queue = []
      pthread_mutex_unlock(mutex)
      var failure: LedgerError?
      do throws(LedgerError) { try append(group) } catch { failure = error }
      pthread_mutex_lock(mutex)
      isLeading = false
      finish(group, failure)
      pthread_cond_broadcast(changed)
    }
    let error = queued.error
    pthread_mutex_unlock(mutex)
    if let error { throw error }
  }

  private func finish(_ group: [Queued], _ failure: LedgerError?) {
    for queued in group {
      queued.isDone = true
      queued.error = failure
    }
    guard let failure else { return }
    // What was made on top of events that are not there cannot be kept either.
    epoch += 1
    for queued in queue {
      queued.isDone = true
      queued.error = failure
    }
    queue = []
  }

  /// What the last writer out is asked to do beside giving the lock back.
  struct Wishes {
    /// Close the active segment, however little it holds.
    var rotates: Bool
    /// Let go of the session and the files that it keeps.
    var dropsSession: Bool
  }

  /// Leaves; the last one out gives the folder lock back by `release`, which runs with the turn and nobody leading.
  func leave(rotates: Bool, dropsSession: Bool, _ release: (Wishes) -> Void) {
    let isLast = locked {
      self.rotates = self.rotates || rotates
      self.dropsSession = self.dropsSession || dropsSession
      inside -= 1
      guard inside == 0, isLockHeld else { return false }
      // Whoever enters now waits for the turn, which is kept until the lock is back.
      nextTicket += 1
      inside += 1
      return true
    }
    guard isLast else { return }
    release(locked { Wishes(rotates: self.rotates, dropsSession: self.dropsSession) })
    locked {
      self.rotates = false
      self.dropsSession = false
      isLockHeld = false
      lockChanges += 1
      inside -= 1
      servedTicket += 1
      pthread_cond_broadcast(changed)
    }
  }
}
