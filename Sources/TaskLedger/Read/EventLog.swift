import LedgerFormat
import LedgerStorage

/// Which events of the log are wanted.
public struct EventFilter: Sendable {
  /// Only events after this sequence number.
  public var after: UInt64
  /// Only events of this author.
  public var author: String?
  /// Only events of this kind.
  public var kind: EventKind?
  /// Only events at or after this time.
  public var since: LedgerTime?
  /// Only events at or before this time.
  public var until: LedgerTime?

  /// Makes a filter; the default lets every event pass.
  public init(
    after: UInt64 = 0, author: String? = nil, kind: EventKind? = nil, since: LedgerTime? = nil,
    until: LedgerTime? = nil
  ) {
    self.after = after
    self.author = author
    self.kind = kind
    self.since = since
    self.until = until
  }

  /// Whether an event passes.
  public func includes(_ event: Event) -> Bool {
    event.sequence > after && (author.map { $0.hasSameBytes(as: event.author) } ?? true)
      && (kind.map { $0 == event.kind } ?? true) && (since.map { $0 <= event.time } ?? true)
      && (until.map { event.time <= $0 } ?? true)
  }
}

extension Ledger {
  /// Calls `body` with every event that passes the filter, in order of sequence, until it returns false.
  ///
  /// The events are those of the moment of the call; what is appended meanwhile is not among them.
  public func forEachEvent(
    _ filter: EventFilter = EventFilter(), _ body: (Event) throws(LedgerError) -> Bool
  ) throws(LedgerError) {
    try currentView().forEachPortion(after: filter.after) { (events) throws(LedgerError) in
      for event in events where filter.includes(event) {
        guard try body(event) else { return false }
      }
      return true
    }
  }

  /// The events that pass the filter, in order of sequence, with what their fields held before, until `body` returns
  /// false.
  public func forEachEntry(
    _ filter: EventFilter = EventFilter(), _ body: (AuditEntry) throws(LedgerError) -> Bool
  ) throws(LedgerError) {
    let view = try currentView()
    if view.lastSequence - min(filter.after, view.lastSequence) <= Self.fewEventsMax {
      return try forEachOfFew(filter, view, body)
    }
    var olds = EntryMaker(view)
    try olds.prepare()
    // What came before the first event is folded too: it is what the events changed.
    try view.forEachFoldedTask { olds.begin($0, with: $1) }
    try view.forEachPortion(after: 0) { (events) throws(LedgerError) in
      for event in events {
        let entry = try olds.entry(event, isWanted: filter.includes(event))
        if let entry, try !body(entry) { return false }
      }
      return true
    }
  }
}

extension Ledger {
  /// Of so many events or less at the end of the log, the tasks are told by their whole histories: of segments before them no more is
  /// read than these are in.
  private static let fewEventsMax: UInt64 = 1024

  private func forEachOfFew(
    _ filter: EventFilter, _ view: LogView, _ body: (AuditEntry) throws(LedgerError) -> Bool
  ) throws(LedgerError) {
    var events: [Event] = []
    try view.forEachPortion(after: filter.after) { (portion) throws(LedgerError) in
      events.append(contentsOf: portion.lazy.filter(filter.includes))
      return true
    }
    let tasks = Set(events.map(\.task))
    var histories = try view.sealedHistories(of: tasks)
    for event in try view.unsealedEvents() where tasks.contains(event.task) {
      histories[event.task, default: []].append(event)
    }
    let entries = histories.mapValues { history in
      Dictionary(
        view.entries(of: history).map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first }
      )
    }
    for event in events {
      if let entry = entries[event.task]?[event.sequence], try !body(entry) { return }
    }
  }
}

/// Makes the entries of events that come in order of sequence.
///
/// A task whose events have ascending stamps is folded along the way. The old values of a late event's task depend on
/// events that come later in the log: such tasks are told by their whole history.
private struct EntryMaker {
  private let view: LogView
  private var states: [TaskID: TaskState] = [:]
  private var lateTasks: Set<TaskID> = []
  private var entries: [TaskID: [UInt64: AuditEntry]] = [:]

  init(_ view: LogView) { self.view = view }

  /// Finds the tasks with late events.
  mutating func prepare() throws(LedgerError) {
    guard try !stampsAscend() else { return }
    var newest: [TaskID: Stamp] = [:]
    var late: Set<TaskID> = []
    try view.forEachPortion(after: 0) { (events) throws(LedgerError) in
      for event in events {
        if let stamp = newest[event.task], event.stamp < stamp { late.insert(event.task) }
        newest[event.task] = max(newest[event.task] ?? event.stamp, event.stamp)
      }
      return true
    }
    lateTasks = late
  }

  /// Whether no event of the log is late; most logs tell by their footers.
  private func stampsAscend() throws(LedgerError) -> Bool {
    var footers: [RunFooter] = []
    for segment in view.sealed { footers.append(try segment.run(view.pool).footer) }
    guard RunFooter.ascend(footers) else { return false }
    var newest = footers.last?.newest
    for event in try view.unsealedEvents() {
      guard newest.map({ $0 < event.stamp }) ?? true else { return false }
      newest = event.stamp
    }
    return true
  }

  /// Starts from what is left of a task's folded history.
  mutating func begin(_ task: TaskID, with state: TaskState) { states[task] = state }

  mutating func entry(_ event: Event, isWanted: Bool) throws(LedgerError) -> AuditEntry? {
    guard lateTasks.contains(event.task) else {
      let entry =
        isWanted ? TaskHistory.entry(event, after: states[event.task] ?? TaskState()) : nil
      states[event.task, default: TaskState()].fold(event)
      return entry
    }
    guard isWanted else { return nil }
    if entries[event.task] == nil {
      let history = TaskHistory.audit(try view.history(of: event.task))
      entries[event.task] = Dictionary(
        history.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
    }
    return entries[event.task]?[event.sequence]
  }
}
