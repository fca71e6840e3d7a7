import Testing

struct `Lines for apply in the plain model` {
  private func lines(_ text: String) -> [PlainLines.Line] {
    PlainLines.read(Array(text.utf8)) { "new" }
  }

  @Test func `may have a mark, CRLF, empty lines, and lack the last newline`() {
    let read = lines(
      "\u{FEFF}{\"kind\":\"upsert\",\"task\":\"a\"}\r\n\r\n\n{\"kind\":\"toggle\",\"task\":\"a\"}")
    #expect(read.map(\.number) == [1, 4])
    #expect(read.map { $0.command?.kind } == [.upsert, .toggle])
  }

  @Test func `may leave out the task of an upsert`() {
    #expect(lines(#"{"kind":"upsert"}"#)[0].command?.task == "new")
    #expect(lines(#"{"kind":"toggle"}"#)[0].command == nil)
  }

  @Test(arguments: [
    "[]", "{}", "{", #"{"kind":"restore","task":"a"}"#, #"{"kind":"upsert","task":1}"#,
    #"{"kind":"upsert","tusk":"a"}"#, #"{"kind":"toggle","task":"a","set":{}}"#,
    #"{"kind":"update","task":"a","set":[]}"#, #"{"kind":"update","task":"a","unset":"x"}"#,
    #"{"kind":"upsert","task":"a","time":1}"#, #"{"kind":"upsert","task":"a","time":"noon"}"#,
    #"{"kind":"upsert","task":"a","author":1}"#, #"{"kind":"upsert","task":"a","message":null}"#,
    #"{"kind":"upsert","task":"a","transaction":1.5}"#,
    #"{"kind":"upsert","task":"a","transaction":null}"#,
    #"{"kind":"upsert","kind":"upsert","task":"a"}"#, #"{"kind":"upsert","task":"a"} x"#,
    #"{"kind":"upsert","task":"a","set":{"n":9223372036854775808}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":1e400}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":01}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":1.}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":+1}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":NaN}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":1,"n":1}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":1,"\u006e":1}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":"\ud83d"}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":"\udc00\ud83d"}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":"\ud83dx"}}"#,
    #"{"kind":"upsert","task":"a","set":{"n":"\x"}}"#,
    "{\"kind\":\"upsert\",\"task\":\"a\",\"set\":{\"n\":\"\u{1}\"}}",
  ])
  func `are bad when they say anything else`(line: String) {
    #expect(lines(line)[0].command == nil)
  }

  @Test func `are bad when they are not UTF-8`() {
    let line = Array(#"{"kind":"upsert","task":"a"#.utf8) + [0xC3] + Array(#""}"#.utf8)
    #expect(PlainLines.read(line) { "new" }[0].command == nil)
  }

  @Test(arguments: [
    ("-0", "0"), ("-0.0", "0"), ("1e3", "1000"), ("1.0", "1"),
    ("9007199254740993", "9007199254740993"),
    ("9007199254740993.0", "9007199254740992"), ("-9223372036854775808", "-9223372036854775808"),
    ("9223372036854775807.0", "9223372036854776000"), ("1e-400", "0"), ("[1.0,[2e0]]", "[1,[2]]"),
    ("-9223372036854775808.0", "-9223372036854775808"), ("0.1", "0.1"), ("1E+2", "100"),
    (#""\u00e9\ud83d\ude00\/""#, "\"\u{E9}\u{1F600}/\""),
  ])
  func `give values in canonical form`(given: String, kept: String) {
    #expect(field("n", given).value.asFieldValue?.description == kept)
  }

  @Test func `stop at a bad line or drop its whole transaction`() {
    let read = lines(
      #"""
      {"kind":"upsert","task":"a"}
      {"kind":"upsert","task":"b","transaction":"x"}
      {"kind":"upsert","task":"c","set":{"body":1},"transaction":"x"}
      {"kind":"upsert","task":"d","transaction":"x"}
      {"kind":"upsert","task":"e","transaction":1}
      {"kind":"upsert","task":"f","transaction":1.0}
      {"kind":"upsert","task":"g","transaction":"1"}
      {"kind":"upsert","task":"h","wrong":1,"transaction":"1"}
      """#)
    var stopping = PlainModel()
    #expect(stopping.apply(read, now: noon).badLines == [3])
    #expect(stopping.ids == ["a"])
    var continuing = PlainModel()
    let applied = continuing.apply(read, now: noon, continuing: true)
    #expect(applied.badLines == [3, 8])
    #expect(applied.linesIn == 3)
    #expect(continuing.ids == ["a", "e", "f"])
    #expect(continuing.events.map(\.transaction) == [1, 2, 2])
  }

  @Test func `hold an unreadable line to be of the transactions before it and behind it`() {
    let read = lines(
      #"""
      {"kind":"upsert","task":"a","transaction":1}
      nonsense
      {"kind":"upsert","task":"b","transaction":1}
      {"kind":"upsert","task":"c","transaction":2}
      nonsense
      {"kind":"upsert","task":"d","transaction":3}
      {"kind":"upsert","task":"e","transaction":4}
      nonsense
      {"kind":"upsert","task":"f"}
      """#)
    var continuing = PlainModel()
    #expect(continuing.apply(read, now: noon, continuing: true).badLines == [2, 5, 6, 8])
    #expect(continuing.ids == ["f"])
    var stopping = PlainModel()
    #expect(stopping.apply(Array(read[3...]), now: noon).badLines == [5])
    #expect(stopping.ids == [])
  }
}
