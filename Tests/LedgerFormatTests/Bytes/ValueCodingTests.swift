import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Values as bytes` {
  private func roundTrip(_ value: Value?) throws -> Value? {
    var bytes: [UInt8] = []
    bytes.append(value: value)
    var reader = ByteReader(bytes)
    let result = try reader.value()
    try reader.expectEnd()
    return result
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `come back as they were`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let value = RandomValue.any(using: &generator)
    #expect(try roundTrip(value) == value)
    #expect(try roundTrip(value)?.description == value.description)
  }

  @Test func `come back at their borders`() throws {
    let borders: [Value] = [
      .int(.min), .int(.max), .double(.leastNonzeroMagnitude), .double(-.greatestFiniteMagnitude),
      .double(0.1), .text(""), .text("\u{0}"),
      .text(String(repeating: "\u{1f600}", count: 1 << 18)),
      .array([]), RandomValue.nested(32), .array((0..<1000).map { .int($0) }),
    ]
    for value in borders {
      #expect(try roundTrip(value) == value)
    }
    #expect(try roundTrip(nil) == nil)
  }

  private func read(_ bytes: [UInt8]) -> String {
    refused {
      var reader = ByteReader(bytes)
      return try reader.value()
    }
  }

  @Test func `of arrays nested too deep are refused, however deep`() {
    for depth in [33, 34, 1000, 100_000] {
      let bytes = [[UInt8]](repeating: [ValueTag.array, 1], count: depth).flatMap { $0 }
      #expect(read(bytes) == "arrays nest too deep")
    }
  }

  @Test func `of arrays that claim too many elements are refused before memory is asked for`() {
    var bytes = [ValueTag.array]
    bytes.append(varint: UInt64(Int64.max))
    refused {
      var reader = ByteReader(bytes)
      return try reader.value()
    }
    let many = [ValueTag.array] + [0x80, 0x80, 0x80, 0x20] + [UInt8](repeating: 1, count: 1 << 26)
    #expect(read(many) == "there is more than a transaction holds")
  }

  @Test func `that are no values of this version ask for a newer one`() {
    for tag in [9, 100, 127, 128, 255] as [UInt8] {
      let sentence = refused(.unsupported) {
        var reader = ByteReader([tag, 0])
        return try reader.value()
      }
      #expect(sentence == "a value has the type \(tag), which this version does not know")
    }
  }

  @Test func `of types that stand elsewhere are refused`() {
    #expect(read([ValueTag.interned, 0]) == "a value has the type 7, which cannot stand here")
    #expect(read([ValueTag.date, 0]) == "a value has the type 8, which cannot stand here")
    #expect(
      read([ValueTag.array, 1, ValueTag.unset]) == "a value has the type 0, which cannot stand here"
    )
  }

  @Test func `that are numbers in another than the shortest form are refused`() {
    for number in [1.0, -0.0, .infinity, -.infinity, .nan, -0x1p63] {
      var bytes = [ValueTag.double]
      bytes.append(u64: number.bitPattern)
      #expect(read(bytes) == "a number is not in its shortest form")
    }
  }

  @Test func `that are no UTF-8 are refused`() {
    for text in [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf4, 0x90, 0x80, 0x80]]
      as [[UInt8]]
    {
      #expect(read([ValueTag.text, UInt8(text.count)] + text) == "a text is not UTF-8")
    }
  }

  @Test func `that are dates are days, and nothing but whole days are dates`() {
    for day in [-719_528, -1, 0, 1, 11_016, 2_932_896] as [Int64] {
      #expect(DateText.text(day) == CalendarText.text(day))
      #expect(DateText.number(CalendarText.text(day)) == day)
    }
    #expect(DateText.text(-719_528) == "0000-01-01" && DateText.text(2_932_896) == "9999-12-31")
    for day in [-719_529, 2_932_897, .min, .max] as [Int64] { #expect(DateText.text(day) == nil) }
    for text in ["2026-02-30", "2026-1-01", "2026-01-01 ", "\u{0662}026-01-01", ""] {
      #expect(DateText.number(text) == nil)
    }
  }
}
