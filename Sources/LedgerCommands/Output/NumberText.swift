import LedgerFormat

/// Numbers as people read them.
enum NumberText {
  /// An integer with a comma between thousands.
  static func grouped(_ number: some BinaryInteger) -> String {
    var digits = Array(String(number.magnitude).utf8)
    var index = digits.count - 3
    while index > 0 {
      digits.insert(0x2c, at: index)
      index -= 3
    }
    return (number < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  /// "1 event", "2 events".
  static func count(_ number: some BinaryInteger, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(grouped(number)) \(noun)s"
  }

  /// A rate in whole units a second; nil when the time was too short to tell.
  static func rate(_ count: UInt64, seconds: Double) -> UInt64? {
    guard seconds > 0 else { return nil }
    return UInt64(exactly: (Double(count) / seconds).rounded())
  }
}
