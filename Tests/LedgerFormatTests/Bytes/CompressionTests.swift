import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Compression` {
  @Test func `uses a dictionary that never changes`() {
    #expect(
      Digest(of: FormatDictionary.bytes).hex
        == "b9589234a6e622ae08fa91e0c035e91f9960678ffa0c6091ba6e1b5fc516a337")
    #expect(FormatDictionary.bytes.count == 1992)
  }

  @Test(arguments: [0, 1, 63, 64, 1000, 1 << 17, 1 << 20])
  func `gives the bytes back, with the dictionary and without`(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let zstd = try Zstd()
    let random = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    for bytes in [[UInt8](repeating: 7, count: count), random] {
      let plain = try zstd.compress(bytes, level: 3)
      #expect(try zstd.decompress(plain, count: count) == bytes)
      let short = try zstd.compressWithDictionary(bytes, level: 1)
      #expect(try zstd.decompressFrame(short, count: count) == bytes)
      for stored in [plain, short] {
        #expect(Zstd.canExpand(stored.count, to: count) && Zstd.canShrink(count, to: stored.count))
      }
    }
  }

  @Test func `shortens a single small event by the dictionary`() throws {
    let payload = Array(
      "\u{4}body\u{5}\u{8}Buy milk\u{b}isCompleted\u{1}\u{8}priority\u{3}\u{2}".utf8)
    let zstd = try Zstd()
    let short = try zstd.compressWithDictionary(payload, level: 1)
    #expect(short.count < payload.count)
    refused { try zstd.decompress(short, count: payload.count) }
  }

  @Test func `of another length than was said is refused`() throws {
    let zstd = try Zstd()
    let stored = try zstd.compress([UInt8](repeating: 1, count: 1000), level: 3)
    for count in [0, 1, 999, 1001, 100_000] {
      refused { try zstd.decompress(stored, count: count) }
    }
    refused { try zstd.decompress([], count: 5) }
    refused { try zstd.decompress([1, 2, 3], count: 5) }
  }

  @Test func `expands by no more than zstd can`() {
    #expect(Zstd.canExpand(0, to: 64) && !Zstd.canExpand(0, to: 65 + 40_000))
    #expect(Zstd.canExpand(.max, to: .max) && !Zstd.canExpand(1000, to: .max))
    #expect(Zstd.canShrink(0, to: 512) && !Zstd.canShrink(0, to: .max))
  }
}
