/// What went wrong, where, and what to do next.
///
/// Every error of the product is of this type. Its ``description`` is one sentence and one hint, as
/// the command line prints them.
///
/// ```swift
/// do {
///   try ledger.toggle("no-such-task")
/// } catch let error as LedgerError where error.code == .noSuchTask {
///   print(error.sentence)
/// }
/// ```
public struct LedgerError: Error, Sendable {
  /// The class of an error, for programs.
  public enum Code: String, Sendable, CaseIterable {
    /// The caller gave something that the rules refuse: a value, a name, an id, a time.
    case invalid
    /// A line of a command stream cannot be used.
    case badLine
    /// The task does not exist in the ledger as it stands.
    case noSuchTask
    /// Somebody else changed the task meanwhile; ``LedgerError/conflicts`` says who and what.
    case conflict
    /// There is nothing to undo, or to redo.
    case nothingToUndo
    /// A prefix of an id fits more than one task.
    case ambiguous
    /// The moment that was asked for is beyond the end of the ledger.
    case beyondEnd
    /// The bytes of the ledger are not what was written.
    case damaged
    /// The ledger was made by a newer version.
    case unsupported
    /// There is no ledger, or no input file, at the path.
    case notFound
    /// There already is a ledger at the path.
    case alreadyExists
    /// The operating system refused a call: permissions, a vanished folder, a full disk.
    case io
    /// Another process holds the lock for longer than the caller wants to wait.
    case busy
    /// This handle failed earlier and accepts nothing more; open the ledger again.
    case poisoned
    /// The command line itself is wrong.
    case usage
  }

  /// The class of the error.
  public var code: Code
  /// What was tried, what was found and what was expected: one sentence without a full stop.
  public var sentence: String
  /// The file or folder concerned.
  public var path: String?
  /// The position in that file, in bytes.
  public var offset: UInt64?
  /// The line of a stream of commands, from 1.
  public var line: Int?
  /// The place in a text that was typed, such as a query, in characters from 1; in a line of a stream or a document, in
  /// bytes from 1.
  public var column: Int?
  /// The field of a document or of a line of a stream that is to blame, where that is known.
  public var field: FieldName?
  /// The underlying cause, such as the text of an `errno`.
  public var cause: String?
  /// What to do next: names a command where one helps.
  public var hint: String?
  /// The `errno` of the system call that failed, where one did.
  public var systemError: Int32?
  /// The changes of others that are in the way; empty for any code but `conflict`.
  public var conflicts: [Conflict] = []

  /// Makes an error.
  public init(
    _ code: Code, _ sentence: String, path: String? = nil, offset: UInt64? = nil,
    column: Int? = nil, cause: String? = nil, hint: String? = nil, systemError: Int32? = nil
  ) {
    self.code = code
    self.sentence = sentence
    self.path = path
    self.offset = offset
    self.column = column
    self.cause = cause
    self.hint = hint
    self.systemError = systemError
  }

  /// The sentence with path, offset and cause, without the hint: for those who have no command line, too.
  public var message: String {
    var text = sentence
    if let path {
      text += " in \(path.shortenedPath)"
      if let offset { text += " at byte \(offset)" }
    } else if let offset {
      text += " at byte \(offset)"
    }
    if let cause { text += ": \(cause)" }
    return text
  }
}

extension LedgerError: CustomStringConvertible {
  /// One sentence, then the hint on a line of its own.
  public var description: String {
    guard let hint else { return message }
    return "\(message)\nhint: \(hint)"
  }
}

extension LedgerError {
  /// What to do about damage: see how far it goes, then save what is intact.
  package static var repairHint: String {
    "run `ledger verify` to see what is intact, then `ledger repair`, or restore a backup"
  }
}
