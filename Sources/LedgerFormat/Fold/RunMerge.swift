import LedgerCore

/// Folds runs into the tasks that exist: a merge by task id, so that the whole history of a task is in hand at once.
package enum RunMerge {
  /// The state that the events of some runs add up to.
  ///
  /// - Parameters:
  ///   - runs: in order of their sequence numbers, without overlap.
  ///   - cut: which events count.
  ///   - fields: the numbers of the fields, where states are to be compared; every field of the runs is among them.
  ///   - progress: called now and then with the number of events seen so far.
  package static func fold(
    _ runs: [SealedRun], cut: FoldCut = .present, fields: FieldTable? = nil,
    progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> FoldedState {
    let runs = runs.filter { !cut.excludesAll(of: $0.footer) }
    let fields = fields ?? FieldTable(runs.lazy.flatMap(\.tables.fields))
    let zstd = try Zstd()
    let ascends = stampsAscend(runs)
    var cursors: [RunCursor] = []
    for run in runs {
      let cursor = RunCursor(run, fields: fields, cut: cut, checksTimes: !ascends, zstd: zstd)
      if try cursor.advance() { cursors.append(cursor) }
    }
    let fold = TaskFold(fields: fields, repeatsAllowed: arrivalBreaksTies(runs))
    let builder = StateBuilder(fields)
    var heap = CursorHeap(cursors)
    var seen: UInt64 = 0
    var reported: UInt64 = 0
    while let first = heap.first {
      fold.startTask()
      let key = first.key
      var parts: [RunCursor] = []
      while let next = heap.first, next.key.isSame(as: key) {
        let before = next.eventsSeen
        try next.foldTask(into: fold)
        seen += next.eventsSeen - before
        parts.append(next)
        // The cursor still shows the task: it moves on once its memory is no longer needed.
        heap.removeFirst()
      }
      try append(key, fold, parts, to: builder)
      for cursor in parts where try cursor.advance() { heap.insert(cursor) }
      if let progress, seen - reported >= 1 << 17 {
        reported = seen
        progress(seen)
      }
    }
    return builder.build(eventCount: cursors.reduce(0) { $0 + $1.eventsTaken })
  }

  private static func append(
    _ key: CursorKey, _ fold: TaskFold, _ parts: [RunCursor], to builder: StateBuilder
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

  /// Whether the stamps of all events of all runs ascend as their sequence numbers do.
  private static func stampsAscend(_ runs: [SealedRun]) -> Bool {
    var newest: Stamp?
    for run in runs {
      guard run.footer.ascends, newest.map({ $0 < run.footer.oldest }) ?? true else { return false }
      newest = run.footer.newest
    }
    return true
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

/// The cursors, the one with the smallest key first; of equal keys that of the earlier run.
private struct CursorHeap {
  private var heap: [(cursor: RunCursor, order: UInt64)] = []

  init(_ cursors: [RunCursor]) { for cursor in cursors { insert(cursor) } }

  var first: RunCursor? { heap.first?.cursor }

  mutating func insert(_ cursor: RunCursor) {
    heap.append((cursor, cursor.run.footer.firstSequence))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && precedes(child, least) {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let a = heap[left]
    let b = heap[right]
    if a.cursor.key.isSame(as: b.cursor.key) { return a.order < b.order }
    return a.cursor.key.precedes(b.cursor.key)
  }
}
