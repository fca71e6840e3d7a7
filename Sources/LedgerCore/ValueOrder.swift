/// The order in which lists sort values: missing first, then booleans, numbers, texts, arrays; within a type as one
/// expects, texts by their bytes, arrays element by element.
extension Value {
  /// Whether a value sorts before another; nil is a missing value.
  package static func precedes(_ left: Value?, _ right: Value?) -> Bool {
    compare(left, right) < 0
  }

  /// Negative, zero or positive, as a value sorts before, with or after another.
  package static func compare(_ left: Value?, _ right: Value?) -> Int {
    guard let left else { return right == nil ? 0 : -1 }
    guard let right else { return 1 }
    switch (left, right) {
    case (.bool(let a), .bool(let b)): return a == b ? 0 : (a ? 1 : -1)
    case (.int(let a), .int(let b)): return a < b ? -1 : (a == b ? 0 : 1)
    case (.double(let a), .double(let b)): return a < b ? -1 : (a == b ? 0 : 1)
    case (.int(let a), .double(let b)): return compare(a, b)
    case (.double(let a), .int(let b)): return -compare(b, a)
    case (.text(let a), .text(let b)): return a.compareBytes(to: b)
    case (.array(let a), .array(let b)):
      for (x, y) in zip(a, b) {
        let order = compare(x, y)
        if order != 0 { return order }
      }
      return a.count - b.count
    default: return left.typeRank - right.typeRank
    }
  }

  /// Exact, where converting the integer to a double could round it.
  private static func compare(_ integer: Int64, _ double: Double) -> Int {
    if double >= 0x1p63 { return -1 }
    if double < -0x1p63 { return 1 }
    // Rounding towards zero by conversion: no call of the C mathematics library.
    let whole = Int64(double)
    if integer != whole { return integer < whole ? -1 : 1 }
    return Double(whole) == double ? 0 : (Double(whole) < double ? -1 : 1)
  }

  private var typeRank: Int {
    switch self {
    case .bool: 0
    case .int, .double: 1
    case .text: 2
    case .array: 3
    }
  }
}
