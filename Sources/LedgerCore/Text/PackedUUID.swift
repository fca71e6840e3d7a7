#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A UUID as two numbers. Its text in lower case (RFC 9562, section 4) sorts as they do.
package struct PackedUUID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  package let high: UInt64
  /// The last eight bytes, most significant first.
  package let low: UInt64

  @inlinable package static var byteCount: Int { 16 }
  package static let textByteCount = 36

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The UUID with these sixteen bytes; nil when there are more or fewer.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// The UUID of a text of its form in lower case; nil for any other text.
  package init?(text: UnsafeRawBufferPointer) {
    guard text.count == Self.textByteCount else { return nil }
    func digits(_ first: Int, _ second: Int) -> UInt64 {
      let upper = UInt64(
        UInt32(bigEndian: text.loadUnaligned(fromByteOffset: first, as: UInt32.self)))
      let lower = UInt64(
        UInt32(bigEndian: text.loadUnaligned(fromByteOffset: second, as: UInt32.self)))
      return Self.number(ofDigits: upper << 32 | lower)
    }
    let uuid = PackedUUID(
      high: digits(0, 4) << 32 | digits(9, 14), low: digits(19, 24) << 32 | digits(28, 32))
    // Whatever is no digit was taken for one: only what the UUID itself would be written as is its text.
    let isSame = uuid.withTextBytes { written in
      guard let written = written.baseAddress, let given = text.baseAddress else { return false }
      return memcmp(written, given, Self.textByteCount) == 0
    }
    guard isSame else { return nil }
    self = uuid
  }

  /// The number of eight hexadecimal digits, the most significant first.
  private static func number(ofDigits digits: UInt64) -> UInt64 {
    var nibbles = digits & 0x0f0f_0f0f_0f0f_0f0f
    nibbles += (digits >> 6 & 0x0101_0101_0101_0101) * 9
    nibbles = (nibbles | nibbles >> 4) & 0x00ff_00ff_00ff_00ff
    nibbles = (nibbles | nibbles >> 8) & 0x0000_ffff_0000_ffff
    return (nibbles | nibbles >> 16) & 0xffff_ffff
  }

  /// Eight hexadecimal digits in lower case, the most significant first.
  private static func digits(of number: UInt64) -> UInt64 {
    var nibbles = number & 0xffff_ffff
    nibbles = (nibbles | nibbles << 16) & 0x0000_ffff_0000_ffff
    nibbles = (nibbles | nibbles << 8) & 0x00ff_00ff_00ff_00ff
    nibbles = (nibbles | nibbles << 4) & 0x0f0f_0f0f_0f0f_0f0f
    let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return nibbles + 0x3030_3030_3030_3030 + letters * 0x27
  }

  /// Writes the 36 characters of the text.
  ///
  /// - Precondition: there is room for them.
  func write(to target: UnsafeMutableRawBufferPointer) {
    precondition(target.count >= Self.textByteCount)
    func write(_ number: UInt64, _ first: Int, _ second: Int) {
      let digits = Self.digits(of: number)
      target.storeBytes(
        of: UInt32(truncatingIfNeeded: digits >> 32).bigEndian, toByteOffset: first,
        as: UInt32.self)
      target.storeBytes(
        of: UInt32(truncatingIfNeeded: digits).bigEndian, toByteOffset: second, as: UInt32.self)
    }
    write(high >> 32, 0, 4)
    write(high, 9, 14)
    write(low >> 32, 19, 24)
    write(low, 28, 32)
    for dash in [8, 13, 18, 23] { target[dash] = 0x2d }
  }

  /// Appends the 36 characters of the text.
  package func appendText(to bytes: inout [UInt8]) {
    withTextBytes { bytes.append(contentsOf: $0) }
  }

  /// Calls `body` with the 36 characters of the text.
  package func withTextBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    withUnsafeTemporaryAllocation(byteCount: Self.textByteCount, alignment: 8) { buffer in
      write(to: buffer)
      return body(UnsafeRawBufferPointer(buffer))
    }
  }
}

extension PackedUUID: Comparable {
  package static func < (left: PackedUUID, right: PackedUUID) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

extension PackedUUID: CustomStringConvertible {
  package var description: String {
    String(unsafeUninitializedCapacity: Self.textByteCount) { buffer in
      write(to: UnsafeMutableRawBufferPointer(buffer))
      return Self.textByteCount
    }
  }
}
