import LedgerCore
import Testing

/// RFC 3339 text becomes Unix milliseconds. The expected numbers come from `date -u -d … +%s`.
struct TimeReadingTests {
  private func milliseconds(_ text: String) throws -> Int64 {
    try LedgerTime(text).milliseconds
  }

  private func expectNoTime(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefusal(
      "\"\(text)\" is not a time",
      hint: "write RFC 3339, such as 2026-11-30T12:00:00.123Z or 2026-11-30",
      sourceLocation: sourceLocation
    ) { _ = try LedgerTime(text) }
  }

  @Test func `a full time is read to the millisecond`() throws {
    #expect(try milliseconds("2026-11-30T12:00:00.123Z") == 1_796_040_000_123)
    #expect(try milliseconds("1970-01-01T00:00:00Z") == 0)
    #expect(try milliseconds("1969-12-31T23:59:59.999Z") == -1)
    #expect(try milliseconds("2000-02-29T23:59:59Z") == 951_868_799_000)
  }

  @Test func `a bare date is its first instant in UTC`() throws {
    #expect(try milliseconds("2026-11-30") == 1_795_996_800_000)
    #expect(try LedgerTime("2026-11-30") == LedgerTime("2026-11-30T00:00:00Z"))
  }

  @Test func `small letters and a space are fine between the parts`() throws {
    let expected = try milliseconds("2026-11-30T12:00:00Z")
    #expect(try milliseconds("2026-11-30t12:00:00z") == expected)
    #expect(try milliseconds("2026-11-30 12:00:00Z") == expected)
  }

  @Test(arguments: [
    ("2026-11-30T14:00:00+02:00", "2026-11-30T12:00:00Z"),
    ("2026-11-30T03:15:00-08:45", "2026-11-30T12:00:00Z"),
    ("2026-12-01T00:30:00+01:00", "2026-11-30T23:30:00Z"),
    ("2026-11-30T12:00:00-00:00", "2026-11-30T12:00:00Z"),
    ("2026-11-30T12:00:00+23:59", "2026-11-29T12:01:00Z"),
    ("1970-01-01T00:00:00.250+01:00", "1969-12-31T23:00:00.250Z"),
  ])
  func `an offset is taken off`(local: String, utc: String) throws {
    #expect(try LedgerTime(local) == LedgerTime(utc))
  }

  @Test(arguments: [
    (".1", 100), (".12", 120), (".123", 123), (".1239", 123), (".9999999999", 999), (".0009", 0),
  ])
  func `what is finer than a millisecond is cut`(fraction: String, expected: Int64) throws {
    #expect(try milliseconds("1970-01-01T00:00:00\(fraction)Z") == expected)
    #expect(try milliseconds("1969-12-31T23:59:00\(fraction)Z") == expected - 60_000)
  }

  @Test func `any number of decimals is read`() throws {
    let many = String(repeating: "9", count: 1000)
    #expect(try milliseconds("1970-01-01T00:00:00.\(many)Z") == 999)
  }

  @Test(arguments: [
    "2026-02-29", "2100-02-29", "1900-02-29", "2024-02-30", "2026-04-31", "2026-06-31",
    "2026-09-31",
    "2026-11-31", "2026-01-32", "2026-13-01", "2026-00-10", "2026-01-00", "2026-00-00",
  ])
  func `a date that does not exist is refused`(text: String) {
    expectNoTime(text)
    expectNoTime(text + "T00:00:00Z")
  }

  @Test(arguments: ["2024-02-29", "2000-02-29", "0000-02-29", "2026-12-31"])
  func `the last day of a month is read`(text: String) throws {
    #expect(try LedgerTime(text).description == text + "T00:00:00.000Z")
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-1-30", "26-11-30", "12026-11-30", "-026-11-30", "+026-11-30",
    "2026/11/30", "20261130", " 2026-11-30", "2026-11-30 ", "2026-11-30Z", "2026-11-30T",
    "2026-11-30T12", "2026-11-30T12Z", "2026-11-30T12:00Z", "2026-11-30T12:00",
    "2026-11-30T12:00:00.Z", "2026-11-30T12:00:00,5Z", "2026-11-30T12:00:00.",
    "2026-11-30T1:00:00Z",
    "2026-11-30T24:00:00Z", "2026-11-30T12:60:00Z", "2026-11-30T12:00:61Z", "2026-11-30_12:00:00Z",
    "2026-11-30T12:00:00ZZ", "2026-11-30T12:00:00Z ", "2026-11-30T12:00:00+1:00",
    "2026-11-30T12:00:00+0100", "2026-11-30T12:00:00+01", "2026-11-30T12:00:00+24:00",
    "2026-11-30T12:00:00+01:60", "2026-11-30T12:00:00+", "2026-11-30T12:00:00+01:00Z",
    "２０２６-11-30", "2026-11-30T12:00:00\u{0}Z", "1796040000", "now",
  ])
  func `what is not RFC 3339 is refused`(text: String) {
    expectNoTime(text)
  }

  @Test func `the error repeats no more than 64 characters`() {
    let accents = "x" + String(repeating: "\u{301}", count: 100_000)
    expectRefusal(
      "\"x\(String(repeating: "\u{301}", count: 63))…\" is not a time",
      hint: "write RFC 3339, such as 2026-11-30T12:00:00.123Z or 2026-11-30"
    ) { _ = try LedgerTime(accents) }
  }

  @Test(arguments: ["2026-11-30T12:00:00", "2026-11-30 12:00:00.5", "2016-12-31t23:59:60"])
  func `a time without a zone is told what it lacks`(text: String) {
    expectRefusal(
      "\"\(text)\" is not a time: the zone is missing",
      hint: "add Z for UTC, or an offset such as +01:00"
    ) { _ = try LedgerTime(text) }
  }

  @Test func `a leap second counts as the first of the next month`() throws {
    #expect(try LedgerTime("2016-12-31T23:59:60Z") == LedgerTime("2017-01-01"))
    #expect(try LedgerTime("2016-12-31T23:59:60.999Z") == LedgerTime("2017-01-01"))
    #expect(try LedgerTime("2015-06-30T23:59:60Z") == LedgerTime("2015-07-01"))
    #expect(try LedgerTime("2017-01-01T00:59:60+01:00") == LedgerTime("2017-01-01"))
    #expect(try LedgerTime("2016-12-31T15:59:60-08:00") == LedgerTime("2017-01-01"))
    #expect(try LedgerTime("2024-02-29T23:59:60Z") == LedgerTime("2024-03-01"))
  }

  @Test(arguments: [
    "2016-12-30T23:59:60Z", "2016-12-31T23:58:60Z", "2016-12-31T22:59:60Z", "2016-12-31T00:00:60Z",
    "2016-12-31T23:59:60+01:00", "2024-02-28T23:59:60Z", "9999-12-31T23:59:60Z",
    "0000-01-01T00:00:60Z",
  ])
  func `a leap second elsewhere is refused`(text: String) {
    expectNoTime(text)
  }

  @Test func `years go from 0000 to 9999 in UTC`() throws {
    #expect(try LedgerTime("0000-01-01") == .earliest)
    #expect(try LedgerTime("9999-12-31T23:59:59.999999Z") == .latest)
    #expect(try LedgerTime("9999-12-31T23:59:59.999+00:01") < .latest)
    expectNoTime("0000-01-01T00:00:00+00:01")
    expectNoTime("9999-12-31T23:59:59-00:01")
  }

  @Test func `a number of milliseconds outside those years is refused`() throws {
    #expect(try LedgerTime(milliseconds: -62_167_219_200_000) == .earliest)
    #expect(try LedgerTime(milliseconds: 253_402_300_799_999) == .latest)
    expectRefusal("the time -62167219200001 ms lies outside the years 0000 to 9999") {
      _ = try LedgerTime(milliseconds: -62_167_219_200_001)
    }
    expectRefusal("the time 253402300800000 ms lies outside the years 0000 to 9999") {
      _ = try LedgerTime(milliseconds: 253_402_300_800_000)
    }
    expectRefusal("the time \(Int64.min) ms lies outside the years 0000 to 9999") {
      _ = try LedgerTime(milliseconds: .min)
    }
  }
}
