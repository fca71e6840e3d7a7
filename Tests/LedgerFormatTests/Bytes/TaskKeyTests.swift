import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Task ids as bytes` {
  @Test func `of the form of a UUID in lower case take sixteen bytes`() throws {
    let key = TaskKey("f47ac10b-58cc-4372-a567-0e02b2c3d479")
    #expect(
      key.isPacked && key.stored.count == 16 && key.stored[0] == 0xf4 && key.stored[15] == 0x79)
  }

  @Test(
    arguments: [
      "F47AC10B-58CC-4372-A567-0E02B2C3D479", "f47ac10b-58cc-4372-a567-0e02b2c3d47",
      "f47ac10b058cc-4372-a567-0e02b2c3d479", "g47ac10b-58cc-4372-a567-0e02b2c3d479",
      "f47ac10b-58cc-4372-a567-0e02b2c3d4\u{e9}", "milk", "\u{e9}",
      "000000000000000000000000000000000000",
      "------------------------------------",
    ] as [TaskID])
  func `of any other form are kept as text`(id: TaskID) {
    #expect(!TaskKey(id).isPacked && TaskKey(id).stored == Array(id.text.utf8))
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `come back as they were`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let ids = [
      TaskID.random(using: &generator),
      TaskID(
        unchecked: String(repeating: "\u{e9}", count: Int.random(in: 1...128, using: &generator))),
      TaskID(unchecked: "task \(generator.next())"),
    ]
    var bytes: [UInt8] = []
    for id in ids { TaskKey(id).append(to: &bytes) }
    var reader = ByteReader(bytes)
    for id in ids { #expect(try TaskKey(&reader).id == id) }
    try reader.expectEnd()
  }

  @Test(
    arguments: [
      [0], [1], [15 << 1 | 1] + [UInt8](repeating: 7, count: 15),
      [17 << 1 | 1] + [UInt8](repeating: 7, count: 17), [2, 0x0a], [2, 0xff], [4, 0xc2, 0x80],
      [4, 0x61],
      [0x82, 4] + [UInt8](repeating: 0x61, count: 257),
      [UInt8](repeating: 0xff, count: 9) + [1],
      [72] + Array("f47ac10b-58cc-4372-a567-0e02b2c3d479".utf8),
    ] as [[UInt8]])
  func `that are none are refused`(bytes: [UInt8]) {
    refused {
      var reader = ByteReader(bytes)
      return try TaskKey(&reader)
    }
  }
}
