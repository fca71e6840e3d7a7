import LedgerCore

/// A fold of runs that goes on where it stopped: tasks come in order of their ids, and who needs the first few reads no more
/// blocks than these are in.
package final class FoldWalk {
  private let fields: FieldTable
  private let fold: TaskFold
  private let cursors: [RunCursor]
  /// How many events the snapshot stands for that are not in it.
  private let eventsFolded: UInt64
  /// The task before which it ends.
  private let end: CursorKey?
  private var heap: CursorHeap
  private var seen: UInt64 = 0
  private var reported: UInt64 = 0

  /// - Parameters:
  ///   - runs: in order of their sequence numbers, without overlap.
  ///   - base: a snapshot of which all events count; what it stands for is passed over in the runs.
  ///   - cut: which events count.
  ///   - fields: the numbers of the fields, where states are to be compared; every field of the runs is among them.
  ///   - start: the first task that is folded.
  ///   - end: the task before which it ends.
  package init(
    _ runs: [SealedRun], onto base: SealedRun? = nil, cut: FoldCut = .present,
    fields given: FieldTable? = nil, from start: TaskKey? = nil, before end: TaskKey? = nil
  ) throws(LedgerError) {
    let after = base?.footer.lastSequence ?? 0
    let all = Self.taken(of: runs, onto: base, cut)
    fields = given ?? FieldTable(all.lazy.flatMap(\.tables.fields))
    let zstd = try Zstd()
    let ascends = RunFooter.ascend(all.map(\.footer))
    fold = TaskFold(fields: fields, repeatsAllowed: Self.arrivalBreaksTies(all))
    var cursors: [RunCursor] = []
    for (order, run) in all.enumerated() {
      let isBase = base === run
      let cursor = try RunCursor(
        run, order: order, fields: fields, cut: isBase ? .present : cut,
        after: isBase ? 0 : after, checksTimes: !ascends, zstd: zstd)
      let isThere =
        if let start { try cursor.advance(to: start, discarding: fold) } else {
          try cursor.advance()
        }
      if isThere { cursors.append(cursor) }
    }
    self.cursors = cursors
    self.end = end.map { CursorKey($0) }
    heap = CursorHeap(cursors)
    // Of two parts the first one counts them.
    eventsFolded =
      start == nil ? base.map { $0.footer.lastSequence - $0.footer.eventCount } ?? 0 : 0
  }

  /// The snapshot, if any, and the runs of which events count.
  static func taken(
    of runs: [SealedRun], onto base: SealedRun?, _ cut: FoldCut
  ) -> [SealedRun] {
    let after = base?.footer.lastSequence ?? 0
    let taken = runs.filter { !cut.excludesAll(of: $0.footer) && $0.footer.lastSequence > after }
    return (base.map { [$0] } ?? []) + taken
  }

  /// Whether every task was folded.
  package var isAtEnd: Bool { upcoming == nil }

  /// The cursor with the next task.
  private var upcoming: RunCursor? {
    guard let first = heap.first, end.map({ first.key.precedes($0) }) ?? true else { return nil }
    return first
  }

  /// Folds the next tasks.
  ///
  /// - Parameters:
  ///   - tasksMax: how many tasks at most; those that do not exist count, too.
  ///   - progress: called now and then with the number of events seen so far.
  /// - Returns: those that exist; its number of events is that of all folded so far.
  package func next(
    _ tasksMax: Int = .max, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> FoldedState {
    let builder = StateBuilder(fields)
    var tasksLeft = tasksMax
    while tasksLeft > 0, let first = upcoming {
      tasksLeft -= 1
      try foldTask(first.key, to: builder)
      if let progress, seen - reported >= 1 << 17 {
        reported = seen
        progress(seen)
      }
    }
    return builder.build(eventCount: cursors.reduce(eventsFolded) { $0 + $1.eventsTaken })
  }

  private func foldTask(_ key: CursorKey, to builder: StateBuilder) throws(LedgerError) {
    fold.startTask()
    var parts: [RunCursor] = []
    while let next = heap.first, next.key.isSame(as: key) {
      let before = next.eventsSeen
      try next.foldTask(into: fold)
      seen += next.eventsSeen - before
      parts.append(next)
      // The cursor still shows the task: it moves on once its memory is no longer needed.
      heap.removeFirst()
    }
    try append(key, parts, to: builder)
    for cursor in parts where try cursor.advance() { heap.insert(cursor) }
  }

  private func append(
    _ key: CursorKey, _ parts: [RunCursor], to builder: StateBuilder
  ) throws(LedgerError) {
    if fold.ascends {
      if fold.exists { try builder.append(key, fold) }
      return
    }
    guard let id = key.id else {
      throw LedgerError(.damaged, "a task id is malformed").located(in: parts[0].run.source.path)
    }
    var state = TaskState()
    for part in parts { try part.fold(id, into: &state) }
    if state.exists { try builder.append(key, state) }
  }

  /// Whether of two events of the same time the one that came later is also the later-stamped one: all are of one replica,
  /// and its counts ascend as the sequence numbers do.
  private static func arrivalBreaksTies(_ runs: [SealedRun]) -> Bool {
    var known: RunTables.Replica?
    for run in runs {
      let tables = run.tables
      guard tables.replicas.count == 1, let replica = tables.replicas.first,
        !tables.contexts.contains(where: { $0.flags & ContextFlag.count != 0 })
      else { return false }
      if let known, known.id != replica.id || known.bias > replica.bias { return false }
      known = replica
    }
    return true
  }
}
