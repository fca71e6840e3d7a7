/// A value as queries compare it and lists sort it: numbers are of one kind, and texts that are dates are known as such.
///
/// Invariants:
/// - a double is never integral in the range of integers;
/// - equality is an equivalence relation, and `sortOrder` a total order that agrees with it, but that `missing` and `object`,
///   which are not equal, come in the same place;
/// - where `order` has an answer for two values of one kind, it is that of `sortOrder`.
package enum ComparedValue: Sendable {
  /// A field that is not set, and null.
  case missing
  /// What further fields lie below: it is not null, and compares with nothing.
  case object
  case bool(Bool)
  case int(Int64)
  case double(Double)
  /// Text that is a date, or a date with a time, of RFC 3339: Unix milliseconds.
  case instant(Int64, String)
  case text(String)
  case array([ComparedValue])

  /// - Parameter readsDates: whether texts that are dates count as instants.
  package init(_ value: Value?, readsDates: Bool = true) {
    switch value {
    case nil: self = .missing
    case .bool(let flag): self = .bool(flag)
    case .int(let number): self = .int(number)
    case .double(let number): self = Value.integral(number).map(Self.int) ?? .double(number)
    case .text(let text):
      if readsDates, let instant = LedgerTime.milliseconds(ofText: text) {
        self = .instant(instant, text)
      } else {
        self = .text(text)
      }
    case .array(let values):
      self = .array(values.map { ComparedValue($0, readsDates: readsDates) })
    }
  }
}

extension ComparedValue: Hashable {
  package static func == (left: ComparedValue, right: ComparedValue) -> Bool {
    switch (left, right) {
    case (.missing, .missing), (.object, .object): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.instant(let a, _), .instant(let b, _)): a == b
    case (.text(let a), .text(let b)): a.hasSameBytes(as: b)
    case (.array(let a), .array(let b)): a == b
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .missing, .object: break
    case .bool(let flag): hasher.combine(flag)
    case .int(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number)
    case .instant(let instant, _): hasher.combine(instant)
    case .text(let text): text.hashBytes(into: &hasher)
    case .array(let values): hasher.combine(values)
    }
  }
}

extension ComparedValue {
  /// Negative, zero or positive, as a value is less than, equal to or greater than another; nil where the two cannot be
  /// compared.
  package static func order(_ left: ComparedValue, _ right: ComparedValue) -> Int? {
    switch (left, right) {
    case (.missing, _), (.object, _), (_, .missing), (_, .object): return nil
    case (.instant(_, let a), .text(let b)), (.text(let a), .instant(_, let b)):
      return a.compareBytes(to: b)
    default:
      return left.kindRank == right.kindRank ? sortOrder(left, right) : nil
    }
  }

  /// Negative, zero or positive, as a value sorts before, with or after another: missing ones and objects first, then booleans,
  /// numbers, dates, other texts, arrays.
  package static func sortOrder(_ left: ComparedValue, _ right: ComparedValue) -> Int {
    switch (left, right) {
    case (.bool(let a), .bool(let b)): return a == b ? 0 : (a ? 1 : -1)
    case (.int(let a), .int(let b)): return a < b ? -1 : (a == b ? 0 : 1)
    case (.double(let a), .double(let b)): return a < b ? -1 : (a == b ? 0 : 1)
    case (.int(let a), .double(let b)): return compare(a, b)
    case (.double(let a), .int(let b)): return -compare(b, a)
    case (.instant(let a, _), .instant(let b, _)): return a < b ? -1 : (a == b ? 0 : 1)
    case (.text(let a), .text(let b)): return a.compareBytes(to: b)
    case (.array(let a), .array(let b)):
      for (x, y) in zip(a, b) {
        let order = sortOrder(x, y)
        if order != 0 { return order }
      }
      return a.count - b.count
    default: return left.kindRank - right.kindRank
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

  private var kindRank: Int {
    switch self {
    case .missing, .object: 0
    case .bool: 1
    case .int, .double: 2
    case .instant: 3
    case .text: 4
    case .array: 5
    }
  }
}

extension LedgerTime {
  /// Unix milliseconds of a text that is a time for `init(_:)` and has at most 64 bytes; nil for any other, most of which are told
  /// by their first bytes.
  static func milliseconds(ofText text: String) -> Int64? {
    let mayBe = text.withBytes { bytes in
      bytes.count >= 10 && bytes.count <= 64 && bytes[4] == 0x2d && bytes[7] == 0x2d
        && bytes[0] >= 0x30 && bytes[0] <= 0x39
    }
    guard mayBe else { return nil }
    var reader = TimeText(text)
    guard let time = reader.read(), time >= earliest.milliseconds, time <= latest.milliseconds
    else { return nil }
    return time
  }
}

extension TaskItem {
  /// What its document shows under a name, `_id` and the defaults of absent fields included.
  ///
  /// - Parameter readsDates: whether texts that are dates count as instants.
  package func compared(_ name: FieldName, readsDates: Bool = true) -> ComparedValue {
    if name.isID { return .text(id.text) }
    if let value = self[name.text] { return ComparedValue(value, readsDates: readsDates) }
    if let value = name.defaultValue { return ComparedValue(value, readsDates: false) }
    return hasFields(below: name) ? .object : .missing
  }
}

extension FieldName {
  /// The name under which a document shows its id.
  package static let id = FieldName(unchecked: "_id")

  /// Whether it is the id, which is no field that can be set.
  package var isID: Bool { text.utf8.count == 3 && self == .id }
}
