import LedgerCore

/// A packed key, taken apart so that what cannot be compressed lies by itself.
///
/// The first six bytes ascend from key to key: of most kinds of UUID they are a time, or the only ones that a sorted run says anything
/// about. Bytes 6 and 8 have the version and the variant of the UUID in their upper halves, the same in most keys; all else is
/// random.
struct KeyParts: Hashable {
  /// How many bytes of a key stand in the stream `tails`.
  static let tailByteCount = 10
  static let leadMax: UInt64 = 1 << 48 - 1

  /// The first six bytes.
  var lead: UInt64
  /// The upper halves of bytes 6 and 8.
  var mark: UInt8
  /// The lower halves of bytes 6 and 8.
  var mixed: UInt8
  /// Byte 7, then bytes 9 to 15.
  var rest: UInt64

  init(lead: UInt64, mark: UInt8, mixed: UInt8, rest: UInt64) {
    (self.lead, self.mark, self.mixed, self.rest) = (lead, mark, mixed, rest)
  }

  init(high: UInt64, low: UInt64) {
    let sixth = UInt8(truncatingIfNeeded: high >> 8)
    let eighth = UInt8(truncatingIfNeeded: low >> 56)
    lead = high >> 16
    mark = sixth & 0xf0 | eighth >> 4
    mixed = sixth << 4 | eighth & 0x0f
    rest = high << 56 | low & Self.lowBytes
  }

  /// The first eight bytes of the key, the most significant first.
  @inline(__always)
  var high: UInt64 { lead << 16 | UInt64(mark & 0xf0 | mixed >> 4) << 8 | rest >> 56 }

  /// The last eight bytes.
  @inline(__always)
  var low: UInt64 { UInt64(mark << 4 | mixed & 0x0f) << 56 | rest & Self.lowBytes }

  /// What stands of the first key of a block in the stream `tails`.
  var tail: [UInt8] {
    var bytes = [UInt8(truncatingIfNeeded: lead), mixed]
    bytes.append(u64: rest.byteSwapped)
    return bytes
  }

  private static var lowBytes: UInt64 { 1 << 56 - 1 }
}
