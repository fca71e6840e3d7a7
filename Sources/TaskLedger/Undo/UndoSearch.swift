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
      if log.view.manifest.lost.contains(number) {
        throw LedgerError(
          .nothingToUndo, "transaction \(number) cannot be undone: event \(number) was lost",
          hint: "`ledger stats` shows the repair; a backup made before it may have the event")
      }
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
      "there is nothing to undo of task \"\(task)\"",
      "`ledger audit \(task.text.shellWord)` shows its history")
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
  func plan(
    _ targets: [UndoPlan.Target], histories: consuming [TaskID: [Event]],
    goal: (([Event]) -> TaskState)? = nil, isRedo: Bool = false
  ) throws(LedgerError) -> UndoPlan? {
    let plan = try UndoPlan(targets, histories, wish, goal: goal, isRedo: isRedo)
      .checked(wish)
    return plan.isEmpty ? nil : plan
  }

  /// Calls `body` with the events of each transaction, the newest first, until it returns false.
  private func forEachTransactionBackwards(
    _ body: (ArraySlice<Event>) throws(LedgerError) -> Bool
  ) throws(LedgerError) {
    // No segment holds part of a transaction.
    try log.forEachSegmentBackwards { (segment) throws(LedgerError) in
      wish.progress.note(segment.count)
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
  func nothing(_ sentence: String, _ hint: String) -> LedgerError {
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
