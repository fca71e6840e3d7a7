import LedgerCore
import TaskLedger

/// Which tasks a command changes: those that its operands name, or those that meet the query of `--where`.
struct TaskChoice {
  /// The query; nil where operands name the tasks.
  let query: Query?

  /// The commands of one transaction.
  ///
  /// The query is asked inside of the transaction: nobody can change a task between the two.
  func commands(
    named ids: [TaskID], in transaction: Transaction, _ command: (TaskID) -> Command
  ) throws(LedgerError) -> [Command] {
    let ids = if let query { try transaction.find(query).map(\.id) } else { ids }
    let commands = ids.map(command)
    try transaction.prefetch(commands)
    return commands
  }
}

extension Session {
  /// The choice that a command line makes.
  func choice(
    _ verb: VerbDescription, needs needed: String = "ID or --where",
    of tasks: (Query) -> Query = \.hidingDeleted
  ) throws(LedgerError) -> TaskChoice {
    let query = try query(arguments.value("where"), "--where")
    guard query == nil || arguments.operands.isEmpty else {
      throw LedgerError(.usage, "\(verb.name) is given --where and ids", hint: "give one of them")
    }
    guard query != nil || !arguments.operands.isEmpty else {
      throw LedgerError(
        .usage, "\(verb.name) needs \(needed)", hint: ArgumentReader.usageHint(verb))
    }
    return TaskChoice(query: query.map(tasks))
  }

  /// Carries out a command on each chosen task, all in one transaction, and says what was done.
  ///
  /// - Parameter ids: the tasks that the operands name.
  func change(
    _ choice: TaskChoice, named ids: [TaskID], on ledger: Ledger, word: String? = nil,
    _ command: (TaskID) -> Command
  ) throws {
    let outcomes = try perform(on: ledger, word: word) { (transaction) throws(LedgerError) in
      try choice.commands(named: ids, in: transaction, command)
    }
    report(outcomes)
    if choice.query != nil, outcomes.isEmpty { note("no task meets the query: nothing is changed") }
  }
}

extension VerbDescription.Option {
  static let `where` = Self("where", "QUERY", "every task that meets a query, instead of ids")
}
