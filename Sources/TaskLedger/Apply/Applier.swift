import LedgerFormat
import LedgerStorage

/// Appends a stream of commands, one JSON line each.
///
/// Consecutive lines with the same transaction token are one transaction; a line without one is its own. Many transactions share one
/// sync, and what has been flushed is durable.
package final class Applier {
  /// What has been done so far.
  package struct Summary: Sendable {
    /// Lines that are in: their events are durable, or they change nothing.
    package var lines = 0
    /// Events appended.
    package var events = 0
    /// Lines that changed nothing.
    package var unchanged = 0
    /// Lines that were left out, with their transactions, because a line was bad.
    package var dropped = 0
    /// The bad lines, in order; one at most unless the stream goes on after them.
    package var errors: [LedgerError] = []
  }

  /// Consecutive lines of one transaction.
  private struct Batch {
    var token: TransactionToken?
    var commands: [(line: Int, command: Command)] = []
    /// Lines that belong to it and cannot be used.
    var badLines = 0
    /// Bad lines behind it of which only the next line tells whether they belong to it.
    var doubtful = 0
  }

  private let ledger: Ledger
  private let continues: Bool
  private let onBadLine: (LedgerError) -> Void
  private var open: Batch?
  private var ready: [Batch] = []
  private var readyCommands = 0
  private var stopped = false
  package private(set) var summary = Summary()

  /// As many commands at most share one sync.
  private static let commandsPerSync = 2048
  /// With as many transactions at a time the stream is a bulk load.
  private static let bulkBatchesMin = 1024
  /// No more bad lines than this are kept; all are counted and handed to `onBadLine`.
  private static let errorsKept = 100

  /// - Parameters:
  ///   - continues: whether to go on after a bad line, without its whole transaction.
  ///   - onBadLine: called with the error of each bad line.
  package init(
    _ ledger: Ledger, continues: Bool = false, onBadLine: @escaping (LedgerError) -> Void = { _ in }
  ) {
    self.ledger = ledger
    self.continues = continues
    self.onBadLine = onBadLine
  }

  /// Takes the next line.
  ///
  /// - Returns: false when the stream stops here, after a bad line.
  package func add(_ line: LineSplitter.Line) throws -> Bool {
    guard !stopped else { return false }
    do throws(LedgerError) {
      let parsed = try ApplyLine(line)
      try add(parsed, number: line.number)
    } catch {
      guard error.code == .badLine else { throw error }
      try addBad(error, token: TransactionToken.find(in: line.bytes))
    }
    return !stopped
  }

  /// Takes a line that could not even be cut out of the stream.
  package func addUnreadable(_ error: LedgerError) throws -> Bool {
    guard !stopped else { return false }
    try addBad(error, token: .unreadable)
    return !stopped
  }

  private func add(_ line: ApplyLine, number: Int) throws(LedgerError) {
    let command = Command(
      line.kind, line.task ?? ledger.configuration.makeID(), line.changes, time: line.time,
      author: line.author ?? ledger.author, message: line.message)
    if let token = line.transaction, var batch = open, batch.token == token {
      open = nil
      batch.badLines += batch.doubtful
      batch.doubtful = 0
      batch.commands.append((number, command))
      open = batch
      return
    }
    try closeOpen()
    open = Batch(token: line.transaction, commands: [(number, command)])
    if line.transaction == nil { try closeOpen() }
  }

  private func addBad(
    _ error: LedgerError, token: TransactionToken.Finding
  ) throws(LedgerError) {
    note(error)
    switch token {
    case .token(let token) where open?.token == token: open?.badLines += 1
    case .token(let token):
      try closeOpen()
      open = Batch(token: token, badLines: 1)
    case .unreadable where open?.token != nil: open?.doubtful += 1
    case .none, .unreadable:
      try closeOpen()
      summary.dropped += 1
    }
    guard !continues else { return }
    // Whether an open transaction ends before the bad line cannot be known: it stays out.
    stopped = true
    drop(open)
    open = nil
    try flush()
  }

  private func note(_ error: LedgerError) {
    if summary.errors.count < Self.errorsKept { summary.errors.append(error) }
    onBadLine(error)
  }

  private func drop(_ batch: Batch?) {
    guard let batch else { return }
    summary.dropped += batch.commands.count + batch.badLines + batch.doubtful
  }

  private func closeOpen() throws(LedgerError) {
    guard let batch = open else { return }
    open = nil
    summary.dropped += batch.doubtful
    if batch.badLines > 0 {
      var whole = batch
      whole.doubtful = 0
      drop(whole)
      return
    }
    ready.append(batch)
    readyCommands += batch.commands.count
    if readyCommands >= Self.commandsPerSync { try flush() }
  }

  /// Appends and syncs what is complete.
  package func flush() throws(LedgerError) {
    while !ready.isEmpty {
      let batches = ready
      ready = []
      readyCommands = 0
      let (outcome, used) = try appendGroup(batches)
      summary.lines += outcome.lines
      summary.events += outcome.events
      summary.unchanged += outcome.unchanged
      summary.dropped += outcome.dropped
      if outcome.stops {
        stopped = true
        for batch in batches[used...] { summary.dropped += batch.commands.count }
        drop(open)
        open = nil
        return
      }
    }
  }

  /// What one group did.
  private struct Outcome {
    var lines = 0
    var events = 0
    var unchanged = 0
    var dropped = 0
    var stops = false
  }

  private func appendGroup(_ batches: [Batch]) throws(LedgerError) -> (Outcome, used: Int) {
    var errors: [LedgerError] = []
    let continues = continues
    let author = ledger.author
    do {
      let isBulk = batches.count >= Self.bulkBatchesMin
      let result = try ledger.appendGroup(isBulk: isBulk) { group -> (Outcome, Int) in
        var outcome = Outcome()
        for (index, batch) in batches.enumerated() {
          do {
            try group.transaction(author: author) { transaction in
              try Self.perform(batch, in: transaction, &outcome)
            }
            outcome.lines += batch.commands.count
          } catch let refused as RefusedLine {
            errors.append(refused.error)
            outcome.dropped += batch.commands.count
            if !continues {
              outcome.stops = true
              return (outcome, index + 1)
            }
          }
        }
        return (outcome, batches.count)
      }
      for error in errors { note(error) }
      return result
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  /// A line that the rules refuse when it is carried out.
  private struct RefusedLine: Error {
    var error: LedgerError
  }

  private static func perform(
    _ batch: Batch, in transaction: Transaction, _ outcome: inout Outcome
  ) throws {
    var unchanged = 0
    var line = 0
    do throws(LedgerError) {
      for (number, command) in batch.commands {
        line = number
        if try transaction.perform(command) == nil { unchanged += 1 }
      }
    } catch {
      guard error.code == .invalid || error.code == .noSuchTask else { throw error }
      var bad = error
      bad.code = .badLine
      bad.sentence = "line \(line): \(error.sentence)"
      throw RefusedLine(error: bad)
    }
    outcome.unchanged += unchanged
    outcome.events += transaction.events.count
  }

  /// Ends the stream: what is complete is appended and synced.
  package func finish() throws(LedgerError) -> Summary {
    if !stopped {
      try closeOpen()
      try flush()
    }
    return summary
  }
}
