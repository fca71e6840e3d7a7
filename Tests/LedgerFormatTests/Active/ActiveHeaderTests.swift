import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `The header of an active segment` {
  private func header(_ change: (inout ActiveHeader) -> Void = { _ in }) -> ActiveHeader {
    var header = ActiveHeader(
      ledger: ReplicaID(high: 1, low: 2), segment: 3, firstSequence: 4,
      replica: ReplicaID(high: 5, low: 6), digestBefore: Digest(of: [7]), countBefore: 8)
    change(&header)
    return header
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `comes back as it was`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let header = ActiveHeader(
      ledger: .random(using: &generator), segment: generator.next(),
      firstSequence: UInt64.random(in: 1..<1 << 62, using: &generator),
      replica: .random(using: &generator), digestBefore: Digest(of: [UInt8(seed)]),
      countBefore: generator.next() >> 1)
    #expect(header.encoded.count == ActiveHeader.byteCount)
    #expect(try ActiveHeader(header.encoded) == header)
    #expect(try ActiveHeader(header.encoded + [1, 2, 3]) == header)
    #expect(header.firstSeed == header.digestBefore.checksum)
  }

  @Test func `with one wrong bit, or cut short, is refused`() {
    refusedWhenDamaged(header().encoded) { _ = try ActiveHeader($0) }
  }

  @Test func `that counts what is impossible is refused`() {
    for forged in [
      header { $0.firstSequence = 0 }, header { $0.firstSequence = .max },
      header { $0.firstSequence = UInt64(Int64.max) }, header { $0.countBefore = .max },
    ] {
      #expect(
        refused { try ActiveHeader(forged.encoded) } == "the header counts what is impossible")
    }
  }
}
