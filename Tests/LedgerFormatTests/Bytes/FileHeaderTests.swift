import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `The header of a file` {
  private let ledger = ReplicaID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)

  private func bytes(_ kind: FileHeader.Kind, _ change: (inout [UInt8]) -> Void = { _ in })
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    FileHeader(kind, ledger: ledger).append(to: &bytes)
    change(&bytes)
    return bytes
  }

  private func read(_ bytes: [UInt8], _ kind: FileHeader.Kind) throws -> FileHeader {
    var reader = ByteReader(bytes)
    return try FileHeader(&reader, expecting: kind) {}
  }

  @Test(arguments: FileHeader.Kind.allCases)
  func `comes back as it was, whatever the kind`(kind: FileHeader.Kind) throws {
    #expect(bytes(kind).count == FileHeader.byteCount)
    #expect(try read(bytes(kind), kind) == FileHeader(kind, ledger: ledger))
  }

  @Test func `holds the ledger's id as its digits stand`() {
    #expect(bytes(.current)[16...].elementsEqual(1...16))
  }

  @Test func `of another kind is refused by name`() {
    #expect(
      refused { try read(bytes(.manifest), .current) } == "expected CURRENT, found a manifest")
    #expect(
      refused { try read(bytes(.manifest) { $0[0] = 0x80 }, .manifest) }
        == "expected a manifest, found other bytes")
  }

  @Test func `of a later version is read when that says so`() throws {
    let later = bytes(.sealed) { $0[8] = 9 }
    #expect(try read(later, .sealed).ledger == ledger)
    let sentence = refused(.unsupported) {
      try read(bytes(.sealed) { ($0[8], $0[10]) = (9, 6) }, .sealed)
    }
    #expect(
      sentence == "a sealed segment of format version 9 needs a reader of version 6, this is 5")
  }

  @Test func `asks for no later reader than it needs`() throws {
    #expect(bytes(.sealed)[8...11].elementsEqual([1, 0, 1, 0]))
    var later: [UInt8] = []
    FileHeader(.baseline, ledger: ledger).append(to: &later, version: 2)
    #expect(later[8...11].elementsEqual([2, 0, 2, 0]))
    #expect(try read(later, .baseline).ledger == ledger)
  }

  @Test func `of version 0 does not exist`() {
    refused { try read(bytes(.active) { $0[8] = 0 }, .active) }
    refused { try read(bytes(.active) { $0[10] = 0 }, .active) }
  }

  @Test func `with a flag is refused, for its meaning is unknown`() {
    for bit in 0..<32 {
      let flagged = bytes(.active) { $0[12 + bit / 8] = 1 << UInt8(bit % 8) }
      #expect(
        refused(.unsupported) { try read(flagged, .active) }
          == "an active segment uses features that this version does not know (flags \(1 << bit))")
    }
  }

  @Test func `that ends early is refused`() {
    for count in 0..<FileHeader.byteCount {
      refused { try read(Array(bytes(.active)[..<count]), .active) }
    }
  }
}
