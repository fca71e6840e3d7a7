import LedgerCore
import Testing

@testable import LedgerFormat

/// The bytes of a text as the readers take them.
func jsonBytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

/// The value that a JSON text stands for.
func jsonValue(_ json: String) throws -> Value? { try DocumentReader.value(jsonBytes(json)) }

/// The sentence of the error that must be thrown.
func jsonRefusal(
  _ code: LedgerError.Code = .invalid, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> some Any
) -> String {
  do {
    let result = try body()
    Issue.record("no error, but \(result)", sourceLocation: sourceLocation)
    return ""
  } catch let error as LedgerError {
    #expect(error.code == code, sourceLocation: sourceLocation)
    return error.sentence
  } catch {
    Issue.record("another error: \(error)", sourceLocation: sourceLocation)
    return ""
  }
}

/// The sentence with which a value is refused.
func jsonValueRefusal(_ json: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  jsonRefusal(sourceLocation: sourceLocation) { try jsonValue(json) }
}

/// The sentence with which a value of raw bytes between quotes is refused.
func jsonTextRefusal(_ raw: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> String {
  jsonRefusal(sourceLocation: sourceLocation) {
    try DocumentReader.value(([0x22] + raw + [0x22])[...])
  }
}
