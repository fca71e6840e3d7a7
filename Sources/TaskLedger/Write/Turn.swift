import LedgerCore
import LedgerStorage

/// The turn of one thread at a time, under a mutex of others.
///
/// Whoever comes while it is free takes it, though others were woken for it and are not there yet: to hand it over to one who sleeps
/// would leave it unused for as long as waking takes. Nobody is passed by for ever: see `passesMax`.
///
/// Invariants:
/// - of those who wait, the one who came first is next, and is woken when the turn is free;
/// - it is passed by no more than `passesMax` times.
final class Turn: @unchecked Sendable {
  // Unchecked: it is used under that mutex alone.
  private var isTaken = false
  private var waiting: [Waiter] = []

  /// So often one who came later may take the turn before the one who waits for it longest.
  static let passesMax = 16

  private static let secondsLooked = 10e-6
  private static let hasSeveralCores = DetachedThread.coreCount > 1

  private final class Waiter {
    let sleeper = Sleeper()
    /// Whether it was woken and has not looked yet.
    var isWoken = false
    var passes = 0
  }

  /// How many wait for it.
  var waitingCount: Int { waiting.count }

  /// Takes the turn, once it is free.
  func take(under mutex: SleepMutex) {
    if isTaken { lookAgain(under: mutex) }
    if !isTaken, waiting.first.map({ $0.passes < Self.passesMax }) ?? true {
      waiting.first?.passes += 1
    } else {
      wait(under: mutex)
    }
    isTaken = true
  }

  /// Gives whoever has the turn a moment to pass it on: most turns are shorter than it takes to fall asleep and to wake.
  private func lookAgain(under mutex: SleepMutex) {
    guard Self.hasSeveralCores else { return }
    let end = monotonicSeconds() + Self.secondsLooked
    while isTaken {
      mutex.unlock()
      var time = monotonicSeconds()
      let next = time + Self.secondsLooked / 16
      while time < next { time = monotonicSeconds() }
      mutex.lock()
      if time > end { return }
    }
  }

  private func wait(under mutex: SleepMutex) {
    let waiter = Waiter()
    waiting.append(waiter)
    repeat {
      waiter.isWoken = false
      waiter.sleeper.sleep(under: mutex)
    } while isTaken || waiting.first !== waiter
    waiting.removeFirst()
  }

  /// Passes the turn on.
  ///
  /// - Returns: who is to be woken for it, best once the mutex is free.
  func pass() -> Sleeper? {
    isTaken = false
    guard let next = waiting.first, !next.isWoken else { return nil }
    next.isWoken = true
    return next.sleeper
  }
}
