import LedgerCore
import TaskLedger

extension Ledger {
  /// Why there is no such task: it was evicted, by whom and when, or it never was.
  func missing(_ id: TaskID, at moment: Moment? = nil) -> LedgerError {
    let then = moment == nil ? "" : " at that moment"
    // What cannot be read makes no other answer of it.
    let entries = (try? audit(id)) ?? []
    let known = entries.filter { moment?.includes($0.event) ?? true }
    guard let evict = known.last(where: { $0.event.kind == .evict })?.event else {
      return LedgerError(
        .noSuchTask, "there is no task \"\(id)\"\(then)",
        hint: entries.isEmpty ? nil : "`ledger audit \(id.text.shellWord)` shows its history")
    }
    // What was folded is not undone.
    let isLast =
      entries.last?.event.sequence == evict.sequence
      && (try? foldedThrough).map { evict.sequence > $0 } ?? false
    return LedgerError(
      .noSuchTask,
      "there is no task \"\(id)\"\(then): \(evict.author) evicted it at \(evict.time), by event \(evict.sequence)",
      hint: "`ledger audit \(id.text.shellWord)` shows its history"
        + (isLast ? ", `ledger undo \(id.text.shellWord)` brings it back" : ""))
  }

  /// An error about one of several tasks that are named, with why that one is not there.
  func explaining(_ error: LedgerError, of ids: [TaskID]) -> LedgerError {
    func isMissing(_ id: TaskID) -> Bool {
      do { return try task(id) == nil } catch { return false }
    }
    guard error.code == .noSuchTask, let id = ids.first(where: isMissing) else { return error }
    let missing = missing(id)
    return missing.hint == nil ? error : missing
  }
}

extension Moment {
  /// Whether an event was there then.
  fileprivate func includes(_ event: Event) -> Bool {
    switch self {
    case .sequence(let number): event.sequence <= number
    case .time(let time): event.time <= time
    }
  }
}
