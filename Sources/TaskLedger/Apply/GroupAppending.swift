import LedgerFormat

/// Carries out the lines of one group after the other, each group under one sync.
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
  }

  private let ledger: Ledger
  private let continues: Bool
  private let result = Guarded<Result<Outcome, LedgerError>?>(nil)

  /// With as many transactions at a time the stream is a bulk load.
  private static let bulkTransactionsMin = 1024

  /// - Parameter continues: whether to go on after a bad line, without its whole transaction.
  init(_ ledger: Ledger, continues: Bool) {
    self.ledger = ledger
    self.continues = continues
  }

  /// What became of the last group; nil when that was asked before.
  func takeOutcome() throws(LedgerError) -> Outcome? {
    let result = result.withLock { result in
      defer { result = nil }
      return result
    }
    return try result?.get()
  }

  /// Appends and syncs a group.
  func append(_ group: ApplyGroup) {
    let outcome = Result { () throws(LedgerError) in try carryOut(group) }
    result.withLock { $0 = outcome }
  }

  private func carryOut(_ lines: ApplyGroup) throws(LedgerError) -> Outcome {
    do {
      return try ledger.appendGroup(isBulk: lines.transactions.count >= Self.bulkTransactionsMin) {
        group in
        var outcome = Outcome()
        try group.prefetch(lines.lines.lazy.map(\.command))
        for transaction in lines.transactions {
          guard !outcome.stops else { break }
          switch transaction {
          case .line(let place): try carryOut(lines.lines[place], in: group, &outcome)
          case .batch(let batch): try carryOut(batch, of: lines, in: group, &outcome)
          }
        }
        outcome.events = group.eventCount
        return outcome
      }
    } catch {
      throw LedgerError.wrapping(error)
    }
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
    _ batch: ApplyBatch, of lines: ApplyGroup, in group: TransactionGroup, _ outcome: inout Outcome
  ) throws {
    do {
      outcome.unchanged += try perform(batch, of: lines, in: group)
      outcome.lines += batch.lineCount
    } catch let refused as RefusedBatch {
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
    _ batch: ApplyBatch, of lines: ApplyGroup, in group: TransactionGroup
  ) throws -> Int {
    try group.transaction(author: ledger.author) { transaction in
      var unchanged = 0
      for line in lines.lines[batch.places] {
        do throws(LedgerError) {
          if try transaction.perform(line.command) == nil { unchanged += 1 }
        } catch {
          throw try Self.refused(error, line: line.number)
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
    return RefusedBatch(errors: [bad])
  }
}
