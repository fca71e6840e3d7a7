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
  /// Those whose events are in the session.
  private var made: [Transaction] = []

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
  package func prefetch(_ commands: some Sequence<Command>) throws(LedgerError) {
    try session.prefetch(commands)
  }

  /// Runs one transaction; when `body` throws, its changes are taken back and the group goes on without it.
  package func transaction<R>(
    author: String, message: String? = nil, _ body: (Transaction) throws -> R
  ) throws -> R {
    let transaction = Transaction(
      session, configuration: configuration, author: author, message: message)
    do {
      let result = try body(transaction)
      let closed = try pool.with { (zstd) throws(LedgerError) in
        try transaction.close(compresses: !isBulk, zstd: zstd)
      }
      if let closed {
        if collectsTouched {
          touched.append(contentsOf: transaction.touched.entries.map { ($0.task, $0.after) })
        }
        pending.append(closed)
        made.append(transaction)
      }
      return result
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// How many events are in so far.
  package var eventCount: Int { pending.reduce(0) { $0 + $1.events.count } }

  /// Takes all transactions back.
  func rollBack() {
    for transaction in made.reversed() { transaction.rollBack() }
  }

  func close() -> WriteGate.Queued? {
    pending.isEmpty
      ? nil : WriteGate.Queued(pending, touched: collectsTouched ? touched : nil)
  }
}
