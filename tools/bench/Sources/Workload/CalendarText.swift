import BenchSupport

extension OutputBuffer {
  /// Writes `YYYY-MM-DD` for days since 1970, by the proleptic Gregorian calendar.
  ///
  /// The year is counted from 1 March, so that the leap day is its last day.
  func append(day: Int) {
    let sinceMarch0 = day + 719_468
    let era = sinceMarch0 / 146_097
    let dayOfEra = sinceMarch0 % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    append(digits: UInt(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), width: 4)
    append(byte: UInt8(ascii: "-"))
    append(digits: UInt(month), width: 2)
    append(byte: UInt8(ascii: "-"))
    append(digits: UInt(dayOfMonth), width: 2)
  }

  /// Writes RFC 3339 with three decimals and `Z` for Unix milliseconds.
  func append(time milliseconds: Int) {
    append(day: milliseconds / 86_400_000)
    append(byte: UInt8(ascii: "T"))
    append(digits: UInt(milliseconds / 3_600_000 % 24), width: 2)
    append(byte: UInt8(ascii: ":"))
    append(digits: UInt(milliseconds / 60_000 % 60), width: 2)
    append(byte: UInt8(ascii: ":"))
    append(digits: UInt(milliseconds / 1000 % 60), width: 2)
    append(byte: UInt8(ascii: "."))
    append(digits: UInt(milliseconds % 1000), width: 3)
    append(byte: UInt8(ascii: "Z"))
  }
}
