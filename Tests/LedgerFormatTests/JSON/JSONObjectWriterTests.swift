import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Writing JSON objects` {
  @Test func `members stand in the order of the calls`() throws {
    let json = JSONObjectWriter.object { json in
      json.add("text", "a\"\n\u{7f}é")
      json.add("int", -3)
      json.add("big", UInt64.max)
      json.add("flag", true)
      json.add("seconds", 0.25, decimals: 3)
      json.add("value", [1, "a"] as Value)
      json.add("names", ["a", "b"])
      json.add("none", [] as [String])
      json.add("raw", json: #"{"_id":"a"}"#.utf8)
      json.addObject("empty") { _ in }
      json.addObject("nested") {
        $0.add("a", 1)
        $0.addObject("b") { $0.add("c", false) }
        $0.add("d", 2)
      }
      json.addObjects("list", [1, 2]) { $0.add("n", $1) }
      json.add("last", "")
    }
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"text":"a\"\n\#u{7f}é","int":-3,"big":18446744073709551615,"flag":true,"#
        + #""seconds":0.250,"value":[1,"a"],"names":["a","b"],"none":[],"raw":{"_id":"a"},"empty":{},"#
        + #""nested":{"a":1,"b":{"c":false},"d":2},"list":[{"n":1},{"n":2}],"last":""}"#)
  }

  @Test func `an object is appended to what is there`() {
    var bytes = Array("x".utf8)
    JSONObjectWriter.append(to: &bytes) { _ in }
    JSONObjectWriter.append(to: &bytes) { $0.add("a", 1) }
    #expect(String(decoding: bytes, as: UTF8.self) == #"x{}{"a":1}"#)
  }

  @Test(
    arguments: [
      (0, 0, "0"), (0, 2, "0.00"), (1.005, 1, "1.0"), (12.3456, 2, "12.35"), (-0.001, 2, "0.00"),
      (-1.5, 1, "-1.5"), (0.999, 2, "1.00"), (2.5, 0, "3"), (1e300, 3, "1e+300"),
      (5.05, 3, "5.050"),
      (.infinity, 2, "null"), (.nan, 2, "null"), (-.infinity, 0, "null"),
    ] as [(Double, Int, String)])
  func `numbers have the decimals that were asked for`(
    number: Double, decimals: Int, expected: String
  ) {
    #expect(DecimalText.text(number, decimals: decimals) == expected)
  }
}
