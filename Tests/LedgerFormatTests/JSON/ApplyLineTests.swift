import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Lines of a command stream` {
  @Test func `a line with every key is read`() throws {
    let line = try ApplyLine(
      jsonBytes(
        #"{"author":"ann","transaction":7,"unset":["due","a.b"],"set":{"body":"Get milk","n":{"x":1}}"#
          + #","message":"why\n","time":"2026-11-30T12:00:00.123Z","task":"123abc","kind":"upsert"}"#
      ))
    #expect(line.kind == .upsert)
    #expect(line.task == "123abc")
    #expect(
      line.changes.changes == [
        FieldChange(try FieldName("a.b"), nil), FieldChange(.body, "Get milk"),
        FieldChange(try FieldName("due"), nil), FieldChange(try FieldName("n.x"), 1),
      ])
    #expect(line.time?.description == "2026-11-30T12:00:00.123Z")
    #expect(line.author == "ann")
    #expect(line.message == "why\n")
    #expect(line.transaction == .integer(7))
  }

  @Test func `the shortest lines are read`() throws {
    let upsert = try ApplyLine(jsonBytes(#"{"kind":"upsert"}"#))
    #expect(upsert.task == nil)
    #expect(upsert.changes == .empty)
    #expect(upsert.time == nil && upsert.author == nil && upsert.message == nil)
    #expect(upsert.transaction == nil)
    for kind in EventKind.allCases {
      let line = try ApplyLine(jsonBytes(#" { "kind" : "\#(kind)" , "task" : "a" } "#))
      #expect(line.kind == kind)
      #expect(line.task == "a")
      #expect(line.changes == .empty)
    }
  }

  @Test func `escapes in keys and kinds mean the same`() throws {
    #expect(try ApplyLine(jsonBytes(#"{"\u006bind":"toggl\u0065","task":"a"}"#)).kind == .toggle)
  }

  @Test func `the number one and the text 1 are two transactions`() throws {
    func token(_ json: String) throws -> TransactionToken? {
      try ApplyLine(jsonBytes(#"{"kind":"upsert","transaction":\#(json)}"#)).transaction
    }
    let number = try token("1")
    let text = try token("\"1\"")
    #expect(number == .integer(1))
    #expect(text == .text("1"))
    #expect(number != text)
    #expect(try token("1.0") == number)
    #expect(try token("\"\u{e9}\"") != token("\"e\u{301}\""))
    #expect(try token("\"\"") == .text(""))
  }

  @Test func `null in set unsets`() throws {
    let line = try ApplyLine(jsonBytes(#"{"kind":"update","task":"a","set":{"due":null}}"#))
    #expect(line.changes.changes == [FieldChange(try FieldName("due"), nil)])
  }

  @Test(arguments: [
    "2026-11-30T12:00:00.123Z", "2026-11-30", "2024-02-29T23:59:59.999Z",
    "0000-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z", "2026-11-30T12:00:00Z", "2026-11-30t12:00:00.123456+02:30",
    "2016-12-31T23:59:60.000Z", "1969-12-31T23:59:59.999Z", "2026-11-30 12:00:00.120Z",
  ])
  func `times are those of the core, whichever way they are read`(text: String) throws {
    let line = try ApplyLine(jsonBytes(#"{"kind":"upsert","time":"\#(text)"}"#))
    #expect(line.time == (try LedgerTime(text)))
  }

  @Test func `an author has 1 to 256 bytes`() throws {
    let longest = String(repeating: "ä", count: 128)
    let line = try ApplyLine(jsonBytes(#"{"kind":"upsert","author":"\#(longest)"}"#))
    #expect(line.author == longest)
    #expect(
      jsonRefusal(.badLine) {
        try ApplyLine(jsonBytes(#"{"kind":"upsert","author":"\#(longest)x"}"#))
      } == "column 27: the author has 257 bytes, expected 1 to 256")
  }

  @Test func `the number of the line comes first in the sentence`() {
    #expect(
      jsonRefusal(.badLine) { try ApplyLine(jsonBytes(#"{"kind":7}"#), number: 12) }
        == #"line 12, column 9: found a number, expected text for "kind""#)
    #expect(
      jsonRefusal(.badLine) { try ApplyLine(jsonBytes("{}"), number: 3) }
        == #"line 3: the key "kind" is missing"#)
  }
}
