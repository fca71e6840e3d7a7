import LedgerFormat
import LedgerStorage

/// Transactions that share one sync.
package final class TransactionGroup {
  private let session: WriteSession
  private let configuration: LedgerConfiguration
  private let pool: ZstdPool
  private let isBulk: Bool
  /// Whether a list is kept up to date with what changes.
  private let collectsTouched: Bool
  private var pending: [PendingTransaction] = []
  private var touched: [(TaskID, TaskState)] = []
  /// How to take back what is in the session, oldest first.
  private var undo: [(mark: WriteSession.Mark, touched: Touched)] = []
  /// The epoch of the writers in which it is made.
  var epoch: Int { session.epoch }

  /// How many events are in so far.
  package private(set) var eventCount = 0

  /// The tasks that a transaction touched.
  private enum Touched {
    case one(KeptTask)
    case several(TouchedTasks)
  }

  init(
    _ session: WriteSession, configuration: LedgerConfiguration, pool: ZstdPool, isBulk: Bool,
    collectsTouched: Bool
  ) {
    self.session = session
    self.configuration = configuration
    self.pool = pool
    self.isBulk = isBulk
    self.collectsTouched = collectsTouched
  }

  /// Reads what many commands will need all at once, which costs far less than one by one.
  func prefetch(_ needs: [TaskNeed]) throws(LedgerError) { try session.prefetch(needs) }

  /// Runs one transaction; when `body` throws, its changes are taken back and the group goes on without it.
  package func transaction<R>(
    author: String, message: String? = nil, _ body: (Transaction) throws -> R
  ) throws -> R {
    let transaction = Transaction(
      session, configuration: configuration, author: author, message: message)
    do {
      let result = try body(transaction)
      try add(transaction.close(), touched: .several(transaction.touched), since: transaction.mark)
      return result
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// Runs a transaction of one command.
  ///
  /// - Returns: false when it changes nothing; then there is no transaction.
  /// - Throws: `LedgerError` with code `invalid` or `noSuchTask` for what the rules refuse; the group goes on without it.
  package func perform(_ command: Command) throws(LedgerError) -> Bool {
    let task = try session.task(command.task)
    let event = try session.event(
      for: command, of: task, transaction: nil, now: configuration.clock())
    guard var event else { return false }
    try event.checkSize()
    event.endsTransaction = true
    let mark = session.mark
    session.add(event, to: task)
    do throws(LedgerError) {
      try add([event], touched: .one(task), since: mark)
    } catch {
      takeBack(to: mark, .one(task))
      throw error
    }
    return true
  }

  private func add(
    _ events: [Event], touched: Touched, since mark: WriteSession.Mark
  ) throws(LedgerError) {
    guard !events.isEmpty, let newest = session.tip.newest else { return }
    let transaction = try pool.with { (zstd) throws(LedgerError) in
      try PendingTransaction(
        events, replica: session.replica, ownBefore: events[0].stamp.count - 1, newest: newest,
        compresses: !isBulk, zstd: zstd)
    }
    pending.append(transaction)
    undo.append((mark, touched))
    eventCount += events.count
    guard collectsTouched else { return }
    switch touched {
    case .one(let task): self.touched.append((task.id, task.state))
    case .several(let tasks):
      for entry in tasks.entries { self.touched.append((entry.task.id, entry.task.state)) }
    }
  }

  private func takeBack(to mark: WriteSession.Mark, _ touched: Touched) {
    switch touched {
    case .one(let task): session.takeBack(to: mark, TouchedTasks(task))
    case .several(let tasks): session.takeBack(to: mark, tasks)
    }
  }

  /// Takes all transactions back.
  func rollBack() {
    for (mark, touched) in undo.reversed() { takeBack(to: mark, touched) }
  }

  func close() -> GroupCommit.Queued? {
    pending.isEmpty
      ? nil : GroupCommit.Queued(pending, touched: collectsTouched ? touched : nil)
  }
}
