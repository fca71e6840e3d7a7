import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `The structure of JSON` {
  @Test func `values of every type are read`() throws {
    #expect(try jsonValue("true") == true)
    #expect(try jsonValue(" false ") == false)
    #expect(try jsonValue("null") == nil)
    #expect(try jsonValue("[]") == [])
    #expect(
      try jsonValue("\t[ 1 , \"a\",\r\n[true ,[ ] ], 2.5 ] ") == [1, "a", [true, []], 2.5])
  }

  @Test(
    arguments: [
      ("", "column 1: found the end of the text, expected a value"),
      ("   ", "column 4: found the end of the text, expected a value"),
      ("\u{feff}1", "column 1: found byte 0xef, expected a value"),
      ("\u{0}", "column 1: found byte 0x00, expected a value"),
      ("1\u{0}", "column 2: found byte 0x00, expected nothing more"),
      ("1\u{b}", "column 2: found byte 0x0b, expected nothing more"),
      ("\u{a0}1", "column 1: found byte 0xc2, expected a value"),
      ("tru", "column 1: found \"tru\", expected true"),
      ("True", "column 1: found 'T', expected a value"),
      ("nulL", "column 1: found \"nulL\", expected null"),
      ("truefalse", "column 5: found 'f', expected nothing more"),
      ("'a'", "column 1: found ''', expected a value"),
      ("{}", "column 1: found an object, expected a value"),
      ("[1", "column 3: found the end of the text, expected ',' or ']'"),
      ("[1,]", "column 4: found ']', expected a value inside the array"),
      ("[,1]", "column 2: found ',', expected a value inside the array"),
      ("[1 2]", "column 4: found '2', expected ',' or ']'"),
      ("[1}", "column 3: found '}', expected ',' or ']'"),
      ("[1]]", "column 4: found ']', expected nothing more"),
      ("[null]", "column 2: found null, expected a value inside the array"),
      ("[[{}]]", "column 3: found an object, expected a value inside the array"),
      ("1 // no", "column 3: found '/', expected nothing more"),
    ])
  func `what is not JSON or no value is refused`(json: String, sentence: String) {
    #expect(jsonValueRefusal(json) == sentence)
  }

  @Test(
    arguments: [
      ("", "column 1: found the end of the text, expected an object"),
      ("[]", "column 1: found an array, expected an object"),
      ("\"a\"", "column 1: found text, expected an object"),
      ("null", "column 1: found null, expected an object"),
      ("12", "column 1: found a number, expected an object"),
      ("{", "column 2: found the end of the text, expected a name in quotes"),
      ("{a:1}", "column 2: found 'a', expected a name in quotes"),
      ("{1:1}", "column 2: found '1', expected a name in quotes"),
      ("{\"a\"}", "column 5: found '}', expected ':'"),
      ("{\"a\" 1}", "column 6: found '1', expected ':'"),
      ("{\"a\":}", "column 6, field \"a\": found '}', expected a value"),
      ("{\"a\":1,}", "column 8: found '}', expected a name in quotes"),
      ("{\"a\":1 \"b\":2}", "column 8: found '\"', expected ',' or '}'"),
      ("{\"a\":1]", "column 7: found ']', expected ',' or '}'"),
      ("{\"a\":1}x", "column 8: found 'x', expected nothing more"),
      ("{\"a\":1}{}", "column 8: found '{', expected nothing more"),
    ])
  func `a broken object is refused`(json: String, sentence: String) {
    #expect(jsonRefusal { try DocumentReader.changes(jsonBytes(json)) } == sentence)
  }

  @Test func `arrays nest 32 deep and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try jsonValue(nested(32))?.description == nested(32))
    #expect(jsonValueRefusal(nested(33)) == "column 33: arrays nest more than 32 deep")
  }

  @Test(arguments: ["[", "{\"a\":", "[[],", "{\"a\":[", "[{\"a\":"])
  func `a hundred thousand brackets give an error`(opening: String) {
    let json = jsonBytes(String(repeating: opening, count: 100_000))
    let set = jsonBytes("{\"kind\":\"update\",\"task\":\"a\",\"set\":{\"f\":") + json
    #expect(throws: LedgerError.self) { try DocumentReader.value(json) }
    #expect(throws: LedgerError.self) { try DocumentReader.changes(json) }
    #expect(throws: LedgerError.self) { try DocumentReader.document(json) }
    #expect(throws: LedgerError.self) { try ApplyLine(json) }
    #expect(throws: LedgerError.self) { try ApplyLine(set) }
    #expect(TransactionToken.find(in: set) == .unreadable)
  }

  @Test func `a value with too many elements is refused while it is read`() {
    let json = "[" + String(repeating: "1,", count: 2_000_000) + "1]"
    #expect(
      jsonValueRefusal(json)
        == "column 1: a value has more than 1048576 bytes of JSON, which is the most")
  }
}
