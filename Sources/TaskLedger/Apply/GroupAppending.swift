import LedgerFormat

/// Carries out the lines of a group, which share one sync, on a thread of its own.
///
/// Invariants:
/// - a group's lines are carried out once all lines before them have been, and were not the last;
/// - a group is not appended when the one before it was not.
final class GroupAppending: Sendable {
  /// What one group did.
  struct Outcome: Sendable {
    var lines = 0
    var events = 0
    var unchanged = 0
    var dropped = 0
    var bad = 0
    var errors: [LedgerError] = []
    /// Whether it met the bad line at which the stream stops.
    var stops = false
    /// Then the first line that is not in, where that is before the bad one.
    var goesOnAt: Int?
  }

  private let ledger: Ledger
  /// What only tries the lines; nil: they are appended to the ledger.
  private let rehearsal: Rehearsal?
  private let continues: Bool
  private let lines: ApplyGroup
  private let thread = BackgroundWork()
  /// The epoch of the ledger's writers in which the lines were carried out; nil when the stream does not go on behind them.
  private let carriedOut = Awaited<Int?>()
  /// The same of the group before it, which itself need not be kept.
  private let previous: Awaited<Int?>?
  private let result = Awaited<Result<Outcome, LedgerError>>()

  /// With as many transactions at a time the stream is a bulk load.
  private static let bulkTransactionsMin = 1024

  /// - Parameters:
  ///   - rehearsal: what only tries the lines; nil: they are appended to the ledger.
  ///   - continues: whether to go on after a bad line, without its whole transaction.
  ///   - previous: the group before it, if it may still be under way.
  init(
    _ lines: ApplyGroup, to ledger: Ledger, trying rehearsal: Rehearsal?, continues: Bool,
    after previous: GroupAppending?
  ) {
    self.lines = lines
    self.ledger = ledger
    self.rehearsal = rehearsal
    self.continues = continues
    self.previous = previous?.carriedOut
  }

  /// Starts to append the group.
  func start() {
    // A rehearsal waits for no disk.
    guard rehearsal == nil, thread.start({ [self] in append() }) else { return append() }
  }

  /// Waits until the group is appended and synced.
  ///
  /// - Throws: `LedgerError` when it could not be appended.
  func finish() throws(LedgerError) -> Outcome { try result.wait().get() }

  private func append() {
    var epoch: Int?
    if let previous {
      epoch = previous.wait()
      guard epoch != nil else {
        carriedOut.leave(nil)
        return result.leave(.success(Outcome()))
      }
    }
    let outcome = Result { () throws(LedgerError) in try carryOut(inEpoch: epoch) }
    carriedOut.leave(nil)
    result.leave(outcome)
  }

  /// - Parameter epoch: that of the group before it, which was not appended when another has begun.
  private func carryOut(inEpoch epoch: Int?) throws(LedgerError) -> Outcome {
    do {
      return try appendGroup { group in
        guard epoch == nil || epoch == group.epoch else {
          throw LedgerError(.io, "the lines before these could not be appended", hint: "try again")
        }
        var outcome = Outcome()
        try group.prefetch(lines.needs)
        for transaction in lines.transactions {
          guard !outcome.stops else { break }
          switch transaction {
          case .line(let line): try carryOut(line, in: group, &outcome)
          case .batch(let batch): try carryOut(batch, in: group, &outcome)
          }
        }
        outcome.events = group.eventCount
        carriedOut.leave(outcome.stops ? nil : group.epoch)
        return outcome
      }
    } catch {
      throw LedgerError.wrapping(error)
    }
  }

  private func appendGroup(_ body: (TransactionGroup) throws -> Outcome) throws -> Outcome {
    if let rehearsal { return try rehearsal.appendGroup(body) }
    let isBulk = lines.transactions.count >= Self.bulkTransactionsMin
    return try ledger.appendGroup(isBulk: isBulk, body)
  }

  /// Carries out a line that is a transaction of its own.
  private func carryOut(
    _ line: ApplyGroup.Line, in group: TransactionGroup, _ outcome: inout Outcome
  ) throws(LedgerError) {
    do {
      if try !group.perform(line.command) { outcome.unchanged += 1 }
      outcome.lines += 1
    } catch {
      note(try Self.refused(error, line: line.number), lineCount: 1, bad: 1, &outcome)
    }
  }

  /// Carries out a batch as one transaction; nothing of it when a line is bad.
  private func carryOut(
    _ batch: ApplyBatch, in group: TransactionGroup, _ outcome: inout Outcome
  ) throws {
    do {
      outcome.unchanged += try perform(batch, in: group)
      outcome.lines += batch.lineCount
    } catch let refused as RefusedBatch {
      if !continues { outcome.goesOnAt = batch.firstNumber }
      let both = RefusedBatch(errors: refused.errors + batch.errors)
      note(
        both, lineCount: batch.lineCount, bad: batch.badCount + refused.errors.count, &outcome)
    }
  }

  private func note(
    _ refused: RefusedBatch, lineCount: Int, bad: Int, _ outcome: inout Outcome
  ) {
    outcome.dropped += lineCount
    outcome.stops = !continues
    outcome.bad += continues ? bad : 1
    outcome.errors.append(contentsOf: continues ? refused.errors : Array(refused.errors.prefix(1)))
  }

  /// A batch with a bad line: what it would have done is taken back.
  private struct RefusedBatch: Error {
    /// The error of a line that the rules refuse when it is carried out.
    var errors: [LedgerError] = []
  }

  /// - Returns: how many lines changed nothing.
  private func perform(
    _ batch: ApplyBatch, in group: TransactionGroup
  ) throws -> Int {
    try group.transaction(author: ledger.author) { transaction in
      var unchanged = 0
      var isFirst = true
      try batch.lines.forEachPortion(ledger.command) { portion in
        // What the first ones need was read together with that of other transactions.
        if !isFirst { try transaction.prefetch(portion.map(\.command)) }
        isFirst = false
        for line in portion {
          do throws(LedgerError) {
            if try transaction.perform(line.command) == nil { unchanged += 1 }
          } catch {
            throw try Self.refused(error, line: line.number)
          }
        }
      }
      guard batch.badCount == 0 else { throw RefusedBatch() }
      return unchanged
    }
  }

  /// The refusal of a line for what the rules say of it.
  ///
  /// - Throws: any other error.
  private static func refused(
    _ error: LedgerError, line: Int
  ) throws(LedgerError) -> RefusedBatch {
    guard error.code == .invalid || error.code == .noSuchTask else { throw error }
    var bad = error
    bad.code = .badLine
    bad.sentence = "line \(line): \(error.sentence)"
    bad.line = line
    return RefusedBatch(errors: [bad])
  }
}

extension Ledger {
  /// What a line asks for, by whoever applies it where it names no author.
  func command(_ line: ApplyLine) -> Command {
    Command(
      line.kind, line.task ?? configuration.makeID(), line.changes, time: line.time,
      author: line.author ?? author, message: line.message)
  }
}
