import LedgerCore
import TaskLedger

/// Which tasks a command changes: those that its operands name, or those that meet the query of `--where`.
struct TaskChoice {
  /// The query; nil where operands name the tasks.
  let query: Query?
  /// The query as it was typed.
  let typed: TypedQuery?

  /// What a query chose.
  struct Chosen {
    var commands: [Command] = []
    /// The fields of the query that no task has.
    var unknown: [UnknownField] = []
    /// Its comparisons with what no task holds there, which no task meets.
    var slips: [TypeSlip] = []
  }

  /// The commands of one transaction, and what is to be said of the query.
  ///
  /// The query is asked inside of the transaction: nobody can change a task between the two.
  func commands(
    named ids: [TaskID], in transaction: Transaction, _ command: (TaskID) -> Command
  ) throws(LedgerError) -> Chosen {
    var ids = ids
    var chosen = Chosen()
    if let query {
      chosen.slips = try check(amongAll: transaction)
      let found = try transaction.find(query)
      ids = found.map(\.id)
      chosen.unknown = try UnknownField.find(in: query, amongAll: transaction, found: found)
    }
    chosen.commands = ids.map(command)
    try transaction.prefetch(chosen.commands)
    return chosen
  }

  /// Refuses a query that asks for a field that no task has, compares dates with what is none, or a field with what no task holds
  /// there: what it finds is not what was meant, and would be changed.
  ///
  /// - Returns: such comparisons that no task meets, so that nothing is changed for them.
  private func check(amongAll tasks: any TaskReading) throws(LedgerError) -> [TypeSlip] {
    guard let typed else { return [] }
    if let refusal = try UnknownFieldRefusal.find(in: typed, amongAll: tasks) {
      throw refusal.under("--where")
    }
    if let slip = try DateSlip.find(in: typed, amongAll: tasks).first {
      throw slip.error.under("--where")
    }
    let slips = try TypeSlip.find(in: typed, amongAll: tasks)
    if let slip = slips.first(where: { $0.isMetByOthers && !typed.allowsNull($0.use.field) }) {
      throw slip.error.under("--where")
    }
    return slips
  }
}

extension Session {
  /// The choice that a command line makes.
  func choice(
    _ verb: VerbDescription, needs needed: String = "ID or --where",
    of tasks: (Query) -> Query = \.hidingDeleted
  ) throws(LedgerError) -> TaskChoice {
    let typed = try query(arguments.value("where"), "--where")
    let query = typed?.query
    guard query == nil || arguments.operands.isEmpty else {
      throw LedgerError(.usage, "\(verb.name) is given --where and ids", hint: "give one of them")
    }
    guard query != nil || !arguments.operands.isEmpty else {
      throw LedgerError(
        .usage, "\(verb.name) needs \(needed)", hint: ArgumentReader.usageHint(verb))
    }
    return TaskChoice(query: query.map(tasks), typed: typed)
  }

  /// Carries out a command on each chosen task, all in one transaction, and says what was done; with `--dry-run` only says what
  /// would be.
  ///
  /// - Parameter ids: the tasks that the operands name.
  func change(
    _ choice: TaskChoice, named ids: [TaskID], on ledger: Ledger, word: ChangeWord? = nil,
    _ command: (TaskID) -> Command
  ) throws {
    do {
      try carryOut(choice, named: ids, on: ledger, word: word, command)
    } catch let error as LedgerError {
      throw ledger.explaining(error, of: ids)
    }
  }

  private func carryOut(
    _ choice: TaskChoice, named ids: [TaskID], on ledger: Ledger, word: ChangeWord?,
    _ command: (TaskID) -> Command
  ) throws {
    var chosen = TaskChoice.Chosen()
    let outcomes = try perform(on: ledger, word: word) { (transaction) throws(LedgerError) in
      chosen = try choice.commands(named: ids, in: transaction, command)
      return chosen.commands
    }
    report(outcomes, in: ledger)
    let changed = outcomes.count { $0.entry != nil }
    if choice.query != nil, outcomes.isEmpty {
      note("no task meets the query: nothing \(isDryRun ? "would change" : "is changed")")
    }
    noteUnknown(chosen.unknown)
    for slip in chosen.slips { note(slip.note) }
    if !outcomes.isEmpty { noteDryRun(changing: changed) }
    if !chosen.unknown.isEmpty, changed > 0, !isDryRun {
      note("if that was not meant, `ledger undo` takes the change back")
    }
  }
}

extension VerbDescription.Option {
  static let `where` = Self("where", "QUERY", "every task that meets a query, instead of ids")
}
