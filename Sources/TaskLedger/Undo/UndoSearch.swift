import LedgerFormat
import LedgerStorage

/// Finds what there is to undo, or to redo.
///
/// What is undone follows from the log alone, so it is the same after a restart and in every process:
/// - a change is in effect unless an event that is in effect undoes it;
/// - `undo` takes back the author's newest transaction of changes of which something is in effect; so undo after undo goes further
///   back, and what somebody else took back is passed over;
/// - `redo` takes back the author's newest undo that nothing has taken back, unless the author has made a new change since.
///
/// The author of a transaction is that of its first event. A transaction whose undoing would change nothing is passed over.
struct UndoSearch {
  let log: WholeLog
  let wish: UndoPlan.Wish

  /// What to undo, and how.
  ///
  /// - Throws: `LedgerError` with code `nothingToUndo`; `conflict` where later changes would be lost.
  func undo(_ target: UndoTarget) throws(LedgerError) -> UndoPlan {
    switch target {
    case .last: try undoLast()
    case .transaction(let number): try undo(transaction: number)
    case .task(let task): try undo(task)
    case .moment(let moment): try undo(to: moment)
    }
  }

  private func undoLast() throws(LedgerError) -> UndoPlan {
    var marks = UndoneMarks()
    var found: UndoPlan?
    try forEachTransactionBackwards { (events) throws(LedgerError) in
      var inEffect: [UndoPlan.Target] = []
      // Every event leaves its mark, wanted or not.
      for event in events.reversed() where !marks.pass(event) && event.undoes == nil {
        inEffect.append(.init(event))
      }
      guard isOwn(events), !inEffect.isEmpty else { return true }
      found = try plan(inEffect)
      return found == nil
    }
    if let found { return found }
    throw nothing(
      "there is nothing to undo by \(wish.author)",
      "`ledger undo --transaction N` takes back what another has done; `ledger log` lists the events"
    )
  }

  private func undo(transaction number: UInt64) throws(LedgerError) -> UndoPlan {
    if let horizon = log.view.horizon, number <= horizon.sequence, number > 0 {
      throw isFolded("transaction \(number)", horizon)
    }
    let events = try log.transaction(of: number)
    guard let first = events.first else {
      throw LedgerError(
        .beyondEnd, "there is no transaction \(number): the last event is \(log.lastSequence)",
        hint:
          "a transaction is named by the sequence number of its first event; `ledger log` shows them"
      )
    }
    guard first.sequence == number else {
      throw LedgerError(
        .invalid, "event \(number) belongs to transaction \(first.sequence)",
        hint: "a transaction is undone as a whole: `ledger undo --transaction \(first.sequence)`")
    }
    if let plan = try plan(events.reversed().map(UndoPlan.Target.init)) { return plan }
    throw LedgerError(
      .nothingToUndo,
      "there is nothing to undo: transaction \(number) is undone already, or changed nothing that still shows",
      hint: "`ledger log --after \(number - 1)` shows it, and what came later")
  }

  private func undo(_ task: TaskID) throws(LedgerError) -> UndoPlan {
    let history = try log.history(of: task)
    guard !history.isEmpty else {
      throw LedgerError(
        .noSuchTask, "there is no task \"\(task)\"",
        hint: "`ledger list` shows the tasks that exist")
    }
    let chains = UndoChains(history)
    let horizon = log.view.horizon?.sequence ?? 0
    var rest = history.reversed().filter {
      $0.undoes == nil && $0.sequence > horizon && !chains.isUndone($0.sequence)
    }[...]
    while let newest = rest.first {
      let events = rest.prefix { $0.transaction == newest.transaction }
      rest = rest.dropFirst(events.count)
      let targets = events.map(UndoPlan.Target.init)
      if let plan = try plan(targets, histories: [task: history]) { return plan }
    }
    throw nothing(
      "there is nothing to undo of task \"\(task)\"", "`ledger audit \(task)` shows its history")
  }

  private func undo(to moment: Moment) throws(LedgerError) -> UndoPlan {
    try Ledger.check(moment, log.view, lastSequence: log.lastSequence)
    var tasks: Set<TaskID> = []
    try log.forEachSegmentBackwards(where: moment.mayBeBefore) { (events) throws(LedgerError) in
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

  /// What to redo, and how.
  ///
  /// - Throws: as `undo`.
  func redo() throws(LedgerError) -> UndoPlan {
    var taken: Set<UInt64> = []
    var found: UndoPlan?
    try forEachTransactionBackwards { (events) throws(LedgerError) in
      var standing: [UndoPlan.Target] = []
      for event in events.reversed() {
        if let undoes = event.undoes { taken.insert(undoes) }
        if taken.remove(event.sequence) == nil { standing.append(.init(event)) }
      }
      guard isOwn(events) else { return true }
      // A new change ends what can be redone.
      guard events.allSatisfy({ $0.undoes != nil }) else { return false }
      guard !standing.isEmpty else { return true }
      let histories = try log.histories(of: Set(standing.lazy.map(\.task)))
      guard try isUndo(standing, histories) else { return true }
      found = try plan(standing, histories: consume histories, isRedo: true)
      return found == nil
    }
    if let found { return found }
    throw nothing(
      "there is nothing to redo by \(wish.author)",
      "a new change ends what can be redone; `ledger undo --transaction N` takes back any undo")
  }

  /// Whether some of these events take changes back. Where that follows from events that were folded nobody knows.
  private func isUndo(
    _ targets: [UndoPlan.Target], _ histories: [TaskID: [Event]]
  ) throws(LedgerError) -> Bool {
    var chains: [TaskID: UndoChains] = [:]
    for target in targets {
      let known = chains[target.task] ?? UndoChains(histories[target.task] ?? [])
      chains[target.task] = known
      if let horizon = log.view.horizon, !known.isKnown(target.sequence) {
        throw isFolded("what event \(target.sequence) undid", horizon)
      }
      if known.isUndo(target.sequence) { return true }
    }
    return false
  }

  private func isOwn(_ events: ArraySlice<Event>) -> Bool {
    events.first?.author.hasSameBytes(as: wish.author) ?? false
  }

  /// The plan to undo events; nil where that would change nothing.
  private func plan(_ targets: [UndoPlan.Target]) throws(LedgerError) -> UndoPlan? {
    try plan(targets, histories: log.histories(of: Set(targets.lazy.map(\.task))))
  }

  /// - Parameter histories: all events of their tasks, which are let go of on the way.
  private func plan(
    _ targets: [UndoPlan.Target], histories: consuming [TaskID: [Event]],
    goal: (([Event]) -> TaskState)? = nil, isRedo: Bool = false
  ) throws(LedgerError) -> UndoPlan? {
    let plan = try UndoPlan(targets, histories, wish, goal: goal, isRedo: isRedo)
      .checked(wish, isRedo: isRedo)
    return plan.isEmpty ? nil : plan
  }

  /// Calls `body` with the events of each transaction, the newest first, until it returns false.
  private func forEachTransactionBackwards(
    _ body: (ArraySlice<Event>) throws(LedgerError) -> Bool
  ) throws(LedgerError) {
    // No segment holds part of a transaction.
    try log.forEachSegmentBackwards { (segment) throws(LedgerError) in
      var rest = segment[...]
      while let last = rest.last {
        // Event by event: where a repair has given some up, the numbers do not tell how many there are.
        let start = rest.lastIndex { $0.transaction != last.transaction }.map { $0 + 1 }
        let events = rest[(start ?? rest.startIndex)...]
        rest = rest[..<events.startIndex]
        guard try body(events) else { return false }
      }
      return true
    }
  }
}

extension UndoSearch {
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

  private func nothing(_ sentence: String, _ hint: String) -> LedgerError {
    guard let horizon = log.view.horizon else {
      return LedgerError(.nothingToUndo, sentence, hint: hint)
    }
    return LedgerError(
      .nothingToUndo,
      "\(sentence); the history up to event \(horizon.sequence) (\(horizon.newest.time)) was folded",
      hint: hint)
  }

  private func isFolded(_ what: String, _ horizon: Horizon) -> LedgerError {
    LedgerError(
      .nothingToUndo,
      "\(what) cannot be undone: the history up to event \(horizon.sequence) (\(horizon.newest.time)) was folded",
      hint: "a backup made before the fold has it")
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
