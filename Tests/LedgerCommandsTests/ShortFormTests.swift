import LedgerCore
import Testing

@testable import LedgerCommands

@Suite struct `Short forms` {
  /// A Monday.
  private let today: Int64

  init() throws { today = try LedgerTime("2026-11-30T23:59:59.999Z").milliseconds.flooredDays }

  private func read(_ words: [String], unsets: Bool = false) throws -> ShortForms.Reading {
    var arguments = Arguments()
    arguments.operands = words
    return try ShortForms.read(arguments, today: today, unsets: unsets)
  }

  @Test(arguments: [
    "http://x", "https://due:1@example.org", "C:\\x", "10:30", "+1", "+1.5", "+49-30-1", "c++", "+",
    "++",
    "+home,", "+a.b", "+½", "-home", "due", "Due:today", "xdue:today", "pri", "pri=1",
    "see due:today",
    "+see it", "due:", "pri:", "priority:", "due\u{301}:today", "tomorrow", "",
  ])
  func `leave every other word alone`(_ word: String) throws {
    let reading = try read([word])
    #expect(reading.words == [word])
    #expect(reading.changes == [])
  }

  @Test func `set due, priority and tags`() throws {
    let reading = try read(["Buy", "due:tomorrow", "milk", "+home", "pri:-3", "+näh_zeug-2"])
    #expect(reading.words == ["Buy", "milk"])
    #expect(
      try ChangeSet(reading.changes)
        == ChangeSet([
          FieldChange(FieldName("due"), "2026-12-01"), FieldChange(FieldName("priority"), -3),
          FieldChange(FieldName("tags.home"), true),
          FieldChange(FieldName("tags.näh_zeug-2"), true),
        ]))
    #expect(try read(["priority:9223372036854775807"]).changes.first?.value == .int(.max))
  }

  @Test func `end at the dashes`() throws {
    var arguments = Arguments()
    arguments.operands = ["+a", "+b", "due:x"]
    arguments.literalStart = 1
    let reading = try ShortForms.read(arguments, today: today, unsets: true)
    #expect(reading.words == ["+b", "due:x"])
    #expect(reading.changes.count == 1)
  }

  @Test func `unset where there is no text that they could be`() throws {
    let changes = try read(["due:", "pri:"], unsets: true).changes
    #expect(changes.map(\.name.text) == ["due", "priority"])
    #expect(changes.allSatisfy { $0.value == nil })
  }

  @Test(arguments: [
    "due:someday", "due:2026-02-30", "due:2026-2-3", "due:+", "due:+3", "due:+3x", "due:+-3d",
    "due:3d",
    "due:+99999999d", "due:+9999999w", "due:+9999999m", "due:-9999y", "due:-3", "due:fri+",
    "due:fri+1h",
    "due:+1d+1d", "due:+d", "due:friday1w", "due:١", "due:tue,", "pri:high",
    "pri:+1",
    "pri:1.5", "pri:-", "pri:9223372036854775808", "priority:1e3", "pri:١",
  ])
  func `are refused where they give no value`(_ word: String) throws {
    let error = #expect(throws: LedgerError.self) { try read(["Milk", word]) }
    #expect(error?.code == .usage)
    let hint = error?.hint ?? ""
    #expect(hint.contains("--set") || hint.hasPrefix("did you mean `due:"))
  }

  @Test(
    arguments: [
      ("2026-2-3", "2026-02-03"), ("2026.2.3", "2026-02-03"), ("3.2.2026", "2026-02-03"),
      ("24/12/2026", "2026-12-24"), ("12/24/2026", "2026-12-24"), ("+3", "+3d"), ("3d", "+3d"),
      ("1W", "+1w"), ("-3", "-3d"), ("fri+", "fri"), ("friday1w", "friday+1w"), ("FRI2W", "fri+2w"),
      ("tomorow", "tomorrow"), ("tue,", "tue"), ("Wendesday", "wednesday"),
      ("3/4/2026", nil), ("31.2.2026", nil), ("2026", nil), ("3", nil), ("x1w", nil),
      ("someday", nil),
      ("٣d", nil), ("", nil), ("+", nil), ("99999999999999999999d", nil), ("9999999999y", nil),
    ] as [(String, String?)])
  func `say which day is meant where that can be told`(_ text: String, _ meant: String?) {
    #expect(MeantDay.word(text) == meant)
    if let meant { #expect(NamedDay.read(meant, today: 20_000) != nil) }
  }

  @Test(arguments: ["due:2026-12-24T10:00", "due:tomorrow-14:00", "due:18:00"])
  func `say how a time of day is written that is not in full`(_ word: String) throws {
    let error = #expect(throws: LedgerError.self) { try read(["Milk", word]) }
    #expect(error?.code == .usage)
    #expect(error?.hint?.contains("due:2026-12-24T18:00:00+01:00") == true)
  }

  @Test(arguments: [
    ("today", "2026-11-30"), ("yesterday", "2026-11-29"), ("tomorrow", "2026-12-01"),
    ("TOMORROW", "2026-12-01"),
    ("mon", "2026-12-07"), ("tue", "2026-12-01"), ("Sunday", "2026-12-06"), ("sun", "2026-12-06"),
    ("+0d", "2026-11-30"), ("+3d", "2026-12-03"), ("+2w", "2026-12-14"),
    ("2024-02-29", "2024-02-29"),
    ("+9999d", "2054-04-16"), ("-1d", "2026-11-29"), ("+1m", "2026-12-30"), ("+3M", "2027-02-28"),
    ("-9m", "2026-02-28"), ("+1y", "2027-11-30"), ("fri+1w", "2026-12-11"),
    ("mon-1w", "2026-11-30"),
    ("today+7", "2026-12-07"), ("yesterday-1m", "2026-10-29"),
    ("2026-12-24T18:00:00+01:00", "2026-12-24T18:00:00+01:00"),
  ])
  func `name days`(_ word: String, _ day: String) {
    #expect(NamedDay.read(word, today: today) == day)
  }

  @Test func `name days before 1970, and none after the year 9999`() throws {
    let first = LedgerTime.earliest.milliseconds.flooredDays
    let last = LedgerTime.latest.milliseconds.flooredDays
    #expect(NamedDay.read("thu", today: -1) == "1970-01-01")
    #expect(NamedDay.read("wed", today: -1) == "1970-01-07")
    #expect(NamedDay.read("today", today: first) == "0000-01-01")
    #expect(NamedDay.read("sun", today: first) == "0000-01-02")
    #expect(NamedDay.read("yesterday", today: first) == nil)
    #expect(NamedDay.read("tomorrow", today: last) == nil)
    #expect(NamedDay.read("today", today: last) == "9999-12-31")
  }
}

@Suite struct `Local days` {
  @Test(arguments: [
    ("2026-11-30T12:00:00Z", 0, "2026-11-30"), ("2026-11-30T23:30:00Z", 3600, "2026-12-01"),
    ("2026-11-30T00:30:00Z", -3600, "2026-11-29"), ("1970-01-01T00:00:00Z", -1, "1969-12-31"),
    ("2026-11-30T12:00:00Z", 50_400, "2026-12-01"), ("2026-12-31T18:15:00Z", 20_700, "2027-01-01"),
  ])
  func `begin when they begin where the person is`(
    _ time: String, _ secondsEast: Int64, _ day: String
  ) throws {
    let world = try TestWorld()
    let now = try LedgerTime(time)
    world.configuration.clock = { now }
    world.secondsEast = secondsEast
    world.run("init")
    world.run("add", "Milk", "due:today", "--id", "milk")
    #expect(world.run("get", "milk").output.contains("due          \(day)\n"))
    #expect(world.run("list", "due == $today").output.contains("milk"))
  }

  @Test(.enabled(if: Executable.path != nil, "the program is not beside the tests"))
  func `are those of TZ`() throws {
    let shell = try Shell()
    let west = try shell(
      """
      ledger init; export TZ=XYZ+24; ledger add Milk due:today --id milk; date +%F; ledger get milk
      """)
    let day = west.output.split(separator: "\n").first { $0.hasPrefix("20") } ?? "none"
    #expect(west.output.contains("due          \(day)\n"), "\(west)")
  }
}

@Suite struct `Times that are typed` {
  /// Half past midnight of a Tuesday, where it is an hour later than in UTC.
  private let days: LocalDays

  init() throws {
    days = LocalDays(now: try LedgerTime("2026-11-30T23:30:00Z")) { _ in 3600 }
  }

  @Test(arguments: [
    ("today", "2026-11-30T23:00:00Z"), ("yesterday", "2026-11-29T23:00:00Z"),
    ("Tomorrow", "2026-12-01T23:00:00Z"), ("-3d", "2026-11-27T23:00:00Z"),
    ("mon-1w", "2026-11-29T23:00:00Z"), ("-1m", "2026-10-31T23:00:00Z"),
  ])
  func `may be days where the person is`(_ text: String, _ time: String) throws {
    #expect(try TypedTime.read(text, days) == LedgerTime(time))
  }

  @Test func `begin with the day where the clocks change on it`() throws {
    // At 01:00 in UTC, three in the morning, the clocks go back from two hours ahead to one.
    let change = try LedgerTime("2026-10-25T01:00:00Z")
    let days = LocalDays(now: change) { $0 < change ? 7200 : 3600 }
    #expect(try TypedTime.read("today", days) == LedgerTime("2026-10-24T22:00:00Z"))
    #expect(try TypedTime.read("tomorrow", days) == LedgerTime("2026-10-25T23:00:00Z"))
  }

  @Test(arguments: ["mon", "Friday"])
  func `are no weekday alone, which lies ahead`(_ text: String) {
    let error = #expect(throws: LedgerError.self) { try TypedTime.read(text, days) }
    #expect(error?.code == .invalid)
    #expect(error?.hint == "the last one is \(text)-1w")
  }

  @Test(arguments: [
    ("2026-11-30", "2026-11-30T00:00:00Z"), ("2026-11-30T10:00", "2026-11-30T10:00:00Z"),
    ("2026-11-30 10:00", "2026-11-30T10:00:00Z"), ("2026-11-30T10:00:05", "2026-11-30T10:00:05Z"),
    ("2026-11-30T10:00:05.25", "2026-11-30T10:00:05.250Z"),
    ("2026-11-30T10:00Z", "2026-11-30T10:00:00Z"),
    ("2026-11-30T10:00+01:00", "2026-11-30T09:00:00Z"),
    ("2026-11-30T10:00:05-01:00", "2026-11-30T11:00:05Z"),
  ])
  func `may lack seconds and zone`(_ text: String, _ time: String) throws {
    #expect(try TypedTime.read(text, days) == LedgerTime(time))
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-11-31", "2026-11-30T", "2026-11-30T10", "2026-11-30T10:",
    "2026-11-30T10:60",
    "2026-11-30T24:00", "2026-11-30T10:00:", "2026-11-30T10:00:5", "2026-11-30T10:00:00.",
    "2026-11-30T10:00 ",
    "2026-11-30T10:00+1", "2026-11-30T10:00:00:00", "2026-11-30T10:0٠", "someday", "1d", "-3",
  ])
  func `are refused where anything else is missing`(_ text: String) {
    let error = #expect(throws: LedgerError.self) { try TypedTime.read(text, days) }
    #expect(error?.code == .invalid)
    let meant = ["1d": "-1d", "-3": "-3d"][text].map { "did you mean `\($0)`?" }
    #expect(meant.map { error?.hint == $0 } ?? (error?.hint?.contains("UTC") == true))
  }
}
