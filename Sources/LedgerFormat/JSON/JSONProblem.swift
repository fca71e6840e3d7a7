import LedgerCore

/// Why bytes are not the JSON that was expected, and where: what the readers throw among themselves.
package struct JSONProblem: Error {
  /// The byte before which reading stopped, from 0; nil where no single place is to blame.
  package var position: Int?
  /// The field that was being read, where it is known.
  package var field: FieldName?
  /// Whether the sentence names the field.
  private var namesField = false
  /// What was found and what was expected.
  package var sentence: String
  /// What to do about it.
  package var hint: String?

  package init(
    _ sentence: String, at position: Int?, field: FieldName? = nil, hint: String? = nil
  ) {
    self.position = position
    self.field = field
    self.sentence = sentence
    self.hint = hint
  }

  /// A problem of a field that the sentence names.
  package init(_ sentence: String, at position: Int?, naming field: FieldName) {
    self.init(sentence, at: position, field: field)
    namesField = true
  }

  /// A rule of the core that a part of the text breaks.
  package init(_ error: LedgerError, at position: Int?) {
    self.init(error.sentence, at: position, field: error.field, hint: error.hint)
    namesField = true
  }

  /// The same problem, said to be in a field.
  func inField(_ name: FieldName) -> JSONProblem {
    var problem = self
    problem.field = name
    problem.namesField = false
    return problem
  }

  /// The error for callers, with the line, the column (1-based, in bytes) and the field where they are known.
  package func error(_ code: LedgerError.Code, line: Int? = nil) -> LedgerError {
    var places: [String] = []
    if let line { places.append("line \(line)") }
    if let position { places.append("column \(position + 1)") }
    if let field, !namesField { places.append("field \"\(field)\"") }
    let place = places.joined(separator: ", ")
    var error = LedgerError(
      code, place.isEmpty ? sentence : "\(place): \(sentence)", column: position.map { $0 + 1 },
      hint: hint)
    error.line = line
    error.field = field
    return error
  }
}
