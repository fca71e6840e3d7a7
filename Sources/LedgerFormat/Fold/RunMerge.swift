import LedgerCore

/// Folds runs into the tasks that exist: a merge by task id, so that the whole history of a task is in hand at once.
package enum RunMerge {
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
    try FoldWalk(runs, onto: base, cut: cut, fields: fields).next(progress: progress)
  }
}
