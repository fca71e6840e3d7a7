import Testing

@testable import LedgerFormat

@Suite struct `The grammar of JSON alone` {
  @Test(arguments: [
    "1", "-0", "0.5e-3", "1E+9", "99999999999999999999", "1e999", "true", "false", "null", "\"\"",
    " 1 ",
    "\"a\\n\\u00e9\\\\\"", "\"\\ud800\"", "[]", "{}", "[1,[2,[]],{}]",
    "{\"a\":1,\"a\":{\"b\":[null]}}",
    "[ 1 , 2 ]", "{ \"a\" : 1 }", "\t[\n]\r",
  ]) func `takes what is a value, whatever it says`(_ text: String) {
    #expect(JSONGrammar.isValue(Array(text.utf8)))
  }

  @Test(arguments: [
    "", " ", "007", "-", "+1", "1.", ".5", "1e", "0x1", "12:30", "2026-11-30", "1 2", "1,", "tru",
    "truex",
    "nullify", "[WIP] paint", "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "{", "}", "{1:2}", "{\"a\"}",
    "{\"a\":}", "{\"a\":1,}", "{\"a\":1]", "[1}", "\"", "\"abc", "\"no\", she said", "\"\\x\"",
    "\"\\u12g4\"",
    "1.true", "1enull", "[2.false]", "-true", "1.e5", "3e+null",
    "\"\n\"", "'a'", "NaN", "Infinity",
  ]) func `refuses what is none`(_ text: String) {
    #expect(!JSONGrammar.isValue(Array(text.utf8)))
  }

  @Test func `any depth of nesting is fine`() {
    let depth = 100_000
    let open = [UInt8](repeating: 0x5b, count: depth)
    let close = [UInt8](repeating: 0x5d, count: depth)
    #expect(JSONGrammar.isValue(open + close))
    #expect(!JSONGrammar.isValue(open + close.dropLast()))
    #expect(!JSONGrammar.isValue(open + close + [0x5d]))
  }
}
