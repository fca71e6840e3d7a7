/// A cursor over one stream of a decompressed block. It never reads past the end: what is not there reads as 0
/// and is remembered, so that the check stands once at the end of a block and not after each byte.
struct StreamCursor {
  private(set) var at: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private(set) var overran = false

  init(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) {
    at = base + range.lowerBound
    end = base + range.upperBound
  }

  var remaining: Int { end - at }

  @inline(__always)
  mutating func byte() -> UInt8 {
    guard at < end else {
      overran = true
      return 0
    }
    defer { at += 1 }
    return at.pointee
  }

  @inline(__always)
  mutating func varint() -> UInt64 {
    let first = byte()
    if first < 0x80 { return UInt64(first) }
    return varintRest(first)
  }

  private mutating func varintRest(_ first: UInt8) -> UInt64 {
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while shift < 64 {
      let next = byte()
      value |= UInt64(next & 0x7f) << shift
      if next < 0x80 { return value }
      shift += 7
    }
    overran = true
    return value
  }

  @inline(__always)
  mutating func zigzag() -> Int64 {
    let value = varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Passes over variable-length integers: bytes below 0x80 end one.
  mutating func skipVarints(_ count: Int) {
    var left = count
    while left >= 8, remaining >= 8 {
      let eight = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self)
      left -= (~eight & 0x8080_8080_8080_8080).nonzeroBitCount
      at += 8
    }
    while left > 0 { if byte() < 0x80 { left -= 1 } }
  }

  /// The bytes of a variable-length integer as they stand.
  @inline(__always)
  mutating func varintBytes() -> UnsafeBufferPointer<UInt8> {
    let start = at
    while at < end, at - start < 10 {
      let next = at.pointee
      at += 1
      if next < 0x80 { return UnsafeBufferPointer(start: start, count: at - start) }
    }
    overran = true
    return UnsafeBufferPointer(start: start, count: 0)
  }

  @inline(__always)
  mutating func take(_ count: UInt64) -> UnsafeBufferPointer<UInt8> {
    guard count <= UInt64(remaining) else {
      overran = true
      return UnsafeBufferPointer(start: at, count: 0)
    }
    defer { at += Int(count) }
    return UnsafeBufferPointer(start: at, count: Int(count))
  }

  /// The bytes of an array without its tag; their structure is checked on the way.
  mutating func arrayBytes() -> UnsafeBufferPointer<UInt8> {
    let start = at
    skipArray(depth: 0)
    return UnsafeBufferPointer(start: start, count: overran ? 0 : at - start)
  }

  private mutating func skipArray(depth: Int) {
    let count = varint()
    guard depth < 32, count <= UInt64(remaining) else {
      overran = true
      return
    }
    for _ in 0..<count where !overran {
      switch byte() {
      case ValueTag.no, ValueTag.yes: break
      case ValueTag.int: _ = varintBytes()
      case ValueTag.double: _ = take(8)
      case ValueTag.text: _ = take(varint())
      case ValueTag.array: skipArray(depth: depth + 1)
      default: overran = true
      }
    }
  }
}
