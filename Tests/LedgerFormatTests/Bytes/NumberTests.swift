import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Numbers as bytes` {
  private static let borders: [UInt64] =
    (0..<64).flatMap { shift -> [UInt64] in
      [1 << UInt64(shift), (1 << UInt64(shift)) - 1, (1 << UInt64(shift)) + 1]
    } + [0, .max, .max - 1]

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `come back as they were`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let numbers =
      Self.borders
      + (0..<200).map { _ in generator.next() >> UInt64.random(in: 0..<64, using: &generator) }
    var bytes: [UInt8] = []
    for number in numbers {
      bytes.append(varint: number)
      bytes.append(zigzag: Int64(bitPattern: number))
      bytes.append(u64: number)
      bytes.append(u32: UInt32(truncatingIfNeeded: number))
      bytes.append(u16: UInt16(truncatingIfNeeded: number))
    }
    var reader = ByteReader(bytes)
    for number in numbers {
      #expect(try reader.varint() == number)
      #expect(try reader.zigzag() == Int64(bitPattern: number))
      #expect(try reader.u64() == number)
      #expect(try reader.u32() == UInt32(truncatingIfNeeded: number))
      #expect(try reader.u16() == UInt16(truncatingIfNeeded: number))
    }
    try reader.expectEnd()
  }

  @Test(
    arguments: [
      (0, [0]), (1, [1]), (127, [0x7f]), (128, [0x80, 1]), (300, [0xac, 2]),
      (16_384, [0x80, 0x80, 1]),
      (UInt64.max, [UInt8](repeating: 0xff, count: 9) + [1]),
    ] as [(UInt64, [UInt8])])
  func `of seven bits a byte have the least significant first`(number: UInt64, expected: [UInt8]) {
    var bytes: [UInt8] = []
    bytes.append(varint: number)
    #expect(bytes == expected)
  }

  @Test(arguments: zip([0, -1, 1, -2, .max, .min], [0, 1, 2, 3, .max - 1, .max] as [UInt64]))
  func `of small magnitude become small`(number: Int64, expected: UInt64) throws {
    var bytes: [UInt8] = []
    bytes.append(zigzag: number)
    var reader = ByteReader(bytes)
    #expect(try reader.varint() == expected)
  }

  @Test func `longer than they need to be are refused`() {
    for bytes in [[0x80, 0], [0xff, 0x80, 0], [UInt8](repeating: 0x80, count: 9) + [0]] {
      #expect(
        refused {
          var reader = ByteReader(bytes)
          return try reader.varint()
        }
          == "a number is longer than it needs to be")
    }
  }

  @Test func `of more than 64 bits are refused`() {
    for last in [2, 3, 0x7f, 0x80, 0x81, 0xff] as [UInt8] {
      let bytes = [UInt8](repeating: 0xff, count: 9) + [last, 0]
      #expect(
        refused {
          var reader = ByteReader(bytes)
          return try reader.varint()
        }
          == "a number has more than 64 bits")
    }
  }

  @Test func `that end early are refused`() {
    refused {
      var reader = ByteReader([0x80])
      return try reader.varint()
    }
    refused {
      var reader = ByteReader([1, 2, 3, 4, 5, 6, 7])
      return try reader.u64()
    }
    refused {
      var reader = ByteReader([1, 2, 3])
      return try reader.u32()
    }
    refused {
      var reader = ByteReader([1])
      return try reader.u16()
    }
    refused {
      var reader = ByteReader([])
      return try reader.u8()
    }
    refused {
      var reader = ByteReader([])
      return try reader.digest()
    }
    refused {
      var reader = ByteReader([UInt8](repeating: 1, count: 15))
      return try reader.replica()
    }
  }

  @Test func `that count more than is left are refused before memory is asked for`() {
    for count in [5, 1 << 31, UInt64(Int64.max), .max] {
      var bytes: [UInt8] = []
      bytes.append(varint: count)
      bytes.append(contentsOf: [1, 2, 3, 4])
      refused {
        var reader = ByteReader(bytes)
        return try reader.count()
      }
      refused {
        var reader = ByteReader(bytes)
        return try reader.text()
      }
    }
  }

  @Test func `that are yes or no are nothing else`() throws {
    var reader = ByteReader([0, 1, 2])
    #expect(try !reader.flag())
    #expect(try reader.flag())
    #expect(refused { try reader.flag() } == "a yes or no is 2")
  }
}
