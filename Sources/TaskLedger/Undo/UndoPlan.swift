import LedgerFormat
import LedgerStorage

/// What undoing some events comes to.
///
/// Of each task it keeps what is told of it, and the commands, which is little beside its history: that is let go of, task by task.
struct UndoPlan {
  /// Who undoes, why, and whether later changes may be lost.
  struct Wish {
    var author: String
    var message: String?
    var isForced = false
    /// Who waits for it.
    var progress = UndoProgress()
  }

  /// An event that is to be undone.
  struct Target {
    var task: TaskID
    var sequence: UInt64

    init(_ event: Event) {
      task = event.task
      sequence = event.sequence
    }
  }

  /// What it comes to; once it is carried out, with the events.
  private(set) var outcome = UndoOutcome(sources: [], tasks: [], leftAlone: [])
  /// What carries the steps out, in their order.
  private var commands: [Command] = []

  /// - Parameters:
  ///   - targets: the newest first; what is undone already counts for nothing, unless there is a goal.
  ///   - histories: all events of their tasks.
  ///   - goal: what a task with a history is to be in the end, where that is known.
  ///   - isRedo: whether what had undone something is taken back. Then the sources are the transactions that are done again, not those
  ///     that had undone them; unless one of these had also done something again, which is undone with it: then it is the source.
  init(
    _ targets: [Target], _ histories: consuming [TaskID: [Event]], _ wish: Wish,
    goal: (([Event]) -> TaskState)? = nil, isRedo: Bool
  ) throws(LedgerError) {
    var (sources, roots) = (Sources(), Sources())
    var isRedo = isRedo
    var found: [(place: Int, task: TaskUndo.Result)] = []
    for places in Self.byTask(targets) {
      guard let task = places.first.map({ targets[$0].task }) else { continue }
      let history = histories.removeValue(forKey: task) ?? []
      wish.progress.note(history.count)
      let chains = UndoChains(history)
      var undone: Set<UInt64> = []
      var named: [(event: UInt64, source: Event, root: Event, place: Int)] = []
      for place in places {
        let sequence = targets[place].sequence
        let chain = chains.chain(of: sequence)
        guard let end = chain.last, let first = chains.root(of: sequence),
          let target = chain.first(where: { $0.sequence == sequence })
        else { continue }
        if !chains.isUndone(sequence) {
          undone.insert(end.sequence)
          named.append((end.sequence, target, first, place))
          if !chains.isUndo(sequence) { isRedo = false }
        } else if goal != nil {
          named.append((sequence, target, first, place))
        }
      }
      guard let newest = named.first else { continue }
      let undo = try TaskUndo(
        task, history, undoing: undone,
        goal: goal.map { .init($0(history), stand: newest.event) }, isForced: wish.isForced,
        author: wish.author, message: wish.message
      ).result
      found.append((newest.place, undo))
      // On the way to a moment not all that came later needs to be taken back.
      let steps = Set(undo.steps.map(\.undone))
      for (event, source, root, _) in named where goal == nil || steps.contains(event) {
        sources.note(source)
        roots.note(root)
      }
    }
    found.sort { $0.place < $1.place }
    for (_, task) in found { add(task) }
    outcome.sources = (isRedo ? roots : sources).newestFirst
    outcome.isRedo = isRedo
  }

  /// The transactions of which something is undone, each told by the first of its events that is.
  private struct Sources {
    private var firsts: [UInt64: Event] = [:]

    mutating func note(_ event: Event) {
      if let known = firsts[event.transaction], known.sequence <= event.sequence { return }
      firsts[event.transaction] = event
    }

    var newestFirst: [UndoOutcome.Source] {
      firsts.values.sorted { $0.sequence > $1.sequence }.map { UndoOutcome.Source($0) }
    }
  }

  /// The places of each task's targets, in order.
  private static func byTask(_ targets: [Target]) -> [ArraySlice<Int>] {
    let places = targets.indices.sorted { left, right in
      let (a, b) = (targets[left].task, targets[right].task)
      return a == b ? left < right : a < b
    }
    return places.split(betweenNeighbours: { targets[$0].task != targets[$1].task })
  }

  private mutating func add(_ task: TaskUndo.Result) {
    outcome.leftAlone += task.conflicts
    guard !task.steps.isEmpty else { return }
    commands += task.steps.lazy.map(\.command)
    outcome.tasks.append(
      UndoOutcome.TaskChange(
        id: task.task, before: task.before, after: task.after, isMadeSince: task.isMadeSince,
        steps: task.steps.map {
          UndoOutcome.Step(undoes: $0.undone, kind: $0.command.kind, changes: $0.changes)
        }))
  }

  /// Whether nothing would change, and nothing speaks against it.
  var isEmpty: Bool { outcome.tasks.isEmpty }

  /// Carries it out, and notes the events.
  mutating func perform(
    in transaction: Transaction, noting progress: UndoProgress
  ) throws(LedgerError) {
    try transaction.prefetch(commands)
    var next = commands[...]
    for task in outcome.tasks.indices {
      for step in outcome.tasks[task].steps.indices {
        guard let command = next.popFirst() else { continue }
        outcome.tasks[task].steps[step].event = try transaction.perform(command)
        progress.note(1)
      }
    }
    outcome.transaction = transaction.events.first?.sequence
    // The last event of the transaction ends it: known once all are there.
    if let task = outcome.tasks.indices.last, let step = outcome.tasks[task].steps.indices.last {
      outcome.tasks[task].steps[step].event?.endsTransaction = true
    }
  }
}

extension UndoOutcome.Source {
  fileprivate init(_ event: Event) {
    self.init(
      transaction: event.transaction, author: event.author, time: event.time,
      message: event.message)
  }
}

extension [Int] {
  /// The longest slices in which no element is to be parted from the one before it.
  fileprivate func split(betweenNeighbours isParted: (Int, Int) -> Bool) -> [ArraySlice<Int>] {
    var slices: [ArraySlice<Int>] = []
    var start = startIndex
    for index in indices.dropFirst() where isParted(self[index - 1], self[index]) {
      slices.append(self[start..<index])
      start = index
    }
    if start < endIndex { slices.append(self[start...]) }
    return slices
  }
}

extension UndoPlan {
  /// The plan, unless later changes would be lost.
  ///
  /// - Throws: `LedgerError` with code `conflict`.
  func checked(_ wish: Wish) throws(LedgerError) -> UndoPlan {
    let verb = outcome.isRedo ? "redo" : "undo"
    let (conflicts, sources) = (outcome.leftAlone, outcome.sources)
    guard !wish.isForced, let first = conflicts.first else { return self }
    let what =
      sources.count == 1 ? "transaction \(sources[0].transaction)" : "\(sources.count) transactions"
    let more = conflicts.count == 1 ? "" : ", and \(conflicts.count - 1) more"
    var error = LedgerError(
      .conflict,
      "cannot \(verb) \(what), for later changes would be lost: task \"\(first.task)\": \(first.reason)\(more)",
      hint: hint(conflicts))
    error.conflicts = conflicts
    throw error
  }

  private func hint(_ conflicts: [Conflict]) -> String {
    if let evict = conflicts.first(where: { $0.event?.kind == .evict })?.event {
      return "`ledger undo --transaction \(evict.transaction)` brings the task back first"
    }
    let nevertheless = "--force does it nevertheless"
    let later = Set(conflicts.compactMap { $0.event?.transaction }).sorted(by: >)
    guard let newest = later.first else { return nevertheless }
    let first = "`ledger undo --transaction \(newest)`"
    return later.count == 1
      ? "\(first) takes that back first; \(nevertheless)"
      : "\(first) and so on take the later transactions back first: \(later.map(String.init).joined(separator: ", ")); \(nevertheless)"
  }
}
