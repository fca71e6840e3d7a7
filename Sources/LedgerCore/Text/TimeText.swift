/// A cursor over RFC 3339 text.
struct TimeText {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether the text is a time as far as it goes, and ends before the zone.
  private(set) var lacksZone = false

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Unix milliseconds, or nil when the text is no time.
  mutating func read() -> Int64? {
    let date = bytes.withUnsafeBufferPointer {
      CivilDay(UnsafeBufferPointer(rebasing: $0.prefix(10)))
    }
    guard let day = date else { return nil }
    position = 10
    let midnight = day.number * 86_400_000
    if position == bytes.count { return midnight }
    guard let separator = next(), separator == 0x54 || separator == 0x74 || separator == 0x20,
      let hour = digits(2), hour < 24, next() == 0x3a, let minute = digits(2), minute < 60,
      next() == 0x3a, let second = digits(2), second <= 60,
      let fraction = fraction(), let offset = offset(), position == bytes.count
    else { return nil }
    let time = midnight + (hour * 60 + minute - offset) * 60_000 + second * 1000
    if second == 60 {
      // A leap second ends a month in UTC (RFC 3339, section 5.7); Unix time gives it the number of the next second.
      let previous = time - 1000
      let day = previous.flooredQuotient(by: 86_400_000)
      guard previous - day * 86_400_000 == 86_399_000, CivilDay(number: day).endsMonth else {
        return nil
      }
      return time
    }
    return time + fraction
  }

  private mutating func next() -> UInt8? {
    guard position < bytes.count else { return nil }
    position += 1
    return bytes[position - 1]
  }

  private mutating func digits(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard let byte = next(), (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    return value
  }

  /// Milliseconds of the optional fraction; finer digits are cut.
  private mutating func fraction() -> Int64? {
    guard position < bytes.count, bytes[position] == 0x2e else { return 0 }
    position += 1
    var value: Int64 = 0
    var count = 0
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
      if count < 3 { value = value * 10 + Int64(bytes[position] - 0x30) }
      count += 1
      position += 1
    }
    guard count > 0 else { return nil }
    for _ in count..<max(count, 3) { value *= 10 }
    return value
  }

  /// Minutes east of UTC.
  private mutating func offset() -> Int64? {
    guard let sign = next() else {
      lacksZone = true
      return nil
    }
    if sign == 0x5a || sign == 0x7a { return 0 }
    guard sign == 0x2b || sign == 0x2d, let hours = digits(2), hours < 24, next() == 0x3a,
      let minutes = digits(2), minutes < 60
    else { return nil }
    return (sign == 0x2b ? 1 : -1) * (hours * 60 + minutes)
  }
}
