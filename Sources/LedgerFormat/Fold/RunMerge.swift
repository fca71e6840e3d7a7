import LedgerCore

/// Folds runs into the tasks that exist: a merge by task id, so that the whole history of a task is in hand at once.
///
/// Of many events two cores fold one half of the ids each: the rows of the second half follow those of the first.
package enum RunMerge {
  /// Fewer events are folded before a thread has got going.
  private static let splitEventsMin: UInt64 = 1 << 15

  /// The state that the events of some runs add up to.
  ///
  /// - Parameters:
  ///   - runs: in order of their sequence numbers, without overlap.
  ///   - base: a snapshot of which all events count; what it stands for is passed over in the runs.
  ///   - cut: which events count.
  ///   - fields: the numbers of the fields, where states are to be compared; every field of the runs is among them.
  ///   - progress: called now and then with the number of events seen so far.
  package static func fold(
    _ runs: [SealedRun], onto base: SealedRun? = nil, cut: FoldCut = .present,
    fields: FieldTable? = nil, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> FoldedState {
    let taken = FoldWalk.taken(of: runs, onto: base, cut)
    if DetachedThread.coreCount > 1, let middle = middle(of: taken) {
      return try fold(
        runs, onto: base, cut: cut, fields: fields, splitAt: middle, progress: progress)
    }
    return try FoldWalk(runs, onto: base, cut: cut, fields: fields).next(progress: progress)
  }

  /// Whether there is so much to read of some runs that a second thread helps.
  package static func isWorthSplitting(_ runs: [SealedRun]) -> Bool {
    isWorthSplitting(runs.map(\.footer.eventCount))
  }

  /// The same of runs of so many events.
  package static func isWorthSplitting(_ eventCounts: [UInt64]) -> Bool {
    eventCounts.reduce(0, &+) >= splitEventsMin
  }

  /// As many blocks at most are looked at to find the middle.
  private static let sampledBlocksMax = 1024

  /// The task before which about half the events are; nil where halves are not worth it.
  private static func middle(of runs: [SealedRun]) -> TaskKey? {
    guard isWorthSplitting(runs) else { return nil }
    let blocks = runs.reduce(0) { $0 + $1.index.entries.count }
    let step = max(1, blocks / sampledBlocksMax)
    var sampled: [(key: TaskKey, events: Int)] = []
    for run in runs {
      for number in stride(from: 0, to: run.index.entries.count, by: step) {
        let entry = run.index.entries[number]
        sampled.append((entry.firstKey, entry.eventCount))
      }
    }
    sampled.sort { $0.key.id < $1.key.id }
    var left = sampled.reduce(0) { $0 + $1.events } / 2
    return sampled.first { block in
      left -= block.events
      return left < 0
    }?.key
  }

  /// Folds the tasks before one and those from it on at once, on two threads.
  package static func fold(
    _ runs: [SealedRun], onto base: SealedRun? = nil, cut: FoldCut = .present,
    fields given: FieldTable? = nil, splitAt middle: TaskKey, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> FoldedState {
    let all = FoldWalk.taken(of: runs, onto: base, cut)
    let fields = if let given { given } else { try FieldTable(of: all) }
    let seenAside = Guarded<UInt64>(0)
    let (first, second) = DetachedThread.both(if: true) {
      Result { () throws(LedgerError) in
        try FoldWalk(runs, onto: base, cut: cut, fields: fields, before: middle).next(
          progress: progress.map { progress in
            { seen in progress(seen + seenAside.withLock { $0 }) }
          })
      }
    } _: {
      Result { () throws(LedgerError) in
        try FoldWalk(runs, onto: base, cut: cut, fields: fields, from: middle).next(
          progress: { seen in seenAside.withLock { $0 = seen } })
      }
    }
    return FoldedState(try first.get(), then: try second.get())
  }
}
