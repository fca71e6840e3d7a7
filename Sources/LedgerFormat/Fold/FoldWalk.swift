import LedgerCore

/// A fold of runs that goes on where it stopped: tasks come in order of their ids, and who needs the first few reads no more
/// blocks than these are in.
///
/// What the classes of the fold hold is used by one thread alone, from one place at a time: looking after that at run time would take
/// a tenth of it.
package final class FoldWalk {
  private let fields: FieldTable
  private let fold: TaskFold
  private let cursors: [RunCursor]
  /// How many events the snapshot stands for that are not in it.
  private let eventsFolded: UInt64
  /// The task before which it ends.
  private let end: CursorKey?
  @exclusivity(unchecked) private var heap: CursorHeap
  /// The cursors that stand at the task that is folded, by their places.
  @exclusivity(unchecked) private var parts: [Int] = []
  @exclusivity(unchecked) private var seen: UInt64 = 0
  @exclusivity(unchecked) private var reported: UInt64 = 0

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
    let zstd = try Zstd()
    fields = if let given { given } else { try FieldTable(of: all, zstd: zstd) }
    let ascends = Self.ascend(all, onto: base)
    fold = TaskFold(fields: fields, repeatsAllowed: try Self.arrivalBreaksTies(all))
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
    var taken = runs.filter { !cut.excludesAll(of: $0.footer) && $0.footer.lastSequence > after }
    // The snapshot of just that event.
    if case .sequence(let last) = cut, last <= after { taken = [] }
    return (base.map { [$0] } ?? []) + taken
  }

  /// Whether the stamps of what is taken of some runs ascend as the sequence numbers do.
  private static func ascend(_ runs: [SealedRun], onto base: SealedRun?) -> Bool {
    let footers = runs.map(\.footer)
    guard let base, footers.count > 1, footers[1].firstSequence <= base.footer.lastSequence else {
      return RunFooter.ascend(footers)
    }
    // Of a run in which the snapshot ends, what is taken comes after it where both ascend.
    return base.footer.ascends && RunFooter.ascend(Array(footers.dropFirst()))
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
      try foldTask(of: first, to: builder)
      if let progress, seen - reported >= 1 << 17 {
        reported = seen
        progress(seen)
      }
    }
    return builder.build(eventCount: cursors.reduce(eventsFolded) { $0 + $1.eventsTaken })
  }

  private func foldTask(of first: RunCursor, to builder: StateBuilder) throws(LedgerError) {
    fold.startTask()
    guard heap.isFirstAlone else { return try foldSharedTask(first.key, to: builder) }
    try foldEvents(of: first)
    try append(CollectionOfOne(first), to: builder)
    if try first.advance() { heap.noteAdvanceOfFirst() } else { heap.removeFirst() }
  }

  /// Folds a task of which several runs have events.
  private func foldSharedTask(_ key: CursorKey, to builder: StateBuilder) throws(LedgerError) {
    parts.removeAll(keepingCapacity: true)
    while let next = heap.firstNumber, cursors[next].key.isSame(as: key) {
      try foldEvents(of: cursors[next])
      parts.append(next)
      // The cursor still shows the task: it moves on once its memory is no longer needed.
      heap.removeFirst()
    }
    try append(parts.lazy.map { self.cursors[$0] }, to: builder)
    for number in parts where try cursors[number].advance() { heap.insert(number) }
  }

  private func foldEvents(of cursor: RunCursor) throws(LedgerError) {
    let before = cursor.eventsSeen
    try cursor.foldTask(into: fold)
    seen += cursor.eventsSeen - before
  }

  /// - Parameter parts: the cursors that stand at the task, of which there is one at least.
  private func append(
    _ parts: some Collection<RunCursor>, to builder: StateBuilder
  ) throws(LedgerError) {
    guard let first = parts.first else { return }
    if fold.ascends {
      if fold.exists { try builder.append(first.key, fold) }
      return
    }
    guard let id = first.key.id else {
      throw LedgerError(.damaged, "a task id is malformed").located(in: first.run.source.path)
    }
    var state = TaskState()
    for part in parts { try part.fold(id, into: &state) }
    if state.exists { try builder.append(first.key, state) }
  }

  /// Whether of two events of the same time the one that came later is also the later-stamped one: all are of one replica,
  /// and its counts ascend as the sequence numbers do.
  private static func arrivalBreaksTies(_ runs: [SealedRun]) throws(LedgerError) -> Bool {
    var known: RunTables.Replica?
    for run in runs {
      let tables = try run.tables()
      guard tables.replicas.count == 1, let replica = tables.replicas.first,
        !tables.contexts.contains(where: { $0.flags & ContextFlag.count != 0 })
      else { return false }
      if let known, known.id != replica.id || known.bias > replica.bias { return false }
      known = replica
    }
    return true
  }
}
