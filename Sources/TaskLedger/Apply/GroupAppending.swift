import LedgerFormat
import Synchronization

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
  private let result = Mutex<Result<Outcome, LedgerError>?>(nil)

  /// With as many transactions at a time the stream is a bulk load.
  private static let bulkBatchesMin = 1024

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
      return try ledger.appendGroup(isBulk: lines.batches.count >= Self.bulkBatchesMin) { group in
        var outcome = Outcome()
        try group.prefetch(lines.lines.lazy.map(\.command))
        for batch in lines.batches {
          guard !outcome.stops else { break }
          try carryOut(batch, of: lines, in: group, &outcome)
        }
        outcome.events = group.eventCount
        return outcome
      }
    } catch {
      throw LedgerError.wrapping(error)
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
      outcome.dropped += batch.lineCount
      outcome.stops = !continues
      let errors = refused.errors + batch.errors
      outcome.bad += continues ? batch.badCount + refused.errors.count : 1
      outcome.errors.append(contentsOf: continues ? errors : Array(errors.prefix(1)))
    }
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
    if batch.badCount == 0, batch.places.count == 1 {
      let line = lines.lines[batch.places.lowerBound]
      do throws(LedgerError) {
        return try group.perform(line.command) ? 0 : 1
      } catch {
        throw try Self.refused(error, line: line.number)
      }
    }
    return try group.transaction(author: ledger.author) { transaction in
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
