import LedgerCore

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A SHA-256 value.
package struct Digest: Hashable, Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// 32 zero bytes: the log digest before the first event.
  package static let zero = Digest()

  private init() {}

  /// - Precondition: there are 32 bytes.
  package init(_ bytes: some Collection<UInt8>) {
    precondition(bytes.count == 32)
    Swift.withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
  }

  /// The SHA-256 of some bytes.
  package init(of bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { Digest(of: $0) }
  }

  /// The SHA-256 of some bytes.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256Stream()
    hash.update(bytes)
    self = hash.finish()
  }

  package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

  package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try Swift.withUnsafeBytes(of: words, body)
  }

  package mutating func withUnsafeMutableBytes<R>(
    _ body: (UnsafeMutableRawBufferPointer) throws -> R
  ) rethrows -> R {
    try Swift.withUnsafeMutableBytes(of: &words, body)
  }

  /// The first eight bytes as a little-endian number: the checksum of files, frames and blocks.
  package var checksum: UInt64 { UInt64(littleEndian: words.0) }

  /// 64 hexadecimal digits.
  package var hex: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(64)
    for byte in bytes {
      for nibble in [byte >> 4, byte & 15] {
        digits.append(nibble < 10 ? 0x30 + nibble : 0x57 + nibble)
      }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  package static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }

  fileprivate static func uninitialized() -> Digest { Digest() }
}

/// SHA-256 of bytes that come in parts.
package struct SHA256Stream {
  #if canImport(CryptoKit)
    private var state = SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      state.update(bufferPointer: bytes)
    }

    package mutating func finish() -> Digest { Digest(Array(state.finalize())) }
  #else
    private var state = SHA256_CTX()

    package init() { SHA256_Init(&state) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      SHA256_Update(&state, bytes.baseAddress, bytes.count)
    }

    package mutating func finish() -> Digest {
      var digest = Digest.uninitialized()
      digest.withUnsafeMutableBytes { bytes in
        _ = SHA256_Final(bytes.assumingMemoryBound(to: UInt8.self).baseAddress, &state)
      }
      return digest
    }
  #endif

  package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

  package mutating func update(_ digest: Digest) { digest.withUnsafeBytes { update($0) } }
}

/// The checksum of files, frames and blocks: the first eight bytes of SHA-256.
package func checksum(of bytes: some Sequence<UInt8>) -> UInt64 {
  Digest(of: Array(bytes)).checksum
}

/// The checksum of a range of bytes.
package func checksum(of bytes: [UInt8], in range: Range<Int>) -> UInt64 {
  bytes.withUnsafeBytes { Digest(of: UnsafeRawBufferPointer(rebasing: $0[range])).checksum }
}
