import LedgerFormat
import LedgerStorage

/// The way back to a moment.
extension UndoSearch {
  /// What leads back to a moment: all that came after it is undone, and what then still differs is set.
  ///
  /// - Throws: `LedgerError` with code `nothingToUndo`; `invalid` for a task that is too large to come back.
  func undo(to moment: Moment) throws(LedgerError) -> UndoPlan {
    try Ledger.check(moment, log.view, lastSequence: log.lastSequence)
    var tasks: Set<TaskID> = []
    try log.forEachSegmentBackwards(where: moment.mayBeBefore) { (events) throws(LedgerError) in
      wish.progress.note(events.count)
      for event in events where moment.isBefore(event) { tasks.insert(event.task) }
      return true
    }
    let isLast = tasks.isEmpty
    let histories = try log.histories(of: tasks)
    var targets = histories.values.flatMap { Self.targets(in: $0, after: moment) }
    targets.sort { $0.sequence > $1.sequence }
    let goal = { (history: [Event]) in
      TaskState(history.lazy.filter { !moment.isBefore($0) })
    }
    if let plan = try plan(targets, histories: consume histories, goal: goal) { return plan }
    throw isThere(moment, isLast: isLast)
  }

  /// The ends of the chains of one task that differ in effect from what they were at a moment. Where there is none, late events can have
  /// made the task otherwise all the same; then what came first after the moment in the newest chain stands for that.
  private static func targets(in history: [Event], after moment: Moment) -> [UndoPlan.Target] {
    let since = UndoChains(history).chains.map(\.events)
      .filter { $0.contains(where: moment.isBefore) }
    let odd = since.filter { $0.count(where: moment.isBefore) % 2 == 1 }
    guard odd.isEmpty else { return odd.compactMap { $0.last.map(UndoPlan.Target.init) } }
    let newest = since.max { ($0.last?.sequence ?? 0) < ($1.last?.sequence ?? 0) }
    let first = newest?.first(where: moment.isBefore)
    return [first].compactMap { $0.map(UndoPlan.Target.init) }
  }

  /// That every task is already as it was at a moment.
  private func isThere(_ moment: Moment, isLast: Bool) -> LedgerError {
    guard !isLast else {
      return nothing(
        "there is nothing to undo: nothing was done since \(moment.start)",
        "`ledger log` lists the events and their times")
    }
    let option =
      switch moment {
      case .sequence(let number): "--after \(number)"
      case .time(let time): "--since \(time)"
      }
    return nothing(
      "there is nothing to undo: every task is already as it was \(moment.place), or deleted if it did not exist then",
      "`ledger log \(option)` lists what was done since")
  }
}

extension Moment {
  /// The moment in words, such as "after event 12".
  package var place: String {
    switch self {
    case .sequence(0): "before event 1"
    case .sequence(let number): "after event \(number)"
    case .time(let time): "at \(time)"
    }
  }

  /// The moment in words, as it stands behind "since".
  fileprivate var start: String {
    switch self {
    case .sequence(0): "the beginning"
    case .sequence(let number): "event \(number)"
    case .time(let time): "\(time)"
    }
  }

  /// Whether an event is not in yet.
  fileprivate func isBefore(_ event: Event) -> Bool {
    switch self {
    case .sequence(let number): event.sequence > number
    case .time(let time): event.time > time
    }
  }

  /// Whether a segment may hold events that are not in yet.
  fileprivate func mayBeBefore(_ segment: SegmentEntry) -> Bool {
    guard segment.kind != .active else { return true }
    return switch self {
    case .sequence(let number): segment.lastSequence > number
    case .time(let time): segment.newest.map { $0.time > time } ?? true
    }
  }
}
