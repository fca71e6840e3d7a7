#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension UnsafeBufferPointer where Element == UInt8 {
  /// Compares with a constant text in place.
  public func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    guard let start = baseAddress else { return true }
    return memcmp(start, text.utf8Start, count) == 0
  }

  /// The bytes between the quotes of a JSON string, escapes and all.
  public var unquoted: UnsafeBufferPointer<UInt8> {
    guard count >= 2, self[0] == UInt8(ascii: "\"") else { return self }
    return UnsafeBufferPointer(rebasing: self[1..<(count - 1)])
  }

  /// The value of a run of ASCII digits; nil for anything else.
  public var decimal: Int? {
    guard !isEmpty, count < 19 else { return nil }
    var value = 0
    for byte in self {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  public var string: String {
    String(decoding: self, as: UTF8.self)
  }
}
