import LedgerCore
import Testing

/// Expects an error of the format, and gives its sentence.
@discardableResult
func refused(
  _ code: LedgerError.Code = .damaged, _ comment: Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) -> String {
  do {
    let result = try body()
    Issue.record(
      "\(comment?.rawValue ?? "")no error, but \(result)", sourceLocation: sourceLocation)
  } catch let error as LedgerError {
    #expect(error.code == code, comment, sourceLocation: sourceLocation)
    return error.sentence
  } catch {
    Issue.record("another error: \(error)", sourceLocation: sourceLocation)
  }
  return ""
}

/// Expects that damage is reported as such, and no other outcome, for every way in which one bit of some bytes can be wrong and for
/// every length at which they can end early.
func refusedWhenDamaged(
  _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation,
  _ read: ([UInt8]) throws -> Void
) {
  func expectError(_ damaged: [UInt8], _ what: @autoclosure () -> String) {
    do {
      try read(damaged)
      Issue.record("\(what()) goes unnoticed", sourceLocation: sourceLocation)
    } catch let error as LedgerError {
      if error.code != .damaged {
        Issue.record("\(what()) gives \(error)", sourceLocation: sourceLocation)
      }
    } catch {
      Issue.record("\(what()) gives another error: \(error)", sourceLocation: sourceLocation)
    }
  }
  for bit in 0..<8 * bytes.count {
    var damaged = bytes
    damaged[bit / 8] ^= 1 << UInt8(bit % 8)
    expectError(damaged, "the flip of bit \(bit % 8) of byte \(bit / 8)")
  }
  for length in 0..<bytes.count { expectError(Array(bytes[..<length]), "the end at \(length)") }
}
