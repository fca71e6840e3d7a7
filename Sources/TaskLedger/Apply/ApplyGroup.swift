import LedgerFormat

/// A transaction of a command stream.
enum ApplyTransaction: Sendable {
  /// The line at this place of the group.
  case line(Int)
  case batch(ApplyBatch)
}

/// Lines of a command stream that are appended together, and which of them are one transaction.
struct ApplyGroup: Sendable {
  /// A line and what it asks for.
  typealias Line = (number: Int, command: Command)

  /// Readable lines, batch by batch.
  private(set) var lines: [Line] = []
  private(set) var transactions: [ApplyTransaction] = []
  /// How many lines there are, bad ones too.
  private(set) var lineCount = 0
  /// The bytes of the lines as they were read.
  private(set) var byteCount = 0

  /// Adds a readable line to the batch that is open.
  mutating func add(_ line: Line, byteCount: Int) {
    lines.append(line)
    self.byteCount += byteCount
  }

  /// Adds a readable line that is a transaction of its own.
  mutating func addAlone(_ line: Line, byteCount: Int) {
    transactions.append(.line(lines.count))
    add(line, byteCount: byteCount)
    lineCount += 1
  }

  /// Closes the open batch, which holds the lines from a place on.
  mutating func close(_ batch: ApplyBatch) {
    transactions.append(.batch(batch))
    lineCount += batch.lineCount
  }

  /// Takes the closed batches and their lines out; the lines of an open one stay.
  mutating func takeClosed(before open: inout ApplyBatch?) -> ApplyGroup {
    var taken = self
    self = ApplyGroup()
    if let start = open?.places.lowerBound {
      lines = Array(taken.lines[start...])
      byteCount = open?.byteCount ?? 0
      taken.lines.removeSubrange(start...)
      open?.moveToStart()
    }
    return taken
  }
}
