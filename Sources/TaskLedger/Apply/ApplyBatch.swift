import LedgerFormat

/// Consecutive lines of a command stream that are one transaction, or cannot be.
///
/// Invariants:
/// - a batch with a bad line is never carried out;
/// - `doubtful` is empty but in the batch that is still open.
struct ApplyBatch {
  /// A line and what it asks for.
  typealias Line = (number: Int, command: Command)

  /// What the lines have in common; nil for a line of its own.
  var token: TransactionToken?
  var lines: [Line] = []
  /// The errors of lines that belong to it and cannot be read.
  var bad: [LedgerError] = []
  /// The errors of lines behind it of which only the next line tells whether they belong to it.
  var doubtful: [LedgerError] = []
  /// How many of the lines stand before the first bad one.
  private(set) var linesBeforeBad = 0

  /// A batch of one readable line so far.
  init(_ line: Line, token: TransactionToken?) {
    self.token = token
    lines = [line]
    linesBeforeBad = 1
  }

  /// A batch of one bad line so far.
  init(bad error: LedgerError, token: TransactionToken? = nil) {
    self.token = token
    bad = [error]
  }

  /// How many lines are lost with it.
  var lineCount: Int { lines.count + bad.count + doubtful.count }

  /// Adds a line, which shows that the lines in doubt belong here, too.
  mutating func add(_ line: Line) {
    settleDoubt()
    lines.append(line)
    if bad.isEmpty { linesBeforeBad += 1 }
  }

  /// Holds the lines in doubt to be its own.
  mutating func settleDoubt() {
    bad.append(contentsOf: doubtful)
    doubtful = []
  }
}
