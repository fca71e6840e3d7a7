import LedgerFormat
import LedgerStorage

/// What transactions would come to: their events are made as an append makes them, each on top of those before it, and thrown away.
///
/// Invariants:
/// - no lock is taken, no file is changed, and nobody else sees anything of it;
/// - what would be refused is refused, by the same rules and in the same words;
/// - it stands on the log as it was when it began: what others append meanwhile is no part of it.
///
/// Every event that is made stays in memory until the end, for the next ones build on it: about a kilobyte each.
package final class Rehearsal: @unchecked Sendable {
  // Unchecked: whoever carries transactions out does so one after the other, as `GroupAppending` makes sure.
  private let ledger: Ledger
  private let session: WriteSession
  /// The tasks that were touched, as they were before; nil for one that did not exist.
  private var before: [TaskID: TaskItem?] = [:]

  /// - Throws: `LedgerError` with code `invalid` for a backup, to which nothing can be appended, `damaged` or `io` when the ledger
  ///   cannot be read.
  package init(_ ledger: Ledger) throws(LedgerError) {
    self.ledger = ledger
    let view = try ledger.currentView()
    try view.manifest.checkIsNoBackup(ledger.path)
    let configuration = ledger.configuration
    let writer = LogWriter(view, options: configuration.storeOptions, clock: configuration.clock)
    session = WriteSession(
      writer, epoch: 0, keptTasksMax: configuration.keptTasksMax, published: { view },
      listed: { () throws(LedgerError) in try ledger.liveTasks() })
    session.followFiles()
    session.beforeAdding = { [unowned self] task in
      if before[task.id] == nil { before[task.id] = .some(task.state.item(task.id)) }
    }
  }

  /// How the tasks that were touched would differ afterwards from what they are.
  package func differences() throws(LedgerError) -> DifferenceCounts {
    var counts = DifferenceCounts()
    for (id, before) in before {
      switch (before, try session.task(id).state.item(id)) {
      case (nil, nil): break
      case (nil, _?): counts.added += 1
      case (_?, nil): counts.gone += 1
      case (let before?, let after?):
        if before == after { counts.same += 1 } else { counts.changed += 1 }
      }
    }
    return counts
  }

  /// Carries transactions out as far as their events.
  func appendGroup<R>(_ body: (TransactionGroup) throws -> R) throws -> R {
    let group = TransactionGroup(
      session, configuration: ledger.configuration, pool: ledger.pool, isBulk: true,
      collectsTouched: false)
    do {
      return try body(group)
    } catch {
      group.rollBack()
      throw error
    }
  }

  /// Carries a transaction out as far as its events, as ``Ledger/transaction(author:message:_:)`` does; when `body` throws, it is taken
  /// back.
  package func transaction<R>(
    author: String? = nil, message: String? = nil, _ body: (Transaction) throws -> R
  ) throws -> R {
    try appendGroup { group in
      try group.transaction(author: author ?? ledger.author, message: message, body)
    }
  }
}
