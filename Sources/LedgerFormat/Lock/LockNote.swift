import LedgerCore

/// What the first bytes of LOCK hold: the mark of who held the lock last, and whether anybody waits for it.
package struct LockNote {
  package let mark: UInt64
  package let isAwaited: Bool
  /// Whether nobody has waited since LOCK was made.
  private let isShort: Bool

  package static let byteCount = 9
  /// Where the byte stands that tells whether anybody waits.
  package static let awaitedOffset: UInt64 = 8
  package static let awaited: UInt8 = 1
  package static let notAwaited: UInt8 = 0

  package init(_ bytes: [UInt8]) {
    mark = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    isShort = bytes.count < Self.byteCount
    isAwaited = bytes.count == Self.byteCount && bytes.last == Self.awaited
  }

  /// What to write over it for another mark: whoever waits goes on waiting.
  package func bytes(of mark: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(u64: mark)
    // At its full length it is read by one call.
    if isShort { bytes.append(Self.notAwaited) }
    return bytes
  }
}
