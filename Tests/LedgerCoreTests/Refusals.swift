import LedgerCore
import Testing

/// Expects a refusal with exactly this sentence, this code and this hint.
func expectRefusal(
  _ sentence: String, code: LedgerError.Code = .invalid, hint: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  let error = #expect(throws: LedgerError.self, sourceLocation: sourceLocation) { try body() }
  guard let error else { return }
  #expect(error.code == code, sourceLocation: sourceLocation)
  #expect(Array(error.sentence.utf8) == Array(sentence.utf8), sourceLocation: sourceLocation)
  #expect(error.hint == hint, sourceLocation: sourceLocation)
}
