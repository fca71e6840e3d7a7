import LedgerFormat
import LedgerStorage

/// Reading the present.
extension Ledger {
  /// The committed log, with what other processes appended.
  func currentView() throws(LedgerError) -> LogView { try currentState().view }

  /// The committed log with what other processes appended, and what else is known of it.
  private func currentState() throws(LedgerError) -> (
    view: LogView, live: LiveTasks?, generation: Int
  ) {
    // While this process holds the folder lock nobody else appends, and what its own writers have in the making is
    // not yet committed.
    let before = gate.lockState
    let known = shared.withLock { $0.view }
    if before.isHeld { return shared.withLock { ($0.view, $0.live, $0.generation) } }
    let (refreshed, tail) = try LogOpening.refresh(known)
    if tail != .clean { try noteTail(of: refreshed) }
    let isUndisturbed = gate.lockState == before
    return shared.withLock { shared in
      if isUndisturbed { shared.adopt(refreshed, after: known) }
      return (shared.view, shared.live, shared.generation)
    }
  }

  /// The sequence number of the last event; 0 in an empty ledger.
  public var lastSequence: UInt64 {
    get throws(LedgerError) { try currentView().lastSequence }
  }

  /// A task as it stands; nil when it does not exist. A softly deleted task exists.
  ///
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read.
  public func task(_ id: TaskID) throws(LedgerError) -> TaskItem? {
    let (view, live, _) = try currentState()
    if let live, live.through == view.lastSequence { return live.item(id) }
    return try view.state(of: id).item(id)
  }

  /// The tasks as they stand, as ``TaskListOptions`` asks for them.
  ///
  /// ```swift
  /// let next = try ledger.tasks(TaskListOptions(sortedBy: "priority:desc", limit: 20))
  /// ```
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read.
  public func tasks(_ options: TaskListOptions = TaskListOptions()) throws(LedgerError)
    -> [TaskItem]
  {
    let (view, live, _) = try currentState()
    if options.query.onlyIDs != nil { return try view.tasks(options, .present) }
    // Whoever lists again and again is served best by tasks that are kept up to date.
    if options.stopsEarly, live == nil, shared.withLock({ $0.takeFirstList() }) {
      return try view.tasks(options, .present)
    }
    var picker = TaskPicker(options)
    try liveTasks().forEachTask { picker.offer($0) }
    return picker.result
  }

  /// The tasks up to the last event; folded on first use, kept up to date from then on.
  func liveTasks() throws(LedgerError) -> LiveTasks {
    let (view, known, generation) = try currentState()
    if let known, known.through >= view.lastSequence { return known }
    let live: LiveTasks
    if let caughtUp = try caughtUp(known, view) {
      live = caughtUp
    } else {
      live = LiveTasks(try view.state(), through: view.lastSequence)
    }
    shared.withLock { shared in
      guard shared.generation == generation else { return }
      if shared.live.map({ $0.through < live.through }) ?? true { shared.live = live }
    }
    return live
  }

  /// With more events since, everything is folded anew.
  private static let caughtUpEventsMax: UInt64 = 64

  /// With few events since, only their tasks are folded anew.
  private func caughtUp(_ known: LiveTasks?, _ view: LogView) throws(LedgerError) -> LiveTasks? {
    guard var live = known, live.through >= view.horizon?.sequence ?? 0,
      view.lastSequence - live.through <= Self.caughtUpEventsMax,
      !live.isWorn
    else { return nil }
    var tasks: Set<TaskID> = []
    try view.forEachPortion(after: live.through) { (events) throws(LedgerError) in
      for event in events { tasks.insert(event.task) }
      return true
    }
    var items: [CommitFeed.Item] = []
    for task in tasks { items.append((task, try view.state(of: task).item(task))) }
    live.apply(items, through: view.lastSequence)
    return live
  }

  /// Every event of a task in order of sequence, with what its fields held before; empty for an id that never was. Of what was
  /// folded only what still counts is there, and marked.
  ///
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read.
  public func audit(_ id: TaskID) throws(LedgerError) -> [AuditEntry] {
    let view = try currentView()
    return view.entries(of: try view.history(of: id))
  }

  /// What ``audit(_:)`` gives, and the task as it stands, both of one moment and read once.
  package func auditAndTask(_ id: TaskID) throws(LedgerError) -> (
    entries: AuditedHistory, task: TaskItem?
  ) {
    let view = try currentView()
    let entries = view.audited(try view.history(of: id))
    return (entries, entries.state.item(id))
  }

  /// The sequence number of the last event that touched a task; nil for an id that never was.
  public func revision(of id: TaskID) throws(LedgerError) -> UInt64? {
    let revision = try currentView().state(of: id).revision
    return revision > 0 ? revision : nil
  }

  /// A task with its revision, both of one moment; the revision of an id that never was is 0.
  ///
  /// ```swift
  /// let (task, revision) = try ledger.taskAndRevision(milk)
  /// if task?["owner"] == nil { try ledger.update(milk, expecting: revision) { $0["owner"] = "ann" } }
  /// ```
  /// - Throws: ``LedgerError`` with code `damaged` or `io` when the ledger cannot be read.
  public func taskAndRevision(_ id: TaskID) throws(LedgerError) -> (
    task: TaskItem?, revision: UInt64
  ) {
    let state = try currentView().state(of: id)
    return (state.item(id), state.revision)
  }

  /// The id that a text means: an id that ever existed, else the one id that starts with the text.
  ///
  /// Where events are lost, a task may be among them whose whole id the text is: then it is taken as a beginning only of a UUID, of
  /// which nobody makes an id of one's own.
  ///
  /// - Parameter text: an id, or at least 4 bytes of one.
  /// - Throws: ``LedgerError`` with code `noSuchTask` when none fits, `ambiguous` when several do, or a lost one might.
  public func resolve(_ text: String) throws(LedgerError) -> TaskID {
    try Self.resolve(text, in: currentView())
  }

  /// The ids that texts mean, in their order, as by `resolve(_:)`; many cost far less together than one by one.
  ///
  /// - Throws: ``LedgerError`` as `resolve(_:)`, for the first text that fits no task or several.
  package func resolve(_ texts: [String]) throws(LedgerError) -> [TaskID] {
    let view = try currentView()
    // A single one is found by its prefix, too, in one look.
    let known =
      texts.count > 1 ? try view.ids(among: Set(texts.compactMap { try? TaskID($0) })) : []
    var ids: [TaskID] = []
    for text in texts {
      if let id = try? TaskID(text), known.contains(id) {
        ids.append(id)
      } else {
        ids.append(try Self.resolve(text, in: view))
      }
    }
    return ids
  }

  /// The first ids, in order, that begin with a text: of tasks that are there, deleted or evicted.
  ///
  /// - Throws: `LedgerError` with code `damaged` or `io` when the ledger cannot be read.
  package func ids(startingWith text: String, limit: Int) throws(LedgerError) -> [TaskID] {
    try currentView().ids(startingWith: text, limit: limit)
  }

  private static func resolve(_ text: String, in view: LogView) throws(LedgerError) -> TaskID {
    let fitting = try view.ids(startingWith: text, limit: 3)
    if let exact = fitting.first(where: { $0.text.hasSameBytes(as: text) }) { return exact }
    guard text.utf8.count >= 4 else {
      throw LedgerError(
        .noSuchTask, "there is no task \"\(text.shortened(to: Limits.idBytesMax))\"",
        hint: "give the whole id, or at least 4 characters of its beginning")
    }
    guard let found = fitting.first else {
      throw LedgerError(
        .noSuchTask, "there is no task \"\(text.shortened(to: Limits.idBytesMax))\"",
        hint: "`ledger list` shows the tasks that exist")
    }
    guard fitting.count == 1 else {
      let ids = fitting.map(\.text).joined(separator: ", ")
      throw LedgerError(
        .ambiguous, "\"\(text)\" fits more than one task: \(ids)", hint: "give more of the id")
    }
    guard found.uuid != nil || view.manifest.lost.isEmpty else {
      throw LedgerError(
        .ambiguous,
        "\"\(text)\" begins the id \"\(found)\", but may be that of a task whose events are lost",
        hint: "give the whole id")
    }
    return found
  }
}

extension LogView {
  /// The entries of events of one task, in order of sequence. Of what was folded nobody knows what it replaced, nor what was
  /// lost.
  func entries(of events: [Event]) -> [AuditEntry] { Array(audited(events)) }

  /// The same, each put together when it is asked for.
  func audited(_ events: [Event]) -> AuditedHistory {
    TaskHistory.history(of: events, foldedThrough: horizon?.sequence ?? 0)
  }
}
