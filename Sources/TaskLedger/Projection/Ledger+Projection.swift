import LedgerFormat
import LedgerStorage

extension Ledger {
  /// Folds the ledger into projections, all of them in one pass.
  ///
  /// ```swift
  /// let counts = try ledger.project(TaskCounts()).value
  /// let (list, activity) = try ledger.project(TaskList(), Activity())
  /// ```
  /// - Parameters:
  ///   - projection: what to fold into, holding nothing yet.
  ///   - eventsAlone: whether tasks are always derived from the events; else projections of tasks start from a snapshot of the ledger,
  ///     where one fits.
  ///   - progress: called now and then with the number of events read so far.
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read; what a projection throws.
  public func project<each P: Projection>(
    _ projection: repeat each P, eventsAlone: Bool = false, progress: ((UInt64) -> Void)? = nil
  ) throws -> (repeat Projected<each P>) {
    let view = try currentView()
    return try ProjectionPass.project(
      (repeat ProjectionRun(each projection)), view, .present, eventsAlone, progress)
  }

  /// Goes on from kept projections with the events that came since, all of them in one pass.
  ///
  /// What is given is folded anew where it does not fit this ledger: it is of another one, of one that went back, of another
  /// version, or of an event that was folded away since. ``Projected/isContinued`` says so; the value is right in either case.
  ///
  /// ```swift
  /// var counts = try ledger.project(TaskCounts())
  /// try ledger.toggle(milk)
  /// counts = try ledger.project(from: counts)
  /// ```
  /// - Parameters:
  ///   - kept: what an earlier call returned.
  ///   - eventsAlone: as in ``project(_:eventsAlone:progress:)``.
  ///   - progress: called now and then with the number of events read so far.
  /// - Throws: as ``project(_:eventsAlone:progress:)``.
  public func project<each P: Projection>(
    from kept: repeat Projected<each P>, eventsAlone: Bool = false,
    progress: ((UInt64) -> Void)? = nil
  ) throws -> (repeat Projected<each P>) {
    let view = try currentView()
    return try ProjectionPass.project(
      (repeat try ProjectionRun(each kept, view)), view, .present, eventsAlone, progress)
  }
}

extension LedgerMoment {
  /// Folds what was there at the moment into projections, all of them in one pass.
  ///
  /// For a time, the events are those that had happened by then, in the order in which they arrived.
  ///
  /// ```swift
  /// let then = try ledger.at(.sequence(1204)).project(TaskCounts()).value
  /// ```
  /// - Parameters:
  ///   - projection: what to fold into, holding nothing yet.
  ///   - eventsAlone: as in ``Ledger/project(_:eventsAlone:progress:)``.
  ///   - progress: called now and then with the number of events read so far.
  /// - Throws: as ``Ledger/project(_:eventsAlone:progress:)``.
  public func project<each P: Projection>(
    _ projection: repeat each P, eventsAlone: Bool = false, progress: ((UInt64) -> Void)? = nil
  ) throws -> (repeat Projected<each P>) {
    try ProjectionPass.project(
      (repeat ProjectionRun(each projection)), view, moment.cut, eventsAlone, progress)
  }
}

extension ProjectionPass {
  fileprivate static func project<each P: Projection>(
    _ runs: (repeat ProjectionRun<each P>), _ view: LogView, _ cut: FoldCut, _ eventsAlone: Bool,
    _ progress: ((UInt64) -> Void)?
  ) throws -> (repeat Projected<each P>) {
    var parts: [any ProjectionPart] = []
    repeat parts.append(each runs)
    try ProjectionPass(view: view, cut: cut, eventsAlone: eventsAlone, progress: progress)
      .run(parts)
    let end = try cut == .present ? Self.end(of: view) : nil
    return (repeat (each runs).finish(end))
  }

  private static func end(of view: LogView) throws(LedgerError) -> ProjectionPosition? {
    guard let digest = try view.logDigest(at: view.lastSequence) else { return nil }
    return ProjectionPosition(
      sequence: view.lastSequence, logDigest: digest.hex, lost: view.manifest.lost.count,
      rules: TaskState.rulesVersion, version: 1)
  }
}
