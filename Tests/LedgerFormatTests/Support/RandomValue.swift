import LedgerCore

/// Values of every type, with those at the borders of their encodings among them.
enum RandomValue {
  static func any(using generator: inout SeededGenerator, depth: Int = 0) -> Value {
    switch Int.random(in: 0..<(depth < 3 ? 9 : 7), using: &generator) {
    case 0: .bool(Bool.random(using: &generator))
    case 1, 2: .int(integer(using: &generator))
    case 3: double(using: &generator)
    case 4: .text(date(using: &generator))
    case 5, 6: .text(text(using: &generator))
    default: array(using: &generator, depth: depth)
    }
  }

  /// Every magnitude is as likely as any other.
  static func integer(using generator: inout SeededGenerator) -> Int64 {
    let shift = Int.random(in: 0..<64, using: &generator)
    let number = Int64(bitPattern: generator.next() >> UInt64(shift))
    return Bool.random(using: &generator) ? number : 0 &- number
  }

  /// Any finite double without an integral value.
  static func double(using generator: inout SeededGenerator) -> Value {
    while true {
      let number = Double(bitPattern: generator.next())
      if number.isFinite, Value.integral(number) == nil { return .double(number) }
    }
  }

  /// A day, or what looks like one and is none.
  static func date(using generator: inout SeededGenerator) -> String {
    let odd = ["2026-02-29", "2026-13-01", "0000-00-00", "2026-1-011", "2026-01-01T", "+026-01-01"]
    if generator.once(in: 4) { return odd.randomElement(using: &generator) ?? "" }
    let day = Int64.random(in: -719_528...2_932_896, using: &generator)
    return CalendarText.text(day)
  }

  static func text(using generator: inout SeededGenerator) -> String {
    let pieces = [
      "", "a", "milk", "\"", "\\", "\n", "\u{0}", "\u{7f}", "\u{e9}", "e\u{301}", "\u{20ac}",
      "\u{1f600}", "\u{ffff}", "\u{10ffff}", "2026-01-01",
    ]
    let count = Int.random(in: 0...6, using: &generator)
    return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  private static func array(using generator: inout SeededGenerator, depth: Int) -> Value {
    let count = Int.random(in: 0...4, using: &generator)
    return .array((0..<count).map { _ in any(using: &generator, depth: depth + 1) })
  }

  /// Arrays nested so many deep, the innermost empty.
  static func nested(_ depth: Int) -> Value {
    (1..<depth).reduce(.array([])) { value, _ in .array([value]) }
  }
}

/// Days as texts, by the calendar of the core alone.
enum CalendarText {
  static func text(_ day: Int64) -> String {
    var bytes: [UInt8] = []
    CivilDay(number: day).append(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
