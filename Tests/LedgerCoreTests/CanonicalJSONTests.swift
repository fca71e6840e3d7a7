import LedgerCore
import Testing

/// JSON in the canonical form of RFC 8785, with integers in full.
struct CanonicalJSONTests {
  private func object(_ fields: KeyValuePairs<String, Value>) -> String {
    var bytes: [UInt8] = []
    CanonicalJSON.appendObject(fields.map { ($0.key, $0.value) }, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The samples of RFC 8785, appendix B, but for those that are integers in range.
  @Test(
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"), (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
      (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"),
      (0xc340_0000_0000_0000, "-9007199254740992"),
      (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"), (0x44b5_2d02_c7e1_4af6, "1e+23"),
      (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
      (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
      (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"), (0x444b_1ae4_d6e2_ef50, "1e+21"),
      (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"), (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
      (0x41b3_de43_5555_5553, "333333333.3333332"), (0x41b3_de43_5555_5554, "333333333.33333325"),
      (0x41b3_de43_5555_5555, "333333333.3333333"), (0x41b3_de43_5555_5556, "333333333.3333334"),
      (0x41b3_de43_5555_5557, "333333333.33333343"),
      (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
      (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func `numbers are those of RFC 8785`(bits: UInt64, text: String) {
    #expect(Value.double(Double(bitPattern: bits)).description == text)
  }

  @Test(arguments: [
    (Value.int(.max), "9223372036854775807"), (.int(.min), "-9223372036854775808"),
    (.int(9_007_199_254_740_993), "9007199254740993"), (.int(0), "0"), (.int(9), "9"),
    (.int(-1), "-1"),
    (.double(0x1p62), "4611686018427387904"), (.double(-0x1p63), "-9223372036854775808"),
    (.double(0x1p63), "9223372036854776000"),
  ])
  func `integers are written in full and doubles beyond them are not`(value: Value, text: String) {
    #expect(value.description == text)
  }

  @Test(arguments: [
    (0.1, "0.1"), (-1.5, "-1.5"), (1e-6, "0.000001"), (1e-7, "1e-7"), (1.25e-7, "1.25e-7"),
    (0.00001, "0.00001"), (123.456, "123.456"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
    (1.5e300, "1.5e+300"), (4.35, "4.35"), (2.2250738585072014e-308, "2.2250738585072014e-308"),
  ])
  func `doubles are written as JavaScript writes them`(number: Double, text: String) {
    #expect(Value.double(number).description == text)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a double reads back from its JSON`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      #expect(try #require(Double(Value.double(number).description)) == number)
    }
  }

  @Test func `only what must be escaped is`() {
    #expect(
      Value.text("\u{20ac}$\u{f}\nA'B\"\\\\\"/").description == #""€$\u000f\nA'B\"\\\\\"/""#)
    #expect(
      Value.text("\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}\u{80}\u{2028}").description
        == "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7f}\u{80}\u{2028}\"")
  }

  @Test func `a text keeps its Unicode form`() {
    #expect(Array(Value.text("e\u{301}").description.utf8) == [0x22, 0x65, 0xcc, 0x81, 0x22])
  }

  @Test func `keys sort by UTF-16 code units`() {
    #expect(
      object([
        "\u{20ac}": "Euro Sign", "\r": "Carriage Return",
        "\u{fb33}": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\u{1f600}": "Emoji: Grinning Face", "\u{80}": "Control",
        "\u{f6}": "Latin Small Letter O With Diaeresis",
      ])
        == "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"\u{f6}\":\"Latin Small Letter O With "
        + "Diaeresis\",\"\u{20ac}\":\"Euro Sign\",\"\u{1f600}\":\"Emoji: Grinning Face\",\"\u{fb33}\":\"Hebrew Letter "
        + "Dalet With Dagesh\"}")
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `the order of keys is that of their UTF-16 code units`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let letters: [Character] = [
      "a", "b", "\u{7f}", "\u{80}", "\u{7ff}", "\u{800}", "\u{d7ff}", "\u{e000}", "\u{ffff}",
      "\u{10000}", "\u{10ffff}", "\u{1f600}",
    ]
    for _ in 0..<500 {
      let (left, right) = (text(), text())
      let expected = left.utf16.lexicographicallyPrecedes(right.utf16)
      #expect(left.precedesInDocument(right) == expected)
      let json = object([left: 1, right: 2])
      if !left.hasSameBytes(as: right) {
        let first = Value.text(expected ? left : right).description
        #expect(json.utf8.dropFirst().starts(with: first.utf8))
      }
    }
    func text() -> String {
      String(
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          letters.randomElement(using: &generator) ?? "a"
        })
    }
  }

  @Test func `dotted names are shown as nested objects`() {
    #expect(object([:]) == "{}")
    #expect(object(["a": 1]) == #"{"a":1}"#)
    #expect(object(["a.b.c": 1]) == #"{"a":{"b":{"c":1}}}"#)
    #expect(
      object(["x": 5, "a.c": 3, "a.b.z": 2, "b.a": 4, "a.b.c": 1])
        == #"{"a":{"b":{"c":1,"z":2},"c":3},"b":{"a":4},"x":5}"#)
    #expect(
      object(["a.b.c.d": 1, "a.e.c.d": 2, "f": 3])
        == #"{"a":{"b":{"c":{"d":1}},"e":{"c":{"d":2}}},"f":3}"#)
  }

  @Test func `names that look alike stay apart`() {
    #expect(
      object(["ab.c": 3, "a.c": 1, "a-b": 2, "a.d": 1, "abc": 4])
        == #"{"a":{"c":1,"d":1},"a-b":2,"ab":{"c":3},"abc":4}"#)
    #expect(object(["a\u{1}": 2, "a.b": 1]) == #"{"a":{"b":1},"a\u0001":2}"#)
    #expect(
      object(["caf\u{e9}.x": 2, "cafe\u{301}.x": 1])
        == "{\"cafe\u{301}\":{\"x\":1},\"caf\u{e9}\":{\"x\":2}}")
  }

  @Test func `keys are escaped at every level`() {
    #expect(object(["a\".b\n": 1]) == #"{"a\"":{"b\n":1}}"#)
  }
}
