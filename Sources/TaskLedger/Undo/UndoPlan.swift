import LedgerFormat
import LedgerStorage

/// What undoing some events comes to.
struct UndoPlan {
  /// Who undoes, why, and whether later changes may be lost.
  struct Wish {
    var author: String
    var message: String?
    var isForced = false
  }

  /// The transactions of what is undone.
  private(set) var sources: [UndoOutcome.Source] = []
  private(set) var tasks: [TaskUndo] = []

  /// - Parameters:
  ///   - events: what is to be undone, the newest first; what is undone already counts for nothing.
  ///   - histories: all events of their tasks.
  ///   - goals: what the tasks are to be in the end, where that is known.
  ///   - isRedo: whether `sources` are the transactions that are done again, not those that had undone them.
  init(
    _ events: [Event], _ histories: [TaskID: [Event]], _ wish: Wish,
    goals: [TaskID: TaskState] = [:], isRedo: Bool
  ) throws(LedgerError) {
    var ends: [TaskID: Set<UInt64>] = [:]
    var order: [TaskID] = []
    var chains: [TaskID: UndoChains] = [:]
    var firsts: [UInt64: Event] = [:]
    for event in events {
      let known = chains[event.task] ?? UndoChains(histories[event.task] ?? [])
      chains[event.task] = known
      let chain = known.chain(of: event.sequence)
      guard !known.isUndone(event.sequence), let first = chain.first, let end = chain.last else {
        continue
      }
      if ends[event.task] == nil { order.append(event.task) }
      ends[event.task, default: []].insert(end.sequence)
      let source = isRedo ? first : event
      if firsts[source.transaction].map({ source.sequence < $0.sequence }) ?? true {
        firsts[source.transaction] = source
      }
    }
    for task in order {
      tasks.append(
        try TaskUndo(
          task, histories[task] ?? [], undoing: ends[task] ?? [], goal: goals[task],
          isForced: wish.isForced,
          author: wish.author, message: wish.message))
    }
    sources = firsts.values.sorted { $0.sequence > $1.sequence }.map {
      UndoOutcome.Source(
        transaction: $0.transaction, author: $0.author, time: $0.time, message: $0.message)
    }
  }

  var conflicts: [Conflict] { tasks.flatMap(\.conflicts) }

  /// Whether nothing would change, and nothing speaks against it.
  var isEmpty: Bool { tasks.allSatisfy { $0.steps.isEmpty } }

  /// What it would come to.
  var outcome: UndoOutcome {
    UndoOutcome(
      sources: sources,
      tasks: tasks.filter { !$0.steps.isEmpty }.map { task in
        UndoOutcome.TaskChange(
          id: task.task, before: task.before, after: task.after,
          steps: task.steps.map {
            UndoOutcome.Step(
              undoes: $0.undone.sequence, kind: $0.command.kind, changes: $0.changes)
          })
      }, leftAlone: conflicts)
  }

  /// Carries it out.
  func perform(in transaction: Transaction) throws(LedgerError) -> UndoOutcome {
    var outcome = outcome
    let commands = tasks.flatMap { $0.steps.map(\.command) }
    try transaction.prefetch(commands)
    var next = commands[...]
    for task in outcome.tasks.indices {
      for step in outcome.tasks[task].steps.indices {
        guard let command = next.popFirst() else { continue }
        outcome.tasks[task].steps[step].event = try transaction.perform(command)
      }
    }
    outcome.transaction = transaction.events.first?.sequence
    // The last event of the transaction ends it: known once all are there.
    if let task = outcome.tasks.indices.last, let step = outcome.tasks[task].steps.indices.last {
      outcome.tasks[task].steps[step].event?.endsTransaction = true
    }
    return outcome
  }
}

extension UndoPlan {
  /// The plan, unless later changes would be lost.
  ///
  /// - Throws: `LedgerError` with code `conflict`.
  func checked(_ wish: Wish, isRedo: Bool) throws(LedgerError) -> UndoPlan {
    let verb = isRedo ? "redo" : "undo"
    let conflicts = conflicts
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
    return "undo those first, or do it nevertheless by --force"
  }
}
