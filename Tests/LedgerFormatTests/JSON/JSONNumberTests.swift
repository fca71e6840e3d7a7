import LedgerCore
import Testing

@testable import LedgerFormat

@Suite struct `Numbers in JSON` {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("9007199254740993", 9_007_199_254_740_993),
      ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ] as [(String, Int64)])
  func `an integer literal is kept exactly`(json: String, expected: Int64) throws {
    guard case .int(let number)? = try jsonValue(json) else {
      Issue.record("\(json) is no integer")
      return
    }
    #expect(number == expected)
  }

  @Test(
    arguments: [
      "9223372036854775808", "-9223372036854775809", "18446744073709551616",
      "99999999999999999999999999",
    ])
  func `an integer literal beyond 64 bits is refused`(json: String) {
    #expect(jsonValueRefusal(json) == "column 1: the integer \(json) is beyond 64 bits")
  }

  @Test func `a long integer literal is cut in the message`() {
    let digits = String(repeating: "9", count: 1_000_000)
    let shown = String(repeating: "9", count: 64)
    #expect(jsonValueRefusal(digits) == "column 1: the integer \(shown)… is beyond 64 bits")
  }

  @Test(
    arguments: [
      ("1.0", 1), ("-0.0", 0), ("1e2", 100), ("4.50e1", 45), ("9007199254740993.0", 1 << 53),
      ("-9223372036854775808.0", Int64.min), ("1e-400", 0),
    ] as [(String, Int64)])
  func `an integral double in range is that integer`(json: String, expected: Int64) throws {
    guard case .int(let number)? = try jsonValue(json) else {
      Issue.record("\(json) is no integer")
      return
    }
    #expect(number == expected)
  }

  @Test(
    arguments: [
      ("333333333.33333329", 333333333.3333333), ("1E30", 1e30), ("4.50", 4.5), ("2e-3", 0.002),
      ("0.000000000000000000000000001", 1e-27), ("5e-324", .leastNonzeroMagnitude),
      ("1.7976931348623157e308", 1.7976931348623157e308), ("1.5E+2", 150), ("-2.5", -2.5),
      ("9223372036854775808.0", 9_223_372_036_854_775_808),
      ("9007199254740993.0000000000000000000000000000001", 9_007_199_254_740_994),
    ] as [(String, Double)])
  func `any other number is the nearest double`(json: String, expected: Double) throws {
    #expect(try jsonValue(json) == .double(expected))
  }

  @Test(arguments: ["1e309", "-1e309", "1.8e308", "1e99999999999999999999"])
  func `a number beyond the doubles is refused`(json: String) {
    #expect(
      jsonValueRefusal(json) == "column 1: the number \(json) is beyond the range of a double")
  }

  @Test(
    arguments: [
      ("01", "column 1: found a number with a leading zero"),
      ("-01", "column 1: found a number with a leading zero"),
      ("00.5", "column 1: found a number with a leading zero"),
      ("+1", "column 1: found '+', expected a value"),
      (".5", "column 1: found '.', expected a value"),
      ("-", "column 2: found the end of the text, expected a digit"),
      ("-x", "column 2: found 'x', expected a digit"),
      ("1.", "column 3: found the end of the text, expected a digit"),
      ("1.e5", "column 3: found 'e', expected a digit"),
      ("1e", "column 3: found the end of the text, expected a digit"),
      ("1e+", "column 4: found the end of the text, expected a digit"),
      ("0x10", "column 2: found 'x', expected nothing more"),
      ("1 2", "column 3: found '2', expected nothing more"),
      ("NaN", "column 1: found 'N', expected a value"),
      ("Infinity", "column 1: found 'I', expected a value"),
      ("-Infinity", "column 2: found 'I', expected a digit"),
    ])
  func `what is no number is refused`(json: String, sentence: String) {
    #expect(jsonValueRefusal(json) == sentence)
  }

  /// RFC 8785, appendix B, but for the samples that JSON has no number for.
  static let samples: [(bits: UInt64, json: String)] = [
    (0x0000_0000_0000_0000, "0"),
    (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"),
    (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
    (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
    (0x4340_0000_0000_0000, "9007199254740992"),
    (0xc340_0000_0000_0000, "-9007199254740992"),
    (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
    (0x44b5_2d02_c7e1_4af6, "1e+23"),
    (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
    (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
    (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
    (0x444b_1ae4_d6e2_ef50, "1e+21"),
    (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
    (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
    (0x41b3_de43_5555_5553, "333333333.3333332"),
    (0x41b3_de43_5555_5554, "333333333.33333325"),
    (0x41b3_de43_5555_5555, "333333333.3333333"),
    (0x41b3_de43_5555_5556, "333333333.3333334"),
    (0x41b3_de43_5555_5557, "333333333.33333343"),
    (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
    (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
  ]

  @Test(arguments: samples)
  func `the samples of RFC 8785 are written so`(bits: UInt64, json: String) throws {
    let number = Value.double(Double(bitPattern: bits))
    #expect(number.description == json)
    // 295147905179352830000 and its like are integer literals, which JSON input must keep within 64 bits.
    guard json.contains(where: { ".e".contains($0) }) || json.utf8.count < 19 else { return }
    #expect(try jsonValue(json) == number)
  }

  @Test func `every double is read back from its canonical form`() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: generator.next())
      guard number.isFinite else { continue }
      let json = Value.double(number).description
      guard json.contains(where: { ".e".contains($0) }) else { continue }
      #expect(try jsonValue(json) == .double(number), "\(json)")
    }
  }
}
