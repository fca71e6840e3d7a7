import LedgerCore

/// One line of a command stream: what to do to one task.
///
/// ```json
/// {"kind":"upsert","task":"123abc","set":{"body":"Get milk"},"time":"2026-11-30T12:00:00.123Z","author":"ann"}
/// ```
///
/// Invariants:
/// - `task` is missing only from an upsert: it is then to get a new id;
/// - `changes` is empty but for upsert and update;
/// - `author`, if given, has 1 to 256 bytes and no control character.
package struct ApplyLine: Sendable {
  /// What to do.
  package var kind: EventKind
  /// To which task; nil: to a new one.
  package var task: TaskID?
  /// The fields to set and unset.
  package var changes: ChangeSet
  /// When it happened; nil: now.
  package var time: LedgerTime?
  /// Who did it; nil: whoever runs the command.
  package var author: String?
  /// Why.
  package var message: String?
  /// Consecutive lines with the same token are one transaction; nil: the line is its own.
  package var transaction: TransactionToken?

  /// Reads the bytes of a line.
  ///
  /// - Parameter number: The number of the line for messages; nil where there is none.
  /// - Throws: `LedgerError` with code `badLine` that gives line, column and field where they are known.
  package init(_ line: ArraySlice<UInt8>, number: Int? = nil) throws(LedgerError) {
    do {
      self = try JSONScanner.scan(line) { (scanner) throws(JSONProblem) in
        var reader = ApplyLineReader()
        try reader.readMembers(&scanner)
        return try reader.line()
      }
    } catch {
      throw error.error(.badLine, line: number)
    }
  }

  /// Reads a line of a stream.
  package init(_ line: LineSplitter.Line) throws(LedgerError) {
    try self.init(line.bytes, number: line.number)
  }

  init(
    kind: EventKind, task: TaskID?, changes: ChangeSet, time: LedgerTime?, author: String?,
    message: String?, transaction: TransactionToken?
  ) {
    self.kind = kind
    self.task = task
    self.changes = changes
    self.time = time
    self.author = author
    self.message = message
    self.transaction = transaction
  }
}
