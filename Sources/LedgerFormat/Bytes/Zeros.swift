#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Looks for bytes that are not zero: an active segment is mostly zeros, and all of them count.
package enum Zeros {
  /// The place of the last byte in a range that is not zero; nil when all are.
  package static func lastOther(in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    return isAllZero(bytes, range) ? nil : bytes[range].lastIndex { $0 != 0 }
  }

  /// Bytes of which the first is zero and each equals the one before it.
  private static func isAllZero(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    bytes.withUnsafeBytes { all in
      let part = UnsafeRawBufferPointer(rebasing: all[range])
      guard let base = part.baseAddress, part[0] == 0 else { return false }
      return memcmp(base, base + 1, part.count - 1) == 0
    }
  }
}
