import LedgerCore

/// A cursor over bytes that checks every length before it is used.
///
/// Errors are `LedgerError` with code `damaged` and the offset inside the bytes; callers add the file.
package struct ByteReader {
  package let bytes: [UInt8]
  package private(set) var position: Int
  package let end: Int
  private var jsonBytesLeft = Limits.transactionBytesMax

  package init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

  /// - Precondition: the range lies inside the bytes.
  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  package var remaining: Int { end - position }

  @inline(never)
  package func fail(_ what: String) -> LedgerError {
    LedgerError(.damaged, what, offset: UInt64(position))
  }

  /// Goes back to where the reader was.
  ///
  /// - Precondition: it was there.
  mutating func goBack(to position: Int) {
    precondition(position >= 0 && position <= self.position)
    self.position = position
  }

  @inline(__always)
  package mutating func u8() throws(LedgerError) -> UInt8 {
    guard position < end else { throw fail("the bytes end early") }
    position += 1
    return bytes[position - 1]
  }

  package mutating func u16() throws(LedgerError) -> UInt16 { UInt16(try littleEndian(2)) }
  package mutating func u32() throws(LedgerError) -> UInt32 { UInt32(try littleEndian(4)) }
  package mutating func i64() throws(LedgerError) -> Int64 { Int64(bitPattern: try u64()) }

  package mutating func u64() throws(LedgerError) -> UInt64 {
    let start = position
    try skip(8)
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
  }

  private mutating func littleEndian(_ count: Int) throws(LedgerError) -> UInt64 {
    guard remaining >= count else { throw fail("the bytes end early") }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
    position += count
    return value
  }

  @inline(__always)
  package mutating func varint() throws(LedgerError) -> UInt64 {
    // Most numbers have one byte.
    guard position < end, bytes[position] < 0x80 else { return try longVarint() }
    position += 1
    return UInt64(bytes[position - 1])
  }

  @inline(never)
  private mutating func longVarint() throws(LedgerError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard position < end else { throw fail("the bytes end early") }
      let byte = bytes[position]
      position += 1
      guard shift < 63 || byte <= 1 else { throw fail("a number has more than 64 bits") }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 {
        guard byte != 0 || shift == 0 else { throw fail("a number is longer than it needs to be") }
        return value
      }
      shift += 7
    }
  }

  @inline(__always)
  package mutating func zigzag() throws(LedgerError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A count of things of which each takes at least one byte (`bytesEach`), so that no count can ask for more memory than the
  /// bytes could fill.
  @inline(__always)
  package mutating func count(bytesEach: Int = 1) throws(LedgerError) -> Int {
    let value = try varint()
    guard value <= UInt64(remaining / bytesEach) else {
      throw fail("a count of \(value) exceeds what is left")
    }
    return Int(value)
  }

  /// Notes what stands for at least as many bytes of JSON, before memory is spent on it: an element of an array takes one byte
  /// here and many in memory, but no transaction has more of them than its limit allows.
  package mutating func charge(jsonBytes: Int) throws(LedgerError) {
    guard jsonBytes <= jsonBytesLeft else { throw fail("there is more than a transaction holds") }
    jsonBytesLeft -= jsonBytes
  }

  package mutating func take(_ count: Int) throws(LedgerError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw fail("the bytes end early") }
    position += count
    return bytes[position - count..<position]
  }

  package mutating func skip(_ count: Int) throws(LedgerError) {
    guard count >= 0, count <= remaining else { throw fail("the bytes end early") }
    position += count
  }

  /// Passes over variable-length integers: bytes below 0x80 end one.
  package mutating func skipVarints(_ count: Int) throws(LedgerError) {
    var left = count
    while left >= 8, remaining >= 8 {
      let eight = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      }
      left -= (~eight & 0x8080_8080_8080_8080).nonzeroBitCount
      position += 8
    }
    while left > 0 {
      guard position < end else { throw fail("the bytes end early") }
      if bytes[position] < 0x80 { left -= 1 }
      position += 1
    }
  }

  /// Passes over a short text with its tag, which most values of a table are; false where none stands here.
  @inline(__always)
  mutating func skipShortText() -> Bool {
    guard remaining >= 2, bytes[position] == ValueTag.text else { return false }
    let length = Int(bytes[position + 1])
    guard length < 0x80, length <= remaining - 2 else { return false }
    position += 2 + length
    return true
  }

  /// A length, then that many bytes of UTF-8.
  package mutating func text() throws(LedgerError) -> String {
    guard let text = String(checking: try take(try count())) else {
      throw fail("a text is not UTF-8")
    }
    return text
  }

  package mutating func replica() throws(LedgerError) -> ReplicaID {
    let high = try u64().byteSwapped
    return ReplicaID(high: high, low: try u64().byteSwapped)
  }

  /// A byte that is 0 or 1.
  package mutating func flag() throws(LedgerError) -> Bool {
    let byte = try u8()
    guard byte <= 1 else { throw fail("a yes or no is \(byte)") }
    return byte == 1
  }

  /// The sequence number of an event that another one undoes.
  package mutating func undoes() throws(LedgerError) -> UInt64 {
    let sequence = try varint()
    guard sequence >= 1 else { throw fail("an event undoes event 0") }
    return sequence
  }

  package mutating func digest() throws(LedgerError) -> Digest { Digest(try take(32)) }

  package func expectEnd() throws(LedgerError) {
    guard remaining == 0 else { throw fail("\(remaining) bytes are left over") }
  }
}
