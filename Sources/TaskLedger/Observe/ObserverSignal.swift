import LedgerCore

/// Tells one who follows a ledger that there may be something new, or that there will be nothing any more.
final class ObserverSignal: Sendable {
  enum News: Sendable {
    /// Something may be new.
    case something
    /// He who waited was told to stop.
    case cancelled
    /// The ledger cannot be followed any more.
    case failed(LedgerError)
  }

  private struct State: Sendable {
    var isRaised = false
    var end: News?
    var waiter: CheckedContinuation<Void, Never>?
    var thread: Awaited<Bool>?

    /// Takes those who wait, to be let go outside of the lock.
    mutating func takeWaiters() -> @Sendable () -> Void {
      let (waiter, thread) = (waiter, thread)
      self.waiter = nil
      self.thread = nil
      return {
        waiter?.resume()
        thread?.leave(true)
      }
    }

    mutating func takeNews() -> News? {
      if let end { return end }
      defer { isRaised = false }
      return isRaised ? .something : nil
    }
  }

  private let state = Guarded(State())

  /// Whether a task waits for news.
  var isAwaited: Bool { state.withLock { $0.waiter != nil } }

  /// Whether there will be nothing more because somebody said so.
  var isCancelled: Bool {
    state.withLock { if case .cancelled? = $0.end { true } else { false } }
  }

  /// Says that something may be new.
  func raise() {
    state.withLock { state in
      state.isRaised = true
      return state.takeWaiters()
    }()
  }

  /// Says that the ledger cannot be followed any more.
  func fail(_ error: LedgerError) { end(.failed(error)) }

  /// Lets go of who waits, for good.
  func cancel() { end(.cancelled) }

  private func end(_ news: News) {
    state.withLock { state in
      if state.end == nil { state.end = news }
      return state.takeWaiters()
    }()
  }

  /// Waits for news; cancelling the task ends the waiting.
  func wait() async -> News {
    while true {
      if let news = state.withLock({ $0.takeNews() }) { return news }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isNeeded = state.withLock { state in
            guard !state.isRaised, state.end == nil else { return false }
            state.waiter = continuation
            return true
          }
          if !isNeeded { continuation.resume() }
        }
      } onCancel: {
        cancel()
      }
    }
  }

  /// Waits for news on this thread.
  func waitOnThread() -> News {
    while true {
      let awaited = Awaited<Bool>()
      let news = state.withLock { state -> News? in
        if let news = state.takeNews() { return news }
        state.thread = awaited
        return nil
      }
      if let news { return news }
      _ = awaited.wait()
    }
  }
}
