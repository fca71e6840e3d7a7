import LedgerStorage

/// Has what the writers of one process made appended, in the order in which they queued it: all that waits together shares one write
/// and one sync.
///
/// Whoever waits while nobody appends becomes the leader, who appends for all. It does not run ahead of writers who are about to
/// come again: of those that the last append acknowledged, as many are waited for as came back at once the time before, and for no
/// longer than that append took. The one who completes them leads, at once; whoever came first looks at the clock meanwhile.
///
/// Invariants, all under `mutex`, which is never held across an append:
/// - there is at most one leader, and what it appends was taken from `queue` whole, in order;
/// - whoever waits is woken once it is done, and by nobody else's end, but for the first in `queue`, who may have to lead;
/// - while nobody leads and `queue` holds anything, one of those in it is awake, will wake by itself, or has been woken;
/// - nothing is done before its append has returned; where that failed, all of the group have failed, and all that was made on top
///   of it, which is what is queued by then or comes with an older epoch.
final class GroupCommit: @unchecked Sendable {
  // Unchecked: every variable, and what is queued, is guarded by `mutex`.
  private let mutex = SleepMutex()
  private var queue: [Queued] = []
  private var isLeading = false
  private var currentEpoch = 0
  /// The one in `queue` who leads when the time to come is over.
  private var watch: Queued?
  private var comers = ReturningWriters()
  private let time: () -> Double

  /// Transactions of one writer, waiting to be synced.
  final class Queued: @unchecked Sendable {
    // Unchecked: what changes is guarded by the mutex of those who queue it.
    let transactions: [PendingTransaction]
    /// The tasks that they touched, as they are then; nil where nobody collected them.
    let touched: [(TaskID, TaskState)]?
    fileprivate var isDone = false
    fileprivate var error: LedgerError?
    /// Where its writer sleeps; nil where it never had to, as with a single writer.
    fileprivate var sleeper: Sleeper?

    init(_ transactions: [PendingTransaction], touched: [(TaskID, TaskState)]?) {
      self.transactions = transactions
      self.touched = touched
    }
  }

  /// - Parameter time: tells the seconds by which appends are measured.
  init(time: @escaping () -> Double = monotonicSeconds) { self.time = time }

  /// Grows with each append that fails: what was made in an older one is built on events that are not there.
  var epoch: Int { mutex.locked { currentEpoch } }

  /// How many are in the queue.
  var waitingCount: Int { mutex.locked { queue.count } }

  /// Queues transactions that were made in an epoch, behind all those on which they are built. Those of an older epoch fail.
  func queue(_ queued: Queued, madeIn epoch: Int) {
    mutex.locked {
      if epoch == currentEpoch {
        queue.append(queued)
        comers.noteArrival(at: time())
      } else {
        queued.isDone = true
        queued.error = LedgerError(
          .io, "an append before this one failed",
          hint: "try again; open the ledger again if that fails")
      }
    }
  }

  /// Waits until transactions that were queued are synced; leads when nobody does.
  ///
  /// - Throws: what the append threw that was to take them along, or one before it.
  func wait(
    for queued: Queued, append: ([Queued]) throws(LedgerError) -> Void
  ) throws(LedgerError) {
    mutex.lock()
    while !queued.isDone {
      if isLeading {
        sleeper(of: queued).sleep(under: mutex)
      } else if !comers.areAwaited(with: queue.count, at: time()) {
        lead(as: queued, append)
      } else if watch == nil || watch === queued {
        watch = queued
        sleeper(of: queued).sleep(under: mutex, until: comers.awaitedUntil)
      } else {
        sleeper(of: queued).sleep(under: mutex)
      }
    }
    let error = queued.error
    mutex.unlock()
    if let error { throw error }
  }

  private func sleeper(of queued: Queued) -> Sleeper {
    if let sleeper = queued.sleeper { return sleeper }
    let sleeper = Sleeper()
    queued.sleeper = sleeper
    return sleeper
  }

  /// Appends all that is queued. The mutex is held before and after.
  private func lead(
    as leader: Queued, _ append: ([Queued]) throws(LedgerError) -> Void
  ) {
    isLeading = true
    watch = nil
    let group = queue
    queue = []
    let start = time()
    mutex.unlock()
    var failure: LedgerError?
    do throws(LedgerError) { try append(group) } catch { failure = error }
    mutex.lock()
    isLeading = false
    let done = finish(group, failure)
    let end = time()
    comers.noteAppend(of: group.count, lasting: end - start, until: end, waiting: queue.count)
    // The first in the queue leads, or watches for the time at which it will.
    var sleepers: [Sleeper] = []
    if let next = queue.first?.sleeper { sleepers.append(next) }
    for queued in done where queued !== leader {
      if let sleeper = queued.sleeper { sleepers.append(sleeper) }
    }
    mutex.unlock()
    for sleeper in sleepers { sleeper.wake() }
    mutex.lock()
  }

  /// - Returns: all whose fate is known now.
  private func finish(_ group: [Queued], _ failure: LedgerError?) -> [Queued] {
    var done = group
    if failure != nil {
      currentEpoch += 1
      // What was made on top of events that are not there cannot be kept either.
      done += queue
      queue = []
    }
    for queued in done {
      queued.isDone = true
      queued.error = failure
    }
    return done
  }
}
