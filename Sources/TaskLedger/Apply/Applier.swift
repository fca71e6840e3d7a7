import LedgerFormat
import LedgerStorage

/// Appends a stream of commands, one JSON line each.
///
/// Consecutive lines with the same transaction token are one transaction; a line without one is its own. Many transactions share one
/// sync, and what has been flushed is durable. A line that is so broken that not even its transaction can be told may belong to the one
/// before it and to the one behind it: both are left out, so that none is ever half there. While one group is appended on a thread of its own, the lines of the next are read.
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
    /// Lines that are bad; one at most unless the stream goes on after them.
    package var bad = 0
    /// Where the stream stopped at a bad line: the first line that is not in, where that stands before the bad one.
    package var goesOnAt: Int?

    package init() {}
  }

  private let ledger: Ledger
  /// What only tries the stream; nil: it is appended.
  private let rehearsal: Rehearsal?
  private let continues: Bool
  private let onBadLine: (LedgerError) -> Void
  private var open: ApplyBatch?
  /// Whether the line before the next one may belong to any transaction.
  private var followsUnreadable = false
  private var group = ApplyGroup()
  private var stopped = false
  /// The groups that are being appended, oldest first.
  private var underWay: [GroupAppending] = []
  package private(set) var summary = Summary()

  /// As many lines at most share one sync.
  private static let linesPerSync = 2048
  /// In a long log: what the lines need of it lies far apart, and is read together.
  private static let linesPerSyncMax = 1 << 15
  /// Or as many bytes of lines, the last of them left aside.
  private static let bytesPerSync = 4 << 20
  private let eventsBefore: UInt64
  /// While one group is written and synced, the lines of the next are carried out.
  private static let groupsUnderWay = 2

  /// - Parameters:
  ///   - rehearsal: what only tries the stream, so that nothing is appended; nil: it is appended.
  ///   - continues: whether to go on after a bad line, without its whole transaction.
  ///   - onBadLine: called with the errors of bad lines, in their order, once what stands before them is appended. Of very many
  ///     bad lines of one transaction the first are described, and one error counts the others.
  package init(
    _ ledger: Ledger, trying rehearsal: Rehearsal? = nil, continues: Bool = false,
    onBadLine: @escaping (LedgerError) -> Void = { _ in }
  ) {
    self.ledger = ledger
    self.rehearsal = rehearsal
    self.continues = continues
    self.onBadLine = onBadLine
    // Where the log cannot be read, the first line tells.
    eventsBefore = (try? ledger.lastSequence) ?? 0
  }

  /// Takes the next line.
  ///
  /// - Returns: false when the stream stops here, after a bad line.
  package func add(_ line: LineSplitter.Line) throws -> Bool {
    guard !stopped else { return false }
    do throws(LedgerError) {
      try add(try ApplyLine(line), line)
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

  private func add(_ parsed: ApplyLine, _ line: LineSplitter.Line) throws(LedgerError) {
    let followsUnreadable = followsUnreadable
    self.followsUnreadable = false
    guard let token = parsed.transaction else {
      if open != nil { try closeOpen() }
      guard !stopped else { return }
      group.add((line.number, ledger.command(parsed)), byteCount: line.bytes.count)
      return try appendIfFull()
    }
    if open?.token != token {
      try closeOpen()
      guard !stopped else { return }
      open = ApplyBatch(token: token)
      if followsUnreadable {
        open?.addBad(Self.mayBeCut(line.number))
        return
      }
    }
    let isKept = open?.add(number: line.number, line.bytes) { ledger.command(parsed) }
    if isKept != true { try stopUnlessContinuing() }
  }

  private func addBad(
    _ error: LedgerError, token: TransactionToken.Finding
  ) throws(LedgerError) {
    followsUnreadable = token == .unreadable
    switch token {
    case .unreadable where open != nil: break
    case .token(let token) where open?.token == token: break
    case .token(let token):
      try closeOpen()
      open = ApplyBatch(token: token)
    case .none, .unreadable:
      try closeOpen()
      var alone = ApplyBatch()
      alone.addBad(error)
      group.add(alone)
      try appendIfFull()
      return try stopUnlessContinuing()
    }
    open?.addBad(error)
    try stopUnlessContinuing()
  }

  private static func mayBeCut(_ line: Int) -> LedgerError {
    var error = LedgerError(
      .badLine,
      "line \(line): the line before it cannot be read, and may be the first of this transaction, which is left out",
      hint: "mend the line before it, and apply both again")
    error.line = line
    return error
  }

  private func stopUnlessContinuing() throws(LedgerError) {
    guard !continues, !stopped, open.map({ $0.badCount > 0 }) ?? true else { return }
    // Whether an open transaction ends before the bad line cannot be known: it stays out.
    try closeOpen()
    try flush()
    stopped = true
  }

  private func closeOpen() throws(LedgerError) {
    guard let batch = open else { return }
    open = nil
    group.add(batch)
    try appendIfFull()
  }

  private var linesPerSync: Int {
    let events = Int(clamping: eventsBefore) + summary.events
    return min(max(Self.linesPerSync, events / 100), Self.linesPerSyncMax)
  }

  private func appendIfFull() throws(LedgerError) {
    if group.lineCount >= linesPerSync || group.byteCount >= Self.bytesPerSync {
      try startAppending()
    }
  }

  /// Waits for what is under way where the stream ends in an error of its own, so that the summary tells what is in.
  package func finishUnderWay() { try? finishAppending(but: 0) }

  /// Appends and syncs what is complete.
  package func flush() throws(LedgerError) {
    try startAppending()
    try finishAppending(but: 0)
  }

  /// Has what is complete appended, once few enough groups are under way.
  private func startAppending() throws(LedgerError) {
    try finishAppending(but: Self.groupsUnderWay - 1)
    guard !stopped, !group.transactions.isEmpty else { return }
    let appending = GroupAppending(
      group, to: ledger, trying: rehearsal, continues: continues, after: underWay.last)
    group = ApplyGroup()
    underWay.append(appending)
    appending.start()
  }

  /// Waits until all but some of the groups under way are appended, and takes note of what became of them.
  private func finishAppending(but count: Int) throws(LedgerError) {
    while underWay.count > count {
      let outcome: GroupAppending.Outcome
      do throws(LedgerError) {
        outcome = try underWay.removeFirst().finish()
      } catch {
        // What follows was not appended either.
        for appending in underWay { _ = try? appending.finish() }
        underWay = []
        throw error
      }
      take(outcome)
    }
  }

  private func take(_ outcome: GroupAppending.Outcome) {
    summary.lines += outcome.lines
    summary.events += outcome.events
    summary.unchanged += outcome.unchanged
    summary.dropped += outcome.dropped
    summary.bad += outcome.bad
    summary.goesOnAt = summary.goesOnAt ?? outcome.goesOnAt
    for error in outcome.errors { onBadLine(error) }
    guard outcome.stops else { return }
    // Lines behind the one at which the stream stops are as good as never read.
    stopped = true
    open = nil
  }

  /// Ends the stream: what is complete is appended and synced.
  package func finish() throws(LedgerError) -> Summary {
    if !stopped { try closeOpen() }
    try flush()
    return summary
  }
}
