/// A day of the proleptic Gregorian calendar, as a number of days since 1970-01-01.
///
/// The conversions count years from March, so that the leap day is the last of its year; 146,097 days make
/// the 400-year cycle.
package struct CivilDay: Equatable, Sendable {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  /// The day with this number.
  package init(number: Int64) {
    let shifted = number + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day with this date; nil when it does not exist.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Days since 1970-01-01.
  package var number: Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.flooredQuotient(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Whether it is the last day of its month.
  var endsMonth: Bool { day == Self.days(inMonth: month, of: year) }

  static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// How many bytes "YYYY-MM-DD" has.
  static let textBytes = 10

  /// Appends "YYYY-MM-DD".
  package func append(to text: inout [UInt8]) {
    Self.append(year / 100, to: &text)
    Self.append(year % 100, to: &text)
    text.append(0x2d)
    Self.append(month, to: &text)
    text.append(0x2d)
    Self.append(day, to: &text)
  }

  /// Appends the two digits of a number from 0 to 99.
  private static func append(_ number: Int64, to text: inout [UInt8]) {
    text.append(0x30 + UInt8(truncatingIfNeeded: number / 10))
    text.append(0x30 + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Reads exactly "YYYY-MM-DD"; nil for anything else.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.count == Self.textBytes, text[4] == 0x2d, text[7] == 0x2d,
      let year = Self.digits(text, 0..<4), let month = Self.digits(text, 5..<7),
      let day = Self.digits(text, 8..<10)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  private static func digits(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int64? {
    var value: Int64 = 0
    for index in range {
      guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
      value = value * 10 + Int64(text[index] - 0x30)
    }
    return value
  }
}
