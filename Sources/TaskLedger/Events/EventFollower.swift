import LedgerCore
import LedgerStorage

/// One iterator of events: reads on, and waits where there is nothing more.
///
/// It is in the ledger's books from the first time that it waits to its end: cancelled, failed, or let go of.
package final class EventFollower: Sendable {
  private struct Work: Sendable {
    var reader: EventReader
    var view: LogView?
    /// The event that was given last.
    var last: Event?
    var effects = EventEffects()
    var generation = 0
    /// Its number among those who follow.
    var number: Int?
    var hasEnded = false
  }

  private let ledger: Ledger
  private let signal = ObserverSignal()
  /// Nil while somebody waits for the next event.
  private let work: Guarded<Work?>

  package init(_ ledger: Ledger, after position: UInt64) {
    self.ledger = ledger
    work = Guarded(Work(reader: EventReader(after: position)))
  }

  deinit {
    if var work = work.withLock({ $0 }) { leave(&work) }
  }

  func next() async throws(LedgerError) -> Event? {
    var work = take()
    defer { put(work) }
    while !work.hasEnded {
      if !Task.isCancelled, let event = try read(&work) { return event }
      try heed(await signal.wait(), &work)
    }
    return nil
  }

  /// The next event, waiting for it on this thread; nil once ``stop()`` was called.
  ///
  /// - Parameter beforeWaiting: called when nothing is there yet.
  package func nextOnThread(
    beforeWaiting: () -> Bool = { true }
  ) throws(LedgerError) -> Event? {
    var work = take()
    defer { put(work) }
    while !work.hasEnded {
      // Who is told to end does so at once, however much there is to read.
      if signal.isCancelled { leave(&work) }
      if !work.hasEnded, let event = try read(&work) { return event }
      guard !work.hasEnded, beforeWaiting() else { return nil }
      try heed(signal.waitOnThread(), &work)
    }
    return nil
  }

  /// What the event did that was given last.
  package func effectOfLast() throws(LedgerError) -> EventEffect? {
    var work = take()
    defer { put(work) }
    // The view that the event came from has all that led to it, whatever is folded meanwhile.
    guard let last = work.last, let view = work.view else { return nil }
    return try work.effects.effect(of: last, in: view)
  }

  /// Ends it, from any thread.
  package func stop() { signal.cancel() }

  private func heed(_ news: ObserverSignal.News, _ work: inout Work) throws(LedgerError) {
    switch news {
    case .something: break
    case .cancelled: leave(&work)
    case .failed(let error):
      leave(&work)
      throw error
    }
  }

  private func take() -> Work {
    let taken = work.withLock { work in
      defer { work = nil }
      return work
    }
    guard let taken else { preconditionFailure("two tasks wait for events of one iterator") }
    return taken
  }

  private func put(_ work: Work) { self.work.withLock { $0 = work } }

  private func leave(_ work: inout Work) {
    work.hasEnded = true
    work.view = nil
    if let number = work.number { ledger.observers.remove(number) }
    work.number = nil
  }

  /// The next event, where it is there.
  private func read(_ work: inout Work) throws(LedgerError) -> Event? {
    do throws(LedgerError) {
      // What was read once is given out before the ledger is looked at again.
      if let view = work.view, let event = try work.reader.next(in: view) {
        work.last = event
        return event
      }
      // First in the books, then a look: what comes in between is not missed.
      if work.number == nil { work.number = try ledger.observers.add(signal, of: ledger) }
      work.view = try lookAgain(&work)
      work.effects.reset()
      guard let view = work.view, let event = try work.reader.next(in: view) else {
        // Whoever waits keeps no files from being removed.
        work.view = nil
        return nil
      }
      work.last = event
      return event
    } catch {
      leave(&work)
      throw error
    }
  }

  /// The log as it is now, which must go on from what was given out.
  private func lookAgain(_ work: inout Work) throws(LedgerError) -> LogView {
    // First the number: where the ledger goes back in between, the next look compares.
    let generation = ledger.shared.withLock { $0.generation }
    let view = try ledger.currentView()
    let position = work.reader.position
    guard let last = work.last else {
      guard position <= view.lastSequence else {
        throw LedgerError(
          .beyondEnd, "there is no event \(position)", path: ledger.path,
          cause: "the last one is \(view.lastSequence)",
          hint: "events can be followed from \(view.lastSequence) or earlier")
      }
      try EventReader.checkHorizon(position, view)
      work.generation = generation
      return view
    }
    guard position <= view.lastSequence else { throw wentBack(last) }
    if generation != work.generation {
      // Events that were seen may be gone, and others in their places.
      if view.horizon.map({ position > $0.sequence }) ?? true {
        var reader = EventReader(after: position - 1)
        guard try reader.next(in: view) == last else { throw wentBack(last) }
      }
      work.generation = generation
    }
    return view
  }

  private func wentBack(_ last: Event) -> LedgerError {
    LedgerError(
      .damaged,
      "event \(last.sequence) was given out and is no longer there: the write that brought it failed, or the ledger's files are older ones",
      path: ledger.path, hint: "go on from an earlier event")
  }
}
