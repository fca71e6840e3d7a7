import LedgerCore
import LedgerFormat

/// What the log adds up to, read from the newest snapshot that fits and the events after it.
extension LogView {
  /// The state at a cut, all at once.
  package func state(
    _ cut: FoldCut = .present, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> FoldedState {
    try onSnapshot(for: cut) { (base) throws(LedgerError) in
      try fold(cut, onto: base, progress)
    }
  }

  private func fold(
    _ cut: FoldCut, onto base: SnapshotFile?, _ progress: ((UInt64) -> Void)?
  ) throws(LedgerError) -> FoldedState {
    let runs = try runs(after: base?.entry.sequence ?? 0, through: cut.lastSequence)
    return try RunMerge.fold(runs, onto: base?.run, cut: cut, progress: progress)
  }

  /// The state at a cut, read from the newest snapshot that fits, and the event of that; nil when none fits.
  package func stateFromSnapshot(
    _ cut: FoldCut = .present, progress: ((UInt64) -> Void)? = nil
  ) throws(LedgerError) -> (state: FoldedState, sequence: UInt64)? {
    try onSnapshot(for: cut) { (base) throws(LedgerError) in
      guard let base else { return nil }
      return (try fold(cut, onto: base, progress), base.entry.sequence)
    }
  }

  /// The tasks at a cut in portions, in order of ids, until `body` returns false: who needs the first few reads no more blocks
  /// than these are in.
  ///
  /// - Parameter restart: called before the first portion: once, and again each time that a snapshot turns out to be damaged.
  package func forEachPortionOfTasks(
    _ cut: FoldCut, restart: () -> Void, body: (FoldedState) -> Bool
  ) throws(LedgerError) {
    try onSnapshot(for: cut) { (base) throws(LedgerError) in
      restart()
      let walk = try walk(cut, onto: base)
      var tasksMax = Self.portionTasksMin
      while !walk.isAtEnd {
        guard body(try walk.next(tasksMax)) else { return }
        tasksMax = min(4 * tasksMax, Self.portionTasksMax)
      }
    }
  }

  private static let portionTasksMin = 128
  private static let portionTasksMax = 1 << 16

  /// The state of one task by what is sealed, and perhaps some of what is not yet.
  ///
  /// - Parameter rest: after it there are no events of the task: segments that begin later are not read.
  package func sealedState(
    of task: TaskID, restingAfter rest: UInt64 = .max
  ) throws(LedgerError) -> TaskState {
    try onSnapshot(for: .present) { (base) throws(LedgerError) in
      var state = TaskState()
      if let base { state = try self.state(of: task, in: base) }
      for event in try sealedHistory(of: task, after: base?.entry.sequence ?? 0, through: rest) {
        state.fold(event)
      }
      return state
    }
  }

  /// The states of some tasks by what is sealed, and perhaps some of what is not yet; those that had events by then. Every block is
  /// read once.
  ///
  /// - Parameters:
  ///   - sequence: events after it do not count.
  ///   - rest: after it there are no events of the tasks: segments that begin later are not read.
  package func sealedStates(
    of tasks: Set<TaskID>, through sequence: UInt64 = .max, restingAfter rest: UInt64 = .max
  ) throws(LedgerError) -> [TaskID: TaskState] {
    let cut = sequence < lastSequence ? FoldCut.sequence(sequence) : .present
    return try onSnapshot(for: cut) { (base) throws(LedgerError) in
      var states: [TaskID: TaskState] = [:]
      if let base {
        let known = try pool.with { (zstd) throws(LedgerError) in
          try base.run.events(of: tasks.sorted(), zstd: zstd)
        }
        states = known.mapValues { TaskState($0) }
      }
      // Folding an event that the snapshot holds already changes nothing.
      let after = base?.entry.sequence ?? 0
      for (task, events) in try sealedHistories(of: tasks, after: after, through: rest) {
        for event in events where event.sequence <= sequence {
          states[task, default: TaskState()].fold(event)
        }
      }
      return states
    }
  }

  private func state(
    of task: TaskID, in snapshot: SnapshotFile
  ) throws(LedgerError) -> TaskState {
    try pool.with { (zstd) throws(LedgerError) in
      TaskState(try snapshot.run.events(of: task, zstd: zstd))
    }
  }

  /// The state of one task at a cut.
  package func state(of task: TaskID, _ cut: FoldCut = .present) throws(LedgerError) -> TaskState {
    try onSnapshot(for: cut) { (base) throws(LedgerError) in
      guard let base else { return TaskState(try history(of: task).lazy.filter(cut.includes)) }
      var state = try self.state(of: task, in: base)
      for event in try history(of: task, after: base.entry.sequence) where cut.includes(event) {
        state.fold(event)
      }
      return state
    }
  }

  /// A fold of the events after a snapshot, onto that.
  package func walk(
    _ cut: FoldCut, onto base: SnapshotFile?
  ) throws(LedgerError) -> FoldWalk {
    let after = base?.entry.sequence ?? 0
    return try FoldWalk(
      try runs(after: after, through: cut.lastSequence), onto: base?.run, cut: cut)
  }

  /// Runs the body with the newest snapshot that fits, and again with the one before when it turns out not to be what was
  /// written; at last with none.
  func onSnapshot<R>(
    for cut: FoldCut, _ body: (SnapshotFile?) throws(LedgerError) -> R
  ) throws(LedgerError) -> R {
    while let base = snapshots.newest(for: cut, in: manifest, through: lastSequence) {
      do throws(LedgerError) {
        return try body(base)
      } catch {
        guard error.path == base.run.source.path else { throw error }
        snapshots.reject(base.entry, error)
      }
    }
    return try body(nil)
  }
}
