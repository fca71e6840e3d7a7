import LedgerFormat

/// Consecutive lines of a command stream that are one transaction, or cannot be.
///
/// Invariants:
/// - a batch with a bad line is never carried out;
/// - `doubtful` is empty but in the batch that is still open;
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
  /// The errors of lines behind it of which only the next line tells whether they belong to it.
  private(set) var doubtful: [LedgerError] = []
  private var doubtfulCount = 0

  /// No more errors than this are kept of a transaction; all lines are counted.
  private static let errorsKept = 100
  /// A transaction is at most so many lines, those that change nothing included.
  private static let linesMax = Limits.transactionEventsMax
  /// And so many bytes of lines: one of the largest size, with room for what is not its content.
  private static let bytesMax = 2 * Limits.transactionBytesMax

  /// An empty batch.
  ///
  /// - Parameter badCount: how many bad lines it has of which nothing else is known.
  init(token: TransactionToken? = nil, badCount: Int = 0) {
    self.token = token
    self.badCount = badCount
  }

  /// Whether lines stand behind it that may belong to it and are bad.
  var isInDoubt: Bool { doubtfulCount > 0 }

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

  /// Takes a readable line, which shows that the lines in doubt belong here, too.
  ///
  /// - Parameter command: what it asks for.
  /// - Returns: whether the line is kept.
  mutating func add(
    number: Int, _ bytes: ArraySlice<UInt8>, _ command: () -> Command
  ) -> Bool {
    settleDoubt()
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

  /// Takes a bad line that belongs to it.
  mutating func addBad(_ error: LedgerError) {
    badCount += 1
    if bad.count < Self.errorsKept { bad.append(error) }
  }

  /// Takes a bad line that may belong to it.
  mutating func addDoubtful(_ error: LedgerError) {
    doubtfulCount += 1
    if doubtful.count < Self.errorsKept { doubtful.append(error) }
  }

  /// Holds the lines in doubt to be its own.
  mutating func settleDoubt() {
    badCount += doubtfulCount
    bad.append(contentsOf: doubtful.prefix(Self.errorsKept - bad.count))
    _ = takeDoubtful()
  }

  /// Gives up the lines in doubt.
  ///
  /// - Returns: their errors, and how many lines have none.
  mutating func takeDoubtful() -> (errors: [LedgerError], withoutError: Int) {
    defer {
      doubtful = []
      doubtfulCount = 0
    }
    return (doubtful, doubtfulCount - doubtful.count)
  }
}
