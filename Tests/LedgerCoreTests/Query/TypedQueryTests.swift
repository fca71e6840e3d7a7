import Testing

@testable import LedgerCore

/// Queries as they are typed: names that stand for something by themselves, and comparisons with texts.
@Suite struct `A query that is typed` {
  private func read(_ text: String, _ arguments: [String: Value?] = [:]) throws -> TypedQuery {
    try TypedQuery(text, arguments) { $0 == "today" ? "2026-11-30" : nil }
  }

  @Test func `knows names that nobody passes, and need not use them`() throws {
    #expect(try read("due < $today").query == Query("due < \"2026-11-30\""))
    #expect(try read("due < $today").query.description == "due < \"2026-11-30\"")
    #expect(try read("isCompleted").query == Query("isCompleted"))
    #expect(
      try read("due < $today", ["today": "2026-12-01"]).query == Query("due < \"2026-12-01\""))
    #expect(try read("due == $today", ["today": nil]).query == Query("due == null"))
    #expect(throws: LedgerError.self) { try read("due < $day") }
    #expect(throws: LedgerError.self) { try read("due < $today", ["day": 1]) }
    #expect(throws: LedgerError.self) { try Query("due < $today") }
  }

  @Test func `counts days from a date that is an argument`() throws {
    let dates = [
      ("$today+7", "2026-12-07"), ("$today-1", "2026-11-29"), ("$today+0", "2026-11-30"),
      ("$today+3d", "2026-12-03"), ("$today-2w", "2026-11-16"),
      ("$today+3m", "2027-02-28"), ("$today-1y", "2025-11-30"), ("$today+1m", "2026-12-30"),
      ("$day+1", "2024-02-29"),
      ("$day+9999999d", nil), ("$first-1", nil), ("$first+1", "0000-01-02"),
    ]
    for (text, date) in dates {
      let name = String(text.dropFirst().prefix { $0.isLetter })
      let given = ["day": "2024-02-28", "first": "0000-01-01"][name]
      let arguments = given.map { [name: Optional(Value.text($0))] } ?? [:]
      let query = try? read("due <= \(text)", arguments).query
      #expect(query == (try date.map { try Query("due <= \"\($0)\"") }), "\(text)")
    }
    #expect(
      try read("due in [$today, $today+1]").query
        == Query("due in [\"2026-11-30\", \"2026-12-01\"]"))
    #expect(
      try Query("due <= $day+7", ["day": "2026-12-24"]) == Query("due <= \"2026-12-31\""))
  }

  @Test(arguments: [
    ("due < $today+7x", 13), ("due < $today+", 13), ("due < $today + 7", 14),
    ("due < $today+12345678", 13), ("due < $n+1", 7), ("é < $t-1", 5), ("due < $none+1", 7),
    ("due < $today+7+7", 15), ("due < $today+1_", 13),
  ])
  func `refuses days that cannot be counted, and says where`(text: String, column: Int) {
    let arguments: [String: Value?] = [
      "n": 3, "t": .text("2026-11-30T10:00:00Z"), "none": Value?.none,
    ].filter { text.contains("$\($0.key)") && !text.contains("$today") }
    let error = #expect(throws: LedgerError.self) { try read(text, arguments) }
    #expect(error?.column == column, "\(text): \(error?.sentence ?? "")")
  }

  @Test func `tells where fields are compared with texts`() throws {
    let typed = try read("é == 1 && (due < 'friday' || \"x\" >= a.b) && c != $today && d == e")
    let found = typed.textComparisons.map {
      "\(typed.column(of: $0)) \($0.field) \($0.comparison.rawValue) \($0.text)"
    }
    #expect(found == ["18 due < friday", "30 a.b <= x", "50 c != 2026-11-30"])
    #expect(
      try read("_id < 'friday' && contains(due, 'x') && _id in ['y']").textComparisons.isEmpty)
  }

  @Test func `takes each text of an array for one that a field is to equal`() throws {
    let typed = try read("due in ['x', 1, $today] || 'y' in tags || due in $days", ["days": ["z"]])
    let found = typed.textComparisons.map {
      "\(typed.column(of: $0)) \($0.field) \($0.comparison.rawValue) \($0.text)"
    }
    #expect(found == ["8 due == x", "8 due == 2026-11-30", "50 due == z"])
  }

  @Test func `tells where fields are named, and where it is asked that they do not`() throws {
    let typed = try read("é && !(a == 1 || !(b == c)) && !!d && contains(e, f) && g in [2]")
    let found = typed.fieldUses.map {
      "\(typed.column(of: $0)) \($0.isNegated ? "!" : "")\($0.field)"
    }
    #expect(
      found == ["1 é", "8 !a", "20 b", "25 c", "34 d", "48 e", "51 f", "57 g"])
    #expect(try read("true && 'a' == 'b'").fieldUses.isEmpty)
  }
}
