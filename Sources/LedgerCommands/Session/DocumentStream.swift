import LedgerCore
import LedgerFormat

/// Documents from a stream, one a line.
///
/// They are to be one transaction, so all are held in memory. What no transaction can hold is refused before it is.
enum DocumentStream {
  private static let chunkBytes = 256 << 10

  /// Reads a stream to its end.
  ///
  /// - Throws: `LedgerError` with code `badLine` and the line of a document that is wrong; `invalid` where there is more than one
  ///   transaction holds.
  static func read(
    _ input: any InputSource
  ) throws(LedgerError) -> [(id: TaskID?, changes: ChangeSet)] {
    var documents: [(id: TaskID?, changes: ChangeSet)] = []
    var splitter = LineSplitter()
    var bytes = 0
    while true {
      let chunk = try input.read(chunkBytes)
      bytes += chunk.count
      guard bytes <= Limits.transactionBytesMax else { throw tooMany() }
      if chunk.isEmpty { splitter.finish() } else { splitter.append(chunk[...]) }
      while let line = try splitter.next() {
        guard documents.count < Limits.transactionEventsMax else { throw tooMany() }
        documents.append(try document(line))
      }
      if chunk.isEmpty { return documents }
    }
  }

  private static func document(
    _ line: LineSplitter.Line
  ) throws(LedgerError) -> (id: TaskID?, changes: ChangeSet) {
    do throws(LedgerError) {
      return try DocumentReader.documentToUpsert(line.bytes)
    } catch {
      var error = error.under("line \(line.number)")
      error.code = .badLine
      error.line = line.number
      error.hint =
        error.hint
        ?? (line.bytes.first == UInt8(ascii: "[")
          ? "each line is a document: `jq -c '.[]'` takes an array apart"
          : "each line is a document; `ledger apply -` reads commands")
      throw error
    }
  }

  private static func tooMany() -> LedgerError {
    LedgerError(
      .invalid,
      "standard input has more than the \(Limits.transactionEventsMax) documents, or the \(Limits.transactionBytesMax >> 20) MiB, that one transaction holds",
      hint: "hand it over in parts; `ledger apply -` takes a stream of any length")
  }
}

extension DocumentReader {
  /// A document that names its task, or is a new one.
  ///
  /// With `id` and no `_id` it most likely means a task by another program's name for it: each time that it came it would make one
  /// more. So would a command for `ledger apply`, which names its task by `task`.
  static func documentToUpsert(
    _ json: ArraySlice<UInt8>
  ) throws(LedgerError) -> (id: TaskID?, changes: ChangeSet) {
    let document = try document(json)
    guard document.id == nil else { return document }
    let kind = FieldName(unchecked: "kind")
    if case .text(let word)? = document.changes.value(of: kind), EventKind(name: word) != nil,
      document.changes.value(of: .body) == nil
    {
      var error = LedgerError(
        .invalid, "found a command, of the kind \(word), expected a document",
        hint: "`ledger apply -` reads commands, one a line; a document has \"body\"")
      error.field = kind
      throw error
    }
    let field = FieldName(unchecked: "id")
    guard document.changes.changes.contains(where: { $0.name == field }) else { return document }
    var error = LedgerError(
      .invalid, "found \"id\" and no \"_id\", which names the task",
      hint:
        "did you mean \"_id\"? A field named id is set beside an \"_id\", or by --id ID --set id=VALUE"
    )
    error.field = field
    throw error
  }
}

extension ChangeSet {
  /// What a field is set to; nil where it is unset, or left alone.
  fileprivate func value(of name: FieldName) -> Value? {
    changes.first { $0.name == name }?.value
  }
}
