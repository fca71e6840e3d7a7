/// So many days, weeks, months or years from a day: `+3d`, `-2w`, `+2m`, `+1y`.
///
/// A month on is the same day of the next month; where that month is shorter, its last day.
package struct DayDistance: Hashable, Sendable {
  package enum Unit: UInt8, Sendable {
    case days = 0x64
    case weeks = 0x77
    case months = 0x6d
    case years = 0x79
  }

  /// How many; negative towards the past.
  package var count: Int64
  package var unit: Unit
  /// Whether the unit was written, as opposed to days that go without saying.
  package var namesUnit: Bool

  /// With more digits it would lead out of the calendar.
  private static let digitsMax = 7
  /// What messages say of how it is written.
  static let form = "at most seven digits, alone or with d, w, m or y behind them"

  /// Reads a sign, digits and perhaps a unit, and nothing else; nil for another text.
  package init?(_ text: some Collection<UInt8>) {
    guard let sign = text.first, sign == 0x2b || sign == 0x2d else { return nil }
    var digits = Array(text.dropFirst())
    let last = digits.last.flatMap(Unit.init(rawValue:))
    if last != nil { digits.removeLast() }
    guard (1...Self.digitsMax).contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let size = digits.reduce(Int64(0)) { 10 * $0 + Int64($1 - 0x30) }
    count = sign == 0x2d ? -size : size
    unit = last ?? .days
    namesUnit = last != nil
  }

  /// How many days it is from any day; nil where that depends on the day.
  package var days: Int64? {
    switch unit {
    case .days: count
    case .weeks: 7 * count
    case .months, .years: nil
    }
  }

  /// The day that lies so far from another; nil where that is in no year from 0000 to 9999.
  package func day(from start: CivilDay) -> CivilDay? {
    if let days {
      let day = CivilDay(number: start.number + days)
      return (0...9999).contains(day.year) ? day : nil
    }
    let months = start.year * 12 + start.month - 1 + (unit == .years ? 12 : 1) * count
    let year = months.flooredQuotient(by: 12)
    let month = months - year * 12 + 1
    guard (0...9999).contains(year) else { return nil }
    let day = min(start.day, CivilDay.days(inMonth: month, of: year))
    return CivilDay(year: year, month: month, day: day)
  }
}

extension DayDistance: CustomStringConvertible {
  /// As it is written: `+7`, `-2w`.
  package var description: String {
    let unit = namesUnit ? String(Unicode.Scalar(unit.rawValue)) : ""
    return "\(count < 0 ? "" : "+")\(count)\(unit)"
  }
}
