import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `A position of verify` {
  private func position(_ change: (inout Manifest) -> Void = { _ in }) -> VerifyPosition {
    VerifyPosition(
      `A manifest`.manifest(change), segments: 1, began: LedgerTime(unchecked: 1_700_000_000_123),
      isDone: false)
  }

  @Test func `comes back as it was, and no other byte will do`() throws {
    let position = position()
    let bytes = position.encoded
    #expect(bytes.count == VerifyPosition.byteCount && position.sequence == 8192)
    #expect(try VerifyPosition(bytes) == position)
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 1
      #expect(throws: LedgerError.self, "byte \(place)") { try VerifyPosition(damaged) }
      #expect(throws: LedgerError.self) { try VerifyPosition(Array(bytes[..<place])) }
    }
    #expect(throws: LedgerError.self) { try VerifyPosition(bytes + [0]) }
  }

  @Test(arguments: [(88, 2), (88, 255), (87, 0x7f)] as [(Int, UInt8)])
  func `that says what none can say is refused, whatever its checksum`(place: Int, byte: UInt8) {
    var bytes = Array(position().encoded.dropLast(8))
    // Both numbers stand at the end: a time beyond the year 9999, and a yes or no that is neither.
    bytes[place] = byte
    bytes.append(u64: checksum(of: bytes, in: 0..<bytes.count))
    refused { try VerifyPosition(bytes) }
  }

  @Test func `stands for the very files that were read`() {
    #expect(position { $0.segments[0].file = "other.sealed" } != position())
    #expect(position { $0.segments[0].checksum += 1 } != position())
    #expect(position { $0.segments[1].file = "later.active" } == position())
    #expect(position { $0.number += 1 } == position())
  }
}
