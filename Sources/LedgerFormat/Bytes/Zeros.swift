#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Looks for bytes that are not zero: an active segment is mostly zeros, and all of them count.
package enum Zeros {
  /// The place of the last byte that is not zero, from a place on; nil when all are.
  package static func lastOther(in bytes: [UInt8], from start: Int) -> Int? {
    guard start < bytes.count else { return nil }
    return isAllZero(bytes, from: start) ? nil : bytes[start...].lastIndex { $0 != 0 }
  }

  /// Bytes of which the first is zero and each equals the one before it.
  private static func isAllZero(_ bytes: [UInt8], from start: Int) -> Bool {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress, all[start] == 0 else { return false }
      return memcmp(base + start, base + start + 1, all.count - start - 1) == 0
    }
  }
}
