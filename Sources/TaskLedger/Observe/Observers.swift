import LedgerCore
import LedgerStorage

/// Those who follow a ledger in this process, and the one thread that looks for what other processes do while there are any.
///
/// Invariants, all under one lock, which is never held across a system call that waits:
/// - there is a thread exactly while `isWatching`, at most one, and it begins with the first who follows;
/// - `watch` is the thread's; it is woken when the last one leaves, and the thread ends, unless another has come by then.
final class Observers: Sendable {
  private struct State: Sendable {
    var signals: [Int: ObserverSignal] = [:]
    var nextNumber = 0
    var isWatching = false
    var watch: (any FolderWatch)?
  }

  private let state = Guarded(State())

  /// How many follow.
  var count: Int { state.withLock { $0.signals.count } }

  /// Whether the thread is there.
  var isWatching: Bool { state.withLock { $0.isWatching } }

  /// Adds one who follows; the thread starts with the first.
  ///
  /// - Returns: the number to leave with.
  func add(_ signal: ObserverSignal, of ledger: Ledger) throws(LedgerError) -> Int {
    let (number, starts) = state.withLock { state in
      state.nextNumber += 1
      state.signals[state.nextNumber] = signal
      defer { state.isWatching = true }
      return (state.nextNumber, !state.isWatching)
    }
    guard starts else { return number }
    let work = WatchThread(ledger, self)
    guard DetachedThread.start({ work.run() }) else {
      state.withLock { state in
        state.isWatching = false
        state.signals[number] = nil
      }
      let error = LedgerError(
        .io, "cannot start the thread that looks for changes", path: ledger.path,
        hint: "the system allows no more threads; try again")
      // Those who came meanwhile count on the thread, too.
      fail(error)
      throw error
    }
    return number
  }

  /// Removes one; the thread ends with the last.
  func remove(_ number: Int) {
    let watch = state.withLock { state in
      state.signals[number] = nil
      return state.signals.isEmpty ? state.watch : nil
    }
    watch?.wake()
  }

  /// Tells all that something may be new.
  func raise() {
    let signals = state.withLock { Array($0.signals.values) }
    for signal in signals { signal.raise() }
  }

  /// Tells all that there will be nothing more, and lets them go.
  fileprivate func fail(_ error: LedgerError) {
    let signals = state.withLock { state in
      defer { state.signals = [:] }
      return Array(state.signals.values)
    }
    for signal in signals { signal.fail(error) }
  }

  // For the thread.

  /// Ends the thread when nobody follows.
  ///
  /// - Returns: whether it goes on.
  fileprivate func goesOn() -> Bool {
    state.withLock { state in
      if state.signals.isEmpty { state.isWatching = false }
      return state.isWatching
    }
  }

  /// Keeps what wakes the thread; false when nobody follows any more.
  fileprivate func use(_ watch: any FolderWatch) -> Bool {
    state.withLock { state in
      guard !state.signals.isEmpty else { return false }
      state.watch = watch
      return true
    }
  }

  fileprivate func dropWatch() { state.withLock { $0.watch = nil } }
}

/// The thread that looks for what other processes do.
///
/// It holds the ledger only while it looks: those who follow hold it, and without them the thread ends.
private final class WatchThread: Sendable {
  private struct Reference: Sendable { weak var ledger: Ledger? }

  private let reference: Guarded<Reference>
  private let directory: any LedgerDirectory
  private let observers: Observers
  private let hasMoved = Guarded(false)

  init(_ ledger: Ledger, _ observers: Observers) {
    reference = Guarded(Reference(ledger: ledger))
    directory = ledger.directory
    self.observers = observers
  }

  private var ledger: Ledger? { reference.withLock { $0.ledger } }

  func run() {
    while observers.goesOn() {
      let watch = openWatch()
      if observers.use(watch) { follow(watch) }
      observers.dropWatch()
      watch.close()
    }
  }

  /// The system's own way to be told, or else to look once a second.
  private func openWatch() -> any FolderWatch {
    do {
      return try directory.watch()
    } catch {
      let error = LedgerError.wrapping(error)
      // Of a folder that is gone the next look says more.
      if error.code != .notFound {
        ledger?.noteOnce(
          "changes by other processes are looked for once a second: the system does not tell of them: \(error.message)"
        )
      }
      return TimedWatch()
    }
  }

  /// Looks each time that something was done to the folder, until it is woken to end.
  private func follow(_ watch: any FolderWatch) {
    // What was done before the watch began is found by the first look.
    repeat {
      guard look(watch) else { return }
    } while watch.wait()
  }

  /// Tells those who follow once that the folder is no longer where it was: they can go on, or ask where it is.
  private func noteMove(of ledger: Ledger) {
    guard !hasMoved.withLock({ $0 }), !ledger.isAtItsPath else { return }
    hasMoved.withLock { $0 = true }
    observers.raise()
  }

  /// Looks what is new.
  ///
  /// - Returns: false when there is nothing to look at any more.
  private func look(_ watch: any FolderWatch) -> Bool {
    guard let ledger else { return false }
    do throws(LedgerError) {
      // Where a file must be followed by its name, that is the active segment's: what was written until it was known is read
      // by another look.
      while watch.follow(try ledger.lookForNews()) {}
      noteMove(of: ledger)
      return true
    } catch {
      observers.fail(error)
      return false
    }
  }
}
