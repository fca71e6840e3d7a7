import LedgerCore
import Testing

@testable import LedgerFormat

/// Few bytes that decompress to very many, with lengths and checksums that fit.
@Suite struct `A decompression bomb` {
  private static let zeros = [UInt8](repeating: 0, count: 60 << 20)

  @Test func `in the clocks is refused by who needs them`() throws {
    try Forgery("clocks of zeros", by: .readerOfEvents) { $0.clocks = Self.zeros }.expectRefusal()
  }

  @Test func `in a frame is refused, and so is one that claims more than any transaction has`()
    throws
  {
    let zstd = try Zstd()
    let payload = try zstd.compressWithDictionary(Self.zeros, level: 3)
    func frame(raw: UInt32) -> [UInt8] {
      FrameHeader.encode(
        FrameHeader(
          segment: 1, firstSequence: 1, eventCount: 1, rawLength: raw, seed: 0, durablePosition: 0,
          durableLength: 0, newestTime: LedgerTime(unchecked: 0), ownCount: 1,
          flags: FrameHeader.compressedFlag), payload: payload
      ).bytes
    }
    for raw in [.max, 1 << 31, FrameHeader.payloadBytesMax + 1] as [UInt32] {
      refused { try FrameHeader(in: frame(raw: raw), at: 0, segment: 1) }
    }
    let raw = try zstd.decompressFrame(payload, count: Self.zeros.count)
    refused {
      try TransactionCoding.decode(
        raw, firstSequence: 1, eventCount: 1, replica: TestRun.ledger, ownCount: 0)
    }
    refused { try zstd.decompressFrame(payload, count: 100) }
  }
}
