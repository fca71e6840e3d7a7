import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `CURRENT` {
  private let current = CurrentFile(
    ledger: ReplicaID(high: 1, low: 2), manifestNumber: 12, manifestBytes: [1, 2, 3])

  @Test func `comes back as it was`() throws {
    #expect(current.encoded.count == CurrentFile.byteCount)
    #expect(try CurrentFile(current.encoded) == current)
    #expect(current.manifestLength == 3 && current.manifestChecksum == checksum(of: [1, 2, 3]))
  }

  @Test func `with one wrong bit, or cut short, is refused`() {
    refusedWhenDamaged(current.encoded) { _ = try CurrentFile($0) }
  }

  @Test func `with bytes left over is refused`() {
    #expect(
      refused { try CurrentFile(current.encoded + [0]) } == "CURRENT has 65 bytes, expected 64")
  }
}
