import LedgerStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Orders the writers of one process.
///
/// A writer enters, has its turn to make events, queues them for ``GroupCommit`` as it passes the turn on, and leaves once they are
/// synced. The folder lock is taken by the first to enter and given back by the last to leave.
///
/// Invariants, all under `mutex`, which is never held across a system call that waits, nor across user code:
/// - the turn belongs to at most one writer; nobody who waits for it is passed by more than `passesMax` times;
/// - what is queued is queued by who has the turn: in the order in which it was made;
/// - the folder lock is held exactly while `isLockHeld`, and taken or released only by a writer that has the turn while nobody
///   leads.
final class WriteGate: @unchecked Sendable {
  // Unchecked: every variable is guarded by `mutex`, but for `writer` and `session`, which belong to whoever has the turn, and
  // the writer's appending, which belongs to the leader.
  private let mutex = SleepMutex()
  /// What is made waits here to be appended.
  let commit = GroupCommit()
  private let turn = Turn()
  private var inside = 0
  private var isLockHeld = false
  private var heldSince = 0.0
  /// Where those wait who are to enter once the lock was given back.
  private let lockReturn = Sleeper()
  /// Grows whenever the folder lock is taken or given back.
  private var lockChanges = 0
  private var rotates = false
  private var dropsSession = false
  private var owner: pthread_t?
  /// What appends; kept from one turn to the next, so that a failed sync is not forgotten.
  var writer: LogWriter?
  /// What the writer who has the turn builds on.
  var session: WriteSession?

  /// How long a process keeps the folder lock while its own writers follow each other, in seconds.
  private static let lockSecondsMax = 0.2

  /// Waits for the turn.
  ///
  /// - Returns: whether the folder lock is still to be taken, and the epoch in which the events are made.
  /// - Throws: `invalid` when this thread has the turn already: it would wait for itself.
  func enter() throws(LedgerError) -> (needsLock: Bool, epoch: Int) {
    guard let needsLock = enterUnlessInside() else {
      throw LedgerError(
        .invalid, "a transaction of this ledger is under way on this thread",
        hint:
          "inside the closure of `transaction` and `update`, use the transaction at hand, not the ledger, for changes"
      )
    }
    return (needsLock, commit.epoch)
  }

  private func enterUnlessInside() -> Bool? {
    mutex.locked { () -> Bool? in
      if let owner, pthread_equal(owner, pthread_self()) != 0 { return nil }
      // Other processes get their chance: nobody enters before the lock was given back.
      while isLockHeld, monotonicSeconds() - heldSince > Self.lockSecondsMax {
        lockReturn.sleep(under: mutex)
      }
      inside += 1
      turn.take(under: mutex)
      owner = pthread_self()
      return !isLockHeld
    }
  }

  /// Notes that the writer who has the turn took the folder lock.
  func lockTaken() {
    mutex.locked {
      isLockHeld = true
      lockChanges += 1
      heldSince = monotonicSeconds()
    }
  }

  /// Whether this process holds the folder lock, and a number that differs when that was otherwise in between.
  var lockState: (isHeld: Bool, changes: Int) { mutex.locked { (isLockHeld, lockChanges) } }

  /// Queues transactions made in an epoch and passes the turn on; nil when there is nothing to queue.
  func passTurn(_ queued: GroupCommit.Queued?, madeIn epoch: Int) {
    if let queued { commit.queue(queued, madeIn: epoch) }
    let next = mutex.locked {
      owner = nil
      return turn.pass()
    }
    next?.wake()
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
    let wishes = mutex.locked { () -> Wishes? in
      self.rotates = self.rotates || rotates
      self.dropsSession = self.dropsSession || dropsSession
      inside -= 1
      guard inside == 0, isLockHeld else { return nil }
      // Whoever enters now waits for the turn, which is kept until the lock is back.
      inside += 1
      turn.take(under: mutex)
      return Wishes(rotates: self.rotates, dropsSession: self.dropsSession)
    }
    guard let wishes else { return }
    release(wishes)
    let next = mutex.locked {
      self.rotates = false
      self.dropsSession = false
      isLockHeld = false
      lockChanges += 1
      inside -= 1
      return turn.pass()
    }
    next?.wake()
    lockReturn.wakeAll()
  }
}
