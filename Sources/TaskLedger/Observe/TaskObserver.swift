import LedgerCore

/// One iterator of an observation: keeps its list, and waits for what changes it.
///
/// It is in the ledger's books from the first value to its end: cancelled, failed, or let go of.
final class TaskObserver: Sendable {
  private struct Work: Sendable {
    var list: ObservedList
    /// Its number among those who follow; nil before the first value and after the end.
    var number: Int?
    /// The last event that the list holds.
    var through: UInt64 = 0
    var generation = 0
    var hasEnded = false
  }

  private let ledger: Ledger
  let signal = ObserverSignal()
  /// Nil while somebody waits for the next value.
  private let work: Guarded<Work?>

  init(_ ledger: Ledger, _ list: ObservedList) {
    self.ledger = ledger
    work = Guarded(Work(list: list))
  }

  /// How many tasks it has looked at; nil while somebody waits for the next value.
  var tasksExamined: Int? { work.withLock { $0?.list.tasksExamined } }

  deinit {
    if var work = work.withLock({ $0 }) { leave(&work) }
  }

  /// The next value; nil at the end.
  func next() async throws(LedgerError) -> ObservedTasks? {
    var work = take()
    defer { put(work) }
    while !work.hasEnded {
      do throws(LedgerError) {
        if !Task.isCancelled, let value = try advance(&work) { return value }
      } catch {
        leave(&work)
        throw error
      }
      switch await signal.wait() {
      case .something: continue
      case .cancelled: leave(&work)
      case .failed(let error):
        leave(&work)
        throw error
      }
    }
    return nil
  }

  private func take() -> Work {
    let taken = work.withLock { work in
      defer { work = nil }
      return work
    }
    guard let taken else {
      preconditionFailure("two tasks wait for values of one iterator")
    }
    return taken
  }

  private func put(_ work: Work) { self.work.withLock { $0 = work } }

  /// Ends it, for one who has no use for further values.
  func stop() {
    var work = take()
    defer { put(work) }
    leave(&work)
  }

  private func leave(_ work: inout Work) {
    work.hasEnded = true
    guard let number = work.number else { return }
    work.number = nil
    ledger.observers.remove(number)
    ledger.endFeed()
  }

  /// Brings the list up to date; the value to give out, where it shows something new.
  private func advance(_ work: inout Work) throws(LedgerError) -> ObservedTasks? {
    if work.number == nil {
      ledger.beginFeed()
      do throws(LedgerError) {
        work.number = try ledger.observers.add(signal, of: ledger)
      } catch {
        ledger.endFeed()
        throw error
      }
      try readAll(&work)
    } else {
      try ledger.catchUpFeed()
      switch ledger.feedNews(after: work.through, of: work.generation) {
      case .items(let items, let through):
        for (id, item) in items { work.list.set(id, item) }
        work.through = through
      case .restart: try readAll(&work)
      }
    }
    return work.list.give(at: work.through)
  }

  private func readAll(_ work: inout Work) throws(LedgerError) {
    while true {
      let generation = ledger.shared.withLock { $0.generation }
      let live = try ledger.liveTasks()
      // Of a log that was taken back meanwhile nobody may see anything.
      guard ledger.shared.withLock({ $0.generation }) == generation else { continue }
      work.list.replace(by: live.forEachTask)
      work.through = live.through
      work.generation = generation
      return
    }
  }
}
