import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Bad lines of a command stream` {
  private func sentence(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) -> String
  {
    jsonRefusal(.badLine, sourceLocation: sourceLocation) { try ApplyLine(jsonBytes(line)) }
  }

  @Test(
    arguments: [
      ("", "the line is empty"),
      ("[]", "column 1: found an array, expected an object"),
      ("{}", #"the key "kind" is missing"#),
      (#"{"task":"a"}"#, #"the key "kind" is missing"#),
      (#"{"kind":"upsert""#, "column 17: found the end of the text, expected ',' or '}'"),
      (#"{"kind":"upsert"} x"#, "column 19: found 'x', expected nothing more"),
      (#"{"kind":"upsert",}"#, "column 18: found '}', expected a name in quotes"),
      (#"{"kind":"upsert","kind":"upsert"}"#, #"column 18: the key "kind" is named twice"#),
      (#"{"kind":"upsert","\u006bind":"upsert"}"#, #"column 18: the key "kind" is named twice"#),
    ])
  func `a line that is not such an object is refused`(line: String, sentence: String) {
    #expect(self.sentence(line) == sentence)
  }

  @Test func `an unknown key is refused`() {
    let keys = "kind, task, set, unset, time, author, message, transaction"
    #expect(
      sentence(#"{"kind":"upsert","Task":"a"}"#)
        == #"column 18: the key "Task" is unknown, expected one of \#(keys)"#)
    #expect(
      sentence(#"{"kind":"upsert","":null}"#)
        == #"column 18: the key "" is unknown, expected one of \#(keys)"#)
    let long = String(repeating: "k", count: 1000)
    #expect(
      sentence(#"{"\#(long)":1}"#)
        == #"column 2: the key "\#(long.prefix(64))…" is unknown, expected one of \#(keys)"#)
  }

  @Test(arguments: ["restore", "Upsert", "", "insert", "upsert "])
  func `an unknown kind is refused`(kind: String) {
    #expect(
      sentence(#"{"task":"a","kind":"\#(kind)"}"#)
        == #"column 20: the kind "\#(kind)" is unknown, "#
        + "expected one of upsert, update, toggle, delete, evict")
  }

  @Test func `restore is explained`() throws {
    let error = #expect(throws: LedgerError.self) {
      try ApplyLine(jsonBytes(#"{"kind":"restore","task":"a"}"#))
    }
    #expect(
      error?.hint == #"to restore a deleted task, update it with "set":{"isDeleted":false}"#)
  }

  @Test(arguments: [
    ("kind", "text"), ("task", "text"), ("time", "text"), ("author", "text"), ("message", "text"),
    ("set", "an object"), ("unset", "an array of field names"),
    ("transaction", "text or an integer"),
  ])
  func `a wrong type is refused, null too`(key: String, type: String) {
    let wrong = [
      ("null", "null"), ("true", "a boolean"), ("{}", "an object"), ("[]", "an array"),
      ("1", "a number"), ("\"a\"", "text"),
    ]
    for (json, name) in wrong where !type.contains(name) && !(key == "transaction" && json == "1") {
      if key == "unset", json == "[]" { continue }
      #expect(
        sentence(#"{"\#(key)":\#(json),"kind":"upsert"}"#)
          == #"column \#(key.utf8.count + 5): found \#(name), expected \#(type) for "\#(key)""#)
    }
  }

  @Test(
    arguments: [
      (
        #"1.5"#,
        #"column 32: found a number with a fraction, expected text or an integer for "transaction""#
      ),
      (#"9223372036854775808"#, "column 32: the integer 9223372036854775808 is beyond 64 bits"),
      (#""\ud800""#, #"column 33: found the lone surrogate \ud800 in a text, expected a pair"#),
    ])
  func `a transaction that is no token is refused`(json: String, sentence: String) {
    #expect(self.sentence(#"{"kind":"upsert","transaction":\#(json)}"#) == sentence)
  }

  @Test(arguments: [EventKind.update, .toggle, .delete, .evict])
  func `only an upsert may leave out the task`(kind: EventKind) {
    #expect(
      sentence(#"{"kind":"\#(kind)"}"#)
        == #"the key "task" is missing, which only an upsert may leave out"#)
  }

  @Test(arguments: [EventKind.toggle, .delete, .evict])
  func `only upsert and update take fields, not even empty ones are taken elsewhere`(
    kind: EventKind
  ) {
    let start = #"{"task":"a","kind":"\#(kind)","#
    let expected =
      #"column \#(start.utf8.count + 1): \#(kind) takes neither "set" nor "unset""#
    #expect(sentence(start + #""set":{}}"#) == expected)
    #expect(sentence(start + #""unset":[]}"#) == expected)
    #expect(sentence(start + #""set":{"a":1},"unset":["b"]}"#) == expected)
  }

  @Test(
    arguments: [
      (#""set":{"a":1},"unset":["a"]"#, #"column 52: the field "a" is named twice"#),
      (#""set":{"a":null},"unset":["a"]"#, #"column 55: the field "a" is named twice"#),
      (#""unset":["a","a"]"#, #"column 42: the field "a" is named twice"#),
      (#""unset":["a"],"set":{"a":1}"#, #"column 50: the field "a" is named twice"#),
      (#""unset":["a","a.b"]"#, #"column 42: the fields "a" and "a.b" exclude each other"#),
      (
        #""set":{"a":{"b":1}},"unset":["a"]"#,
        #"column 58: the fields "a" and "a.b" exclude each other"#
      ),
      (#""unset":[1]"#, "column 38: found a number, expected the name of a field"),
      (#""unset":[["a"]]"#, "column 38: found an array, expected the name of a field"),
      (#""unset":["a",null]"#, "column 42: found null, expected the name of a field"),
      (#""unset":["a",]"#, "column 42: found ']', expected the name of a field"),
      (#""unset":[""]"#, "column 38: a field name has 0 bytes, expected 1 to 256"),
      (#""unset":["a..b"]"#, #"column 38: the field name "a..b" has an empty segment"#),
      (#""unset":["_id"]"#, #"column 38: the field "_id" cannot be set: a task keeps its id"#),
      (#""set":{"_id":"b"}"#, #"column 36: the field "_id" cannot be set: a task keeps its id"#),
      (#""set":{"body":true}"#, #"column 36: the field "body" is a boolean, expected text"#),
      (
        #""set":{"x":1e999}"#,
        #"column 40, field "x": the number 1e999 is beyond the range of a double"#
      ),
      (
        #""set":{"x":{"y":[nul]}}"#,
        #"column 46, field "x.y": found 'n', expected a value inside the array"#
      ),
    ])
  func `fields that the rules refuse make a bad line`(part: String, sentence: String) {
    #expect(self.sentence(#"{"kind":"update","task":"a",\#(part)}"#) == sentence)
  }

  @Test(
    arguments: [
      (#""time":"yesterday""#, #"column 25: "yesterday" is not a time"#),
      (
        #""time":"2026-02-30T12:00:00.000Z""#,
        #"column 25: "2026-02-30T12:00:00.000Z" is not a time"#
      ),
      (
        #""time":"2026-11-30T24:00:00.000Z""#,
        #"column 25: "2026-11-30T24:00:00.000Z" is not a time"#
      ),
      (
        #""time":"2026-11-30T12:00:00.000""#,
        #"column 25: "2026-11-30T12:00:00.000" is not a time: the zone is missing"#
      ),
      (#""time":"""#, #"column 25: "" is not a time"#),
      (#""task":"""#, "column 25: a task id has 0 bytes, expected 1 to 256"),
      (#""task":"a\u0085""#, "column 25: a task id holds a control character"),
      (#""author":"""#, "column 27: the author has 0 bytes, expected 1 to 256"),
      (#""author":"a\tb""#, "column 27: the author holds a control character"),
      (
        #""message":"a\#u{1}""#,
        #"column 30: found the control character U+0001 in a text, expected the escape \u0001"#
      ),
    ])
  func `values that the rules refuse make a bad line`(part: String, sentence: String) {
    #expect(self.sentence(#"{"kind":"upsert",\#(part)}"#) == sentence)
  }

  @Test func `a time has as many decimals as on the command line`() throws {
    let long = "2026-11-30T12:00:00.25" + String(repeating: "0", count: 10_000) + "Z"
    let line = try ApplyLine(jsonBytes(#"{"kind":"upsert","time":"\#(long)"}"#)[...], number: 1)
    #expect(try line.time == LedgerTime(long))
    #expect(line.time?.description == "2026-11-30T12:00:00.250Z")
  }

  @Test func `a long text is no time and is cut in the message`() {
    let long = "2026-11-30T12:00:00." + String(repeating: "0", count: 1_000_000) + "_"
    let sentence = sentence(#"{"kind":"upsert","time":"\#(long)"}"#)
    #expect(sentence.hasPrefix(#"column 25: "2026-11-30T12:00:00.000"#))
    #expect(sentence.utf8.count < 150)
  }
}

@Suite struct `The transaction of a bad line` {
  private func find(_ line: String) -> TransactionToken.Finding {
    TransactionToken.find(in: jsonBytes(line))
  }

  @Test func `it is found in a line that is bad for another reason`() {
    #expect(find(#"{"kond":{"a":[1,{"b":null}]},"transaction":7}"#) == .token(.integer(7)))
    #expect(find(#"{"transaction":"7","transaction":8}"#) == .token(.text("7")))
  }

  @Test func `it is found in front of broken JSON`() {
    #expect(find(#"{"transaction":7,"body":"#) == .token(.integer(7)))
  }

  @Test func `a line without one is its own`() {
    #expect(find(#"{"kind":"nonsense"}"#) == .none)
  }

  @Test(
    arguments: [
      #"{"kind":nonsense,"transaction":7}"#, #"{"set":{"n":9223372036854775808},"transaction":7}"#,
      #"{"set":{"n":1e999,"transaction":8},"transaction" : 7 }"#,
      #"{"set":{"n":"\ud800","m":["{\"transaction\":8"]},"transaction":7}"#,
      "{\"set\":{\"n\":\"\u{1}\"},\"transaction\":7}", #"{"kind":tru,"transaction":7,"#,
    ])
  func `it is found behind what is broken`(line: String) {
    #expect(find(line) == .token(.integer(7)))
  }

  @Test func `it is found behind bytes that are no UTF-8`() {
    let line = jsonBytes(#"{"task":""#) + [0xff] + jsonBytes(#"","transaction":"q"}"#)
    #expect(TransactionToken.find(in: line[...]) == .token(.text("q")))
  }

  @Test func `where nothing can be made out, it is unknown`() {
    #expect(find("nonsense") == .unreadable)
    #expect(find(#"{"task":"a,"transaction":7}"#) == .unreadable)
    #expect(find(#"{"set":{"transaction":7,"#) == .unreadable)
    #expect(find(#"{"transaction":null}"#) == .unreadable)
  }
}
