import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `A frame` {
  static let payload: [UInt8] = Array("a payload of some bytes".utf8)

  static func header(_ change: (inout FrameHeader) -> Void = { _ in }) -> FrameHeader {
    var header = FrameHeader(
      segment: 0x5e63_e474_0000_0001, firstSequence: 7, eventCount: 2,
      rawLength: UInt32(payload.count), seed: 0x5eed, durablePosition: 112, durableLength: 4096,
      newestTime: LedgerTime(unchecked: 1_700_000_000_000), ownCount: 9, flags: 0)
    change(&header)
    return header
  }

  private func read(_ bytes: [UInt8], at position: Int = 0) throws -> FrameHeader? {
    try FrameHeader(in: bytes, at: position, segment: Self.header().segment)
  }

  @Test(arguments: 0...40)
  func `comes back as it was, wherever it stands`(length: Int) throws {
    let payload = (0..<length).map { UInt8($0) }
    let frame = FrameHeader.encode(
      Self.header { $0.rawLength = UInt32(length) }, payload: payload)
    #expect(frame.bytes.count % 8 == 0 && frame.bytes.count == frame.header.byteCount)
    #expect(try read(frame.bytes) == frame.header)
    let inFile = [UInt8](repeating: 0, count: 16) + frame.bytes + [1, 2, 3]
    #expect(try read(inFile, at: 16) == frame.header)
    for place in [-1, 0, 8, 17, 24, inFile.count, .max] {
      #expect(try read(inFile, at: place) == nil)
    }
  }

  @Test func `with one wrong bit, or cut short, is no frame`() throws {
    let bytes = FrameHeader.encode(Self.header(), payload: Self.payload).bytes
    for bit in 0..<8 * bytes.count {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(try read(damaged) == nil, "bit \(bit)")
    }
    for length in 0..<bytes.count { #expect(try read(Array(bytes[..<length])) == nil) }
  }

  @Test func `of another segment is no frame`() throws {
    let bytes = FrameHeader.encode(Self.header(), payload: Self.payload).bytes
    #expect(try FrameHeader(in: bytes, at: 0, segment: 1) == nil)
  }

  /// A frame with right checksums.
  private func forged(_ change: (inout FrameHeader) -> Void) -> [UInt8] {
    FrameHeader.encode(Self.header(change), payload: Self.payload).bytes
  }

  @Test func `that is whole and counts what is impossible is damage, not a torn tail`() {
    let most = UInt64(Int64.max)
    let forgeries: [(inout FrameHeader) -> Void] = [
      { $0.eventCount = 0 }, { $0.eventCount = 1 << 20 + 1 }, { $0.eventCount = .max },
      { $0.firstSequence = 0 }, { $0.firstSequence = most }, { $0.firstSequence = .max },
      { $0.ownCount = .max }, { $0.ownCount = most }, { $0.durablePosition = .max },
      { $0.durableLength = .max },
    ]
    for forgery in forgeries {
      #expect(refused { try read(forged(forgery)) } == "a frame counts what is impossible")
    }
  }

  @Test func `that is whole and has impossible lengths is damage`() {
    let forgeries: [(inout FrameHeader) -> Void] = [
      { $0.rawLength = 0 }, { $0.rawLength = .max },
      { ($0.flags, $0.rawLength) = (1, .max) }, { ($0.flags, $0.rawLength) = (1, 2_000_000) },
    ]
    for forgery in forgeries {
      #expect(refused { try read(forged(forgery)) } == "a frame has impossible lengths")
    }
  }

  @Test func `with a time outside the years 0000 to 9999 is damage`() {
    for time in [Int64.min, .max] {
      refused { try read(forged { $0.newestTime = LedgerTime(unchecked: time) }) }
    }
  }

  @Test func `with unknown flags asks for a newer version`() {
    for flags in [4, 5, 1 << 31] as [UInt32] {
      #expect(
        refused(.unsupported) { try read(forged { $0.flags = flags }) }
          == "a frame has the flags \(flags), which this version does not know")
    }
  }

  @Test func `holds the largest transaction that the rules allow`() {
    let jsonBytes = Limits.transactionBytesMax / 4 * 9
    let notInJSON = Limits.transactionEventsMax * (1 + 1 + 10 + 2 + 4 + 10 + 26 + 258 + 4)
    #expect(jsonBytes + notInJSON <= Int(FrameHeader.payloadBytesMax))
  }
}
