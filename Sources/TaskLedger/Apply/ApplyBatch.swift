import LedgerFormat

/// Consecutive lines of a command stream that are one transaction, or cannot be.
///
/// Invariants:
/// - a batch with a bad line is never carried out;
/// - of a batch with a bad line, only the lines before it are kept, and no more than `errorsKept` errors: however long it is, it
///   costs no more; of one that is too large none are.
struct ApplyBatch: Sendable {
  /// What the lines have in common; nil for a line of its own.
  let token: TransactionToken?
  /// Its readable lines; with a bad line, those before it.
  private(set) var lines = HeldLines()
  /// The number of its first line.
  private(set) var firstNumber: Int?
  /// How many of its lines can be read.
  private(set) var readableCount = 0
  /// The bytes of its readable lines.
  private(set) var byteCount = 0
  /// The errors of lines that belong to it and cannot be carried out.
  private(set) var bad: [LedgerError] = []
  /// How many lines are bad.
  private(set) var badCount = 0

  /// No more errors than this are kept of a transaction; all lines are counted.
  private static let errorsKept = 100
  /// A transaction is at most so many lines, those that change nothing included.
  private static let linesMax = Limits.transactionEventsMax
  /// And so many bytes of lines: one of the largest size, with room for what is not its content.
  private static let bytesMax = 2 * Limits.transactionBytesMax

  init(token: TransactionToken? = nil) { self.token = token }

  /// The errors of its bad lines; where they are very many the last one counts the others.
  var errors: [LedgerError] {
    guard badCount > bad.count else { return bad }
    let others = LedgerError(
      .badLine,
      "\(badCount - bad.count) more lines \(bad.isEmpty ? "there" : "of the same transaction") are bad",
      hint: "mend the lines before them first")
    return bad + [others]
  }

  /// How many lines are lost with it.
  var lineCount: Int { readableCount + badCount }

  /// Takes a readable line.
  ///
  /// - Parameter command: what it asks for.
  /// - Returns: whether the line is kept.
  mutating func add(
    number: Int, _ bytes: ArraySlice<UInt8>, _ command: () -> Command
  ) -> Bool {
    firstNumber = firstNumber ?? number
    guard badCount == 0 else {
      readableCount += 1
      return false
    }
    guard readableCount < Self.linesMax, byteCount + bytes.count <= Self.bytesMax else {
      addBad(Self.tooLarge(number))
      // Whatever they ask for, it is refused.
      lines.removeAll()
      return false
    }
    readableCount += 1
    byteCount += bytes.count
    lines.append(number: number, bytes, command)
    return true
  }

  private static func tooLarge(_ number: Int) -> LedgerError {
    var error = LedgerError(
      .badLine,
      "line \(number): the transaction has more than \(linesMax) lines or \(bytesMax) bytes of lines",
      hint: "split it into smaller ones")
    error.line = number
    return error
  }

  /// Takes a bad line that belongs to it, or may.
  mutating func addBad(_ error: LedgerError) {
    badCount += 1
    if bad.count < Self.errorsKept { bad.append(error) }
  }
}
