/// RFC 3339 to Unix milliseconds and back.
package enum PlainTime {
  /// The instant as output shows it: UTC, three decimals, Z.
  package static func text(_ milliseconds: Int64) -> String {
    let day = 86_400_000 as Int64
    let rest = milliseconds - floorDivide(milliseconds, day) * day
    let (year, month, date) = civil(fromDays: floorDivide(milliseconds, day))
    let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
    return [padded(year, 4), padded(month, 2), padded(date, 2)].joined(separator: "-")
      + "T" + clock.joined(separator: ":") + "." + padded(rest % 1000, 3) + "Z"
  }

  /// The instant of an RFC 3339 date-time, nil for anything else. Finer than a millisecond is cut.
  package static func milliseconds(_ text: PlainText) -> Int64? {
    var rest = text.bytes[...]
    func number(_ count: Int, _ range: ClosedRange<Int64>) -> Int64? {
      let digits = rest.prefix(count)
      guard digits.count == count, digits.allSatisfy(isDigit) else { return nil }
      rest = rest.dropFirst(count)
      let value = digits.reduce(0 as Int64) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
      return range.contains(value) ? value : nil
    }
    func skip(_ characters: String) -> UInt8? {
      guard let byte = rest.first, characters.utf8.contains(byte) else { return nil }
      rest = rest.dropFirst()
      return byte
    }
    guard let year = number(4, 0...9999), skip("-") != nil,
      let month = number(2, 1...12), skip("-") != nil,
      let date = number(2, 1...daysInMonth(year, month)), skip("Tt") != nil,
      let hour = number(2, 0...23), skip(":") != nil,
      let minute = number(2, 0...59), skip(":") != nil,
      let second = number(2, 0...59)
    else { return nil }
    var fraction: Int64 = 0
    if skip(".") != nil {
      let digits = rest.prefix(while: isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      for digit in Array(digits.prefix(3)) + Array("00".utf8).suffix(max(0, 3 - digits.count)) {
        fraction = fraction * 10 + Int64(digit - UInt8(ascii: "0"))
      }
    }
    var offset: Int64 = 0  // minutes ahead of UTC
    if let sign = skip("+-") {
      guard let hours = number(2, 0...23), skip(":") != nil, let minutes = number(2, 0...59)
      else { return nil }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    } else if skip("Zz") == nil {
      return nil
    }
    guard rest.isEmpty else { return nil }
    let minutes = (days(year, month, date) * 24 + hour) * 60 + minute - offset
    return (minutes * 60 + second) * 1000 + fraction
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    (number >= 0 ? number : number - divisor + 1) / divisor
  }
}

/// The Gregorian calendar, counted in the plainest way.
extension PlainTime {
  private static func isLeap(_ year: Int64) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func daysInMonth(_ year: Int64, _ month: Int64) -> Int64 {
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Int(month) - 1]
  }

  /// Days from year 0 to the first day of a year of 0...9999.
  private static func days(toYear year: Int64) -> Int64 {
    guard year > 0 else { return 0 }
    let before = year - 1
    return year * 365 + before / 4 - before / 100 + before / 400 + 1  // year 0 is a leap year
  }

  private static let epoch = days(toYear: 1970)

  /// Days since 1970-01-01.
  private static func days(_ year: Int64, _ month: Int64, _ date: Int64) -> Int64 {
    let months = (1..<month).reduce(0) { $0 + daysInMonth(year, $1) }
    return days(toYear: year) - epoch + months + date - 1
  }

  private static func civil(fromDays count: Int64) -> (Int64, Int64, Int64) {
    var year = 1970 + floorDivide(count, 366)
    while days(toYear: year + 1) - epoch <= count { year += 1 }
    while days(toYear: year) - epoch > count { year -= 1 }
    var rest = count - (days(toYear: year) - epoch)
    var month: Int64 = 1
    while rest >= daysInMonth(year, month) {
      rest -= daysInMonth(year, month)
      month += 1
    }
    return (year, month, rest + 1)
  }
}
