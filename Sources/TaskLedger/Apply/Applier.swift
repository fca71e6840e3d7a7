import LedgerCore
import LedgerFormat
import LedgerStorage

/// Appends a stream of commands, one JSON line each.
///
/// Consecutive lines with the same transaction token are one transaction; a line without one is its own. Many transactions share one
/// sync, and what has been flushed is durable. While one group is appended on a thread of its own, the lines of the next are read.
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

  private let ledger: Ledger
  private let continues: Bool
  private let onBadLine: (LedgerError) -> Void
  private var open: ApplyBatch?
  private var ready: [ApplyBatch] = []
  private var readyLines = 0
  private var stopped = false
  private let appending = BackgroundWork()
  private let appended = Appended()
  package private(set) var summary = Summary()

  /// As many lines at most share one sync.
  private static let linesPerSync = 2048
  /// With as many transactions at a time the stream is a bulk load.
  private static let bulkBatchesMin = 1024
  /// No more bad lines than this are kept; all are counted and handed to `onBadLine`.
  private static let errorsKept = 100

  /// - Parameters:
  ///   - continues: whether to go on after a bad line, without its whole transaction.
  ///   - onBadLine: called with the error of each bad line, in their order, once what stands before it is appended.
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
    if let token = line.transaction, open?.token == token {
      open?.add((number, command))
      return
    }
    try closeOpen()
    guard !stopped else { return }
    open = ApplyBatch((number, command), token: line.transaction)
    if line.transaction == nil { try closeOpen() }
  }

  private func addBad(
    _ error: LedgerError, token: TransactionToken.Finding
  ) throws(LedgerError) {
    switch token {
    case .token(let token) where open?.token == token:
      open?.settleDoubt()
      open?.bad.append(error)
    case .token(let token):
      try closeOpen()
      open = ApplyBatch(bad: error, token: token)
    case .unreadable where open?.token != nil: open?.doubtful.append(error)
    case .none, .unreadable:
      try closeOpen()
      try makeReady(ApplyBatch(bad: error))
    }
    guard !continues else { return }
    // Whether an open transaction ends before the bad line cannot be known: it stays out.
    open?.settleDoubt()
    try closeOpen()
    try flush()
    stopped = true
  }

  private func closeOpen() throws(LedgerError) {
    guard var batch = open else { return }
    open = nil
    let others = batch.doubtful
    batch.doubtful = []
    try makeReady(batch)
    for error in others { try makeReady(ApplyBatch(bad: error)) }
  }

  private func makeReady(_ batch: ApplyBatch) throws(LedgerError) {
    ready.append(batch)
    readyLines += batch.lineCount
    if readyLines >= Self.linesPerSync { try startAppending() }
  }

  private func note(_ error: LedgerError) {
    if summary.errors.count < Self.errorsKept { summary.errors.append(error) }
    onBadLine(error)
  }

  /// Appends and syncs what is complete.
  package func flush() throws(LedgerError) {
    try startAppending()
    try finishAppending()
  }

  /// Hands what is complete to the thread that appends, once that has done what it was handed before.
  private func startAppending() throws(LedgerError) {
    try finishAppending()
    let batches = ready
    ready = []
    readyLines = 0
    guard !batches.isEmpty, !stopped else { return }
    let work: @Sendable () -> Void = { [ledger, continues, appended] in
      appended.set(
        Result { () throws(LedgerError) in
          try Self.appendGroup(batches, to: ledger, continues: continues)
        })
    }
    if !appending.start(work) { work() }
  }

  /// Waits for what was handed over, and takes note of what became of it.
  private func finishAppending() throws(LedgerError) {
    appending.wait()
    guard let outcome = try appended.take()?.get() else { return }
    summary.lines += outcome.lines
    summary.events += outcome.events
    summary.unchanged += outcome.unchanged
    summary.dropped += outcome.dropped
    for error in outcome.errors { note(error) }
    guard outcome.stops else { return }
    // Lines behind the one at which the stream stops are as good as never read.
    stopped = true
    open = nil
  }

  /// What one group did.
  private struct Outcome: Sendable {
    var lines = 0
    var events = 0
    var unchanged = 0
    var dropped = 0
    var errors: [LedgerError] = []
    /// Whether it met the bad line at which the stream stops.
    var stops = false
  }

  /// Where the thread that appends leaves what became of a group.
  private final class Appended: Sendable {
    private let result = Guarded<Result<Outcome, LedgerError>?>(nil)

    func set(_ value: Result<Outcome, LedgerError>) { result.withLock { $0 = value } }

    func take() -> Result<Outcome, LedgerError>? {
      result.withLock { result in
        defer { result = nil }
        return result
      }
    }
  }

  private static func appendGroup(
    _ batches: [ApplyBatch], to ledger: Ledger, continues: Bool
  ) throws(LedgerError) -> Outcome {
    let author = ledger.author
    do {
      return try ledger.appendGroup(isBulk: batches.count >= bulkBatchesMin) { group in
        var outcome = Outcome()
        try group.prefetch(batches.lazy.flatMap(\.lines).map(\.command))
        for batch in batches {
          guard !outcome.stops else { break }
          let errors = try append(batch, to: group, author: author, &outcome)
          outcome.errors.append(contentsOf: continues ? errors : Array(errors.prefix(1)))
          outcome.stops = !continues && !errors.isEmpty
        }
        return outcome
      }
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  /// A line that the rules refuse when it is carried out.
  private struct RefusedLine: Error {
    var error: LedgerError
  }

  /// What a batch with a bad line would have done is taken back.
  private struct Trial: Error {}

  /// Appends a batch as one transaction.
  ///
  /// - Returns: the errors of its bad lines, in order; with any, nothing of it is appended.
  private static func append(
    _ batch: ApplyBatch, to group: TransactionGroup, author: String, _ outcome: inout Outcome
  ) throws -> [LedgerError] {
    do {
      try group.transaction(author: author) { transaction in
        let isWhole = batch.bad.isEmpty
        let lines = isWhole ? batch.lines[...] : batch.lines.prefix(batch.linesBeforeBad)
        let unchanged = try perform(lines, in: transaction)
        guard isWhole else { throw Trial() }
        outcome.unchanged += unchanged
        outcome.events += transaction.events.count
      }
      outcome.lines += batch.lines.count
      return []
    } catch let refused as RefusedLine {
      outcome.dropped += batch.lineCount
      return [refused.error] + batch.bad
    } catch is Trial {
      outcome.dropped += batch.lineCount
      return batch.bad
    }
  }

  /// Carries lines out.
  ///
  /// - Returns: how many of them changed nothing.
  private static func perform(
    _ lines: ArraySlice<ApplyBatch.Line>, in transaction: Transaction
  ) throws -> Int {
    var unchanged = 0
    var line = 0
    do throws(LedgerError) {
      for (number, command) in lines {
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
    return unchanged
  }

  /// Ends the stream: what is complete is appended and synced.
  package func finish() throws(LedgerError) -> Summary {
    if !stopped { try closeOpen() }
    try flush()
    return summary
  }
}
