/// The random 128-bit name of one copy of a ledger; shown as a UUID in lower case.
public struct ReplicaID: Hashable, Sendable {
  /// The first eight bytes, most significant first.
  package let high: UInt64
  /// The last eight bytes, most significant first.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A fresh random id.
  public static func random() -> ReplicaID {
    var generator = UniqueNumbers()
    return random(using: &generator)
  }

  /// A random id from a generator of one's own, with the version and variant bits of RFC 9562.
  public static func random(using generator: inout some RandomNumberGenerator) -> ReplicaID {
    let high = generator.next() & 0xffff_ffff_ffff_0fff | 0x4000
    let low = generator.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    return ReplicaID(high: high, low: low)
  }
}

extension ReplicaID: Comparable {
  /// The order of the sixteen bytes.
  public static func < (left: ReplicaID, right: ReplicaID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension ReplicaID: CustomStringConvertible {
  public var description: String { uuid.description }

  /// Its bytes as a UUID's.
  package var uuid: PackedUUID { PackedUUID(high: high, low: low) }
}
