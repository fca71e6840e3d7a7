import LedgerCore
import Testing

/// The number of a day and its date are two names of one thing.
struct CalendarTests {
  @Test func `a day number gives a date and the date gives the number back`() {
    for number in stride(from: Int64(-800_000), through: 2_932_896, by: 11) {
      #expect(CivilDay(number: number).number == number)
    }
  }

  @Test func `the days of four centuries follow one another as a calendar has them`() throws {
    var expected = try #require(CivilDay(year: 1800, month: 1, day: 1))
    #expect(expected.number == -62_091)
    for number in expected.number..<(expected.number + 146_097) {
      #expect(CivilDay(number: number) == expected)
      expected = tomorrow(expected)
    }
    #expect(expected == CivilDay(year: 2200, month: 1, day: 1))
  }

  /// The next day, by the rules that schools teach.
  private func tomorrow(_ day: CivilDay) -> CivilDay {
    let isLeap = day.year % 400 == 0 || (day.year % 4 == 0 && day.year % 100 != 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var next = day
    next.day += 1
    if next.day > lengths[Int(day.month) - 1] { (next.month, next.day) = (day.month + 1, 1) }
    if next.month > 12 { (next.year, next.month) = (day.year + 1, 1) }
    return next
  }

  @Test(arguments: [
    (-719_528, 0, 1, 1), (-1, 1969, 12, 31), (0, 1970, 1, 1), (11_016, 2000, 2, 29),
    (20_787, 2026, 11, 30), (2_932_896, 9999, 12, 31), (-719_529, -1, 12, 31),
  ])
  func `well-known days have their numbers`(number: Int64, year: Int64, month: Int64, day: Int64) {
    let found = CivilDay(number: number)
    #expect([found.year, found.month, found.day] == [year, month, day])
    #expect(found.number == number)
  }

  @Test func `dates outside the years 0000 to 9999 do not exist`() {
    #expect(CivilDay(year: -1, month: 12, day: 31) == nil)
    #expect(CivilDay(year: 10_000, month: 1, day: 1) == nil)
  }
}
