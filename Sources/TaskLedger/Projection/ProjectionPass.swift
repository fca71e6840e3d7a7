import LedgerFormat
import LedgerStorage

/// One pass over a log for several projections.
///
/// Invariants:
/// - every projection is given the events after its start that the cut takes, in order of sequence, each once;
/// - a projection that starts at 0 is first given the tasks of a folded history as they stood at the horizon, or, where tasks are all
///   that it asks for, the tasks at the cut, and then no events;
/// - the task before an event is the fold of the events before it in order of sequence that the cut takes.
struct ProjectionPass {
  let view: LogView
  let cut: FoldCut
  /// Whether the tasks are always derived from the events.
  let eventsAlone: Bool
  let progress: ((UInt64) -> Void)?

  func run(_ parts: [any ProjectionPart]) throws {
    let ofTasks = parts.filter { $0.start == 0 && $0.source == .tasks && !eventsAlone }
    if !ofTasks.isEmpty { try bringInTasks(ofTasks) }
    let others = parts.filter { part in !ofTasks.contains { $0 === part } }
    try bringInBaseline(others.filter { $0.start == 0 })
    try foldEvents(others)
  }

  /// Gives the tasks as they stand at the cut.
  private func bringInTasks(_ parts: [any ProjectionPart]) throws {
    let state = try view.state(cut, progress: progress)
    for index in 0..<state.count {
      let step = ProjectionStep(standing: state.item(at: index))
      for part in parts { try part.fold(step) }
    }
  }

  /// Gives the tasks as they stood at the horizon, where there is one.
  private func bringInBaseline(_ parts: [any ProjectionPart]) throws {
    guard let horizon = view.horizon, !parts.isEmpty else { return }
    for part in parts { part.start(after: horizon.sequence) }
    let parts = parts.filter { $0.source != .events }
    guard !parts.isEmpty else { return }
    var failure: (any Error)?
    try view.forEachFoldedTask { id, state in
      guard failure == nil, let task = state.item(id) else { return }
      do {
        for part in parts { try part.fold(ProjectionStep(standing: task)) }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private func foldEvents(_ parts: [any ProjectionPart]) throws {
    guard let first = parts.map(\.start).min() else { return }
    var fold = EventFold(parts)
    if let start = fold.statesStart { fold.states = try states(at: start) }
    var seen: UInt64 = 0
    var failure: (any Error)?
    try view.forEachPortion(after: first) { (events) throws(LedgerError) in
      do {
        for event in events where cut.includes(event) { try fold.add(event) }
      } catch {
        failure = error
        return false
      }
      seen += UInt64(events.count)
      progress?(seen)
      return !isPast(events.last)
    }
    if let failure { throw failure }
  }

  /// Whether no event after this one is taken.
  private func isPast(_ event: Event?) -> Bool {
    guard case .sequence(let last) = cut, let event else { return false }
    return event.sequence >= last
  }

  /// The states from which the events after an event go on: those of the tasks that they touch, or all.
  private func states(at sequence: UInt64) throws(LedgerError) -> [TaskID: TaskState] {
    guard sequence > 0 else { return [:] }
    guard sequence != view.horizon?.sequence else {
      var states: [TaskID: TaskState] = [:]
      try view.forEachFoldedTask { states[$0] = $1 }
      return states
    }
    var touched: Set<TaskID> = []
    try view.forEachPortion(after: sequence) { (events) throws(LedgerError) in
      for event in events where cut.includes(event) { touched.insert(event.task) }
      return !isPast(events.last)
    }
    return touched.isEmpty ? [:] : try view.states(of: touched, at: sequence)
  }
}

/// Hands events to projections, with their tasks where these are asked for.
private struct EventFold {
  /// The events alone are enough for these.
  private let ofEvents: [any ProjectionPart]
  private let ofChanges: [any ProjectionPart]
  /// The event after which states are followed; nil when nobody asks for them.
  let statesStart: UInt64?
  var states: [TaskID: TaskState] = [:]

  init(_ parts: [any ProjectionPart]) {
    ofEvents = parts.filter { $0.source == .events }
    ofChanges = parts.filter { $0.source != .events }
    statesStart = ofChanges.map(\.start).min()
  }

  mutating func add(_ event: Event) throws {
    for part in ofEvents where part.start < event.sequence { try part.fold(ProjectionStep(event)) }
    guard let statesStart, event.sequence > statesStart else { return }
    let old = states[event.task] ?? TaskState()
    var new = old
    new.fold(event)
    states[event.task] = new
    let step = ProjectionStep(event, from: old, to: new)
    for part in ofChanges where part.start < event.sequence { try part.fold(step) }
  }
}

/// A projection in a pass, whatever its type.
protocol ProjectionPart: AnyObject {
  var source: ProjectionSource { get }
  /// The last event that is in.
  var start: UInt64 { get }

  /// Begins after folded history.
  func start(after horizon: UInt64)

  func fold(_ step: ProjectionStep) throws
}

/// A projection in a pass.
final class ProjectionRun<P: Projection>: ProjectionPart {
  private var projected: Projected<P>
  private(set) var start: UInt64

  /// Begins with a projection of nothing.
  init(_ projection: P) {
    projected = Projected(projection)
    start = 0
  }

  /// Goes on from what was kept; begins anew where that does not fit the log.
  init(_ kept: Projected<P>, _ view: LogView) throws(LedgerError) {
    projected = kept
    projected.isContinued = try Self.fits(kept.position, view)
    start = projected.isContinued ? kept.position?.sequence ?? 0 : 0
    guard !projected.isContinued else { return }
    projected.value.reset()
    projected.foldedThrough = 0
  }

  private static func fits(
    _ position: ProjectionPosition?, _ view: LogView
  ) throws(LedgerError) -> Bool {
    guard let position, position.rules == TaskState.rulesVersion, position.version == P.version,
      position.lost == view.manifest.lost.count, position.sequence > 0,
      position.sequence >= view.horizon?.sequence ?? 0,
      let digest = try view.logDigest(at: position.sequence)
    else { return false }
    return digest.hex.hasSameBytes(as: position.logDigest)
  }

  var source: ProjectionSource { P.source }

  func start(after horizon: UInt64) {
    start = horizon
    projected.foldedThrough = horizon
  }

  func fold(_ step: ProjectionStep) throws { try projected.value.fold(step) }

  /// The value after the pass.
  ///
  /// - Parameter end: where the log was folded to; nil for what cannot be continued.
  func finish(_ end: ProjectionPosition?) -> Projected<P> {
    projected.position = end
    projected.position?.version = P.version
    return projected
  }
}
