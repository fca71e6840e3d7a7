import LedgerFormat

/// A transaction of a command stream.
enum ApplyTransaction: Sendable {
  /// A line of its own.
  case line(ApplyGroup.Line)
  case batch(ApplyBatch)
}

/// Transactions of a command stream that are appended together.
struct ApplyGroup: Sendable {
  /// A line and what it asks for.
  typealias Line = (number: Int, command: Command)

  private(set) var transactions: [ApplyTransaction] = []
  /// How many lines there are, bad ones too.
  private(set) var lineCount = 0
  /// The bytes of the lines as they were read.
  private(set) var byteCount = 0
  /// What the lines need of their tasks; of long transactions the first ones.
  private(set) var needs: [TaskNeed] = []

  /// Adds a readable line that is a transaction of its own.
  mutating func add(_ line: Line, byteCount: Int) {
    transactions.append(.line(line))
    needs.append(TaskNeed(line.command))
    lineCount += 1
    self.byteCount += byteCount
  }

  /// Adds lines that are one transaction, or cannot be.
  mutating func add(_ batch: ApplyBatch) {
    transactions.append(.batch(batch))
    for line in batch.lines.first { needs.append(TaskNeed(line.command)) }
    lineCount += batch.lineCount
    byteCount += batch.byteCount
  }
}
