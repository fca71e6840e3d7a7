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

/// A generator whose seed can be printed and given again (SplitMix64).
struct JSONTestGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
