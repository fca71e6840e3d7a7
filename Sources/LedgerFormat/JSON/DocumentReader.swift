import LedgerCore

/// Reads documents, fields and values as JSON from a caller.
///
/// A nested object becomes one field per leaf under its dotted name, a key that contains a dot means the
/// same path, `{}` names no field and changes nothing, and null unsets.
///
/// Errors are `LedgerError`s with code `invalid`, which give the column and, where it is known, the field.
package enum DocumentReader {
  /// The fields of an object without `_id`.
  package static func changes(_ json: ArraySlice<UInt8>) throws(LedgerError) -> ChangeSet {
    try read(json) { (scanner) throws(JSONProblem) in
      var fields = FieldReader()
      try fields.readObject(&scanner)
      return try fields.changeSet()
    }
  }

  /// A whole document: its `_id`, if it has one, and its other fields.
  package static func document(
    _ json: ArraySlice<UInt8>
  ) throws(LedgerError) -> (id: TaskID?, changes: ChangeSet) {
    try read(json) { (scanner) throws(JSONProblem) in
      var fields = FieldReader(takesID: true)
      try fields.readObject(&scanner)
      return (fields.id, try fields.changeSet())
    }
  }

  /// The changes that a field calls for when it is given this JSON: a value sets it, null unsets it, an object sets
  /// what lies below it.
  package static func changes(
    of name: FieldName, to json: ArraySlice<UInt8>
  ) throws(LedgerError) -> ChangeSet {
    try read(json) { (scanner) throws(JSONProblem) in
      var fields = FieldReader()
      try fields.readField(name, at: scanner.position, &scanner)
      return try fields.changeSet()
    }
  }

  /// A value, or nil for null.
  package static func value(_ json: ArraySlice<UInt8>) throws(LedgerError) -> Value? {
    let value = try read(json) { (scanner) throws(JSONProblem) in
      var elements = 0
      return try scanner.valueOrNull(elements: &elements)
    }
    return try value?.validated()
  }

  private static func read<Result>(
    _ json: ArraySlice<UInt8>, _ body: (inout JSONScanner) throws(JSONProblem) -> Result
  ) throws(LedgerError) -> Result {
    do {
      return try JSONScanner.scan(json, body)
    } catch {
      throw error.error(.invalid)
    }
  }
}
