import BenchSupport

/// A task id as two words: the workload's ids are UUIDs, and two words hash faster than text.
struct TaskKey: Hashable, Comparable {
  let high: UInt64
  let low: UInt64

  /// Nil when the text is not a UUID in lower case.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count == 36 else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    var digits = 0
    for byte in text where byte != UInt8(ascii: "-") {
      let nibble: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): nibble = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): nibble = byte - UInt8(ascii: "a") + 10
      default: return nil
      }
      if digits < 16 {
        words.0 = words.0 << 4 | UInt64(nibble)
      } else {
        words.1 = words.1 << 4 | UInt64(nibble)
      }
      digits += 1
    }
    guard digits == 32 else { return nil }
    (high, low) = words
  }

  static func < (left: TaskKey, right: TaskKey) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  func write(to out: OutputBuffer) {
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 { out.append(byte: 0x2d) }
      let word = digit < 16 ? high : low
      let nibble = UInt8(truncatingIfNeeded: word >> UInt64((15 - digit % 16) * 4)) & 15
      out.append(byte: nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
    }
  }
}
