import LedgerFormat
import LedgerStorage

/// A moment of a ledger.
public enum Moment: Hashable, Sendable {
  /// What this ledger knew after the event with this sequence number; 0 is before everything.
  case sequence(UInt64)
  /// All events whose time is not later, whenever they arrived.
  case time(LedgerTime)

  var cut: FoldCut {
    switch self {
    case .sequence(let number): .sequence(number)
    case .time(let time): .time(time)
    }
  }
}

extension Moment {
  /// Whether all that was folded had happened by then.
  fileprivate func isAfter(_ horizon: Horizon) -> Bool {
    switch self {
    case .sequence(let number): number >= horizon.sequence
    case .time(let time): time >= horizon.newest.time
    }
  }
}

/// The tasks of a ledger as they stood at a moment.
///
/// ```swift
/// let before = try ledger.at(.sequence(1204)).task(milk)
/// let monday = try ledger.at(.time(LedgerTime("2026-11-30"))).tasks()
/// ```
public struct LedgerMoment: Sendable {
  /// The moment.
  public let moment: Moment
  let view: LogView

  init(_ moment: Moment, _ view: LogView) {
    self.moment = moment
    self.view = view
  }

  /// A task as it stood then; nil when it did not exist.
  public func task(_ id: TaskID) throws(LedgerError) -> TaskItem? {
    try view.state(of: id, moment.cut).item(id)
  }

  /// A task as it stood then, with the revision that it had: the last event that had touched it; 0 where none had.
  public func taskAndRevision(_ id: TaskID) throws(LedgerError) -> (
    task: TaskItem?, revision: UInt64
  ) {
    let state = try view.state(of: id, moment.cut)
    return (state.item(id), state.revision)
  }

  /// The tasks as they stood then.
  public func tasks(_ options: TaskListOptions = TaskListOptions()) throws(LedgerError)
    -> [TaskItem]
  {
    try view.tasks(options, moment.cut)
  }
}

extension Ledger {
  /// The ledger as it stood at a moment; both kinds of moment work at any point.
  ///
  /// - Throws: ``LedgerError`` with code `beyondEnd` for a sequence number that no event has yet, `invalid` for a
  ///   moment before the horizon of a fold.
  public func at(_ moment: Moment) throws(LedgerError) -> LedgerMoment {
    let view = try currentView()
    try Self.check(moment, view)
    return LedgerMoment(moment, view)
  }

  /// - Parameter lastSequence: where events end that the view does not have yet; nil: where the view ends.
  static func check(
    _ moment: Moment, _ view: LogView, lastSequence: UInt64? = nil
  ) throws(LedgerError) {
    if let horizon = view.horizon, !moment.isAfter(horizon) {
      throw LedgerError(
        .invalid,
        "the history up to event \(horizon.sequence) (\(horizon.newest.time)) was folded",
        path: view.directory.path, cause: "that moment lies before it",
        hint: "ask for \(horizon.sequence) or later; a backup made before the fold has the rest")
    }
    let last = lastSequence ?? view.lastSequence
    guard case .sequence(let number) = moment, number > last else { return }
    throw LedgerError(
      .beyondEnd, "there is no event \(number)", path: view.directory.path,
      cause: "the last one is \(last)",
      hint: "`ledger log` lists the events; a time beyond the end is the present")
  }
}
