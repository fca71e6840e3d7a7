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

  @Test func `tells where fields are compared with texts`() throws {
    let typed = try read("é == 1 && (due < 'friday' || \"x\" >= a.b) && c != $today && d == e")
    let found = typed.textComparisons.map {
      "\(typed.column(of: $0)) \($0.field) \($0.comparison.rawValue) \($0.text)"
    }
    #expect(found == ["18 due < friday", "30 a.b <= x", "50 c != 2026-11-30"])
    #expect(
      try read("_id < 'friday' && contains(due, 'x') && due in ['y']").textComparisons.isEmpty)
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
