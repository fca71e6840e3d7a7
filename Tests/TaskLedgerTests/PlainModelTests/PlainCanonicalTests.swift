import Foundation
import Testing

struct `Canonical JSON in the plain model` {
  /// RFC 8785, appendix B, and the edges of the four notations.
  @Test(
    arguments: [
      (0x0000_0000_0000_0001, "5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
      (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5557, "333333333.33333343"),
      (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
      (0x3D30_0000_0000_0000, "5.684341886080802e-14"), (0x4024_0000_0000_0000, "10"),
      (0x4025_0000_0000_0000, "10.5"),
    ] as [(UInt64, String)])
  func `prints doubles as ECMAScript does`(bits: UInt64, text: String) {
    #expect(PlainJSON.ecmaScript(Double(bitPattern: bits)) == text)
  }

  @Test func `prints digits that Swift's own shortest form agrees with`() {
    var random = SplitMix64(seed: 8785)
    for index in 0..<4096 {
      // Half of them are powers of two, where the neighbours are not equally far.
      var bits = random.next() & 0x7FFF_FFFF_FFFF_FFFF
      if index % 2 == 0 { bits &= 0x7FF0_0000_0000_0000 }
      let number = Double(bitPattern: bits)
      guard number.isFinite, number > 0 else { continue }
      let digits = significant(PlainJSON.ecmaScript(number))
      #expect(digits == significant(number.description), "of \(bits)")
    }
  }

  private func significant(_ text: String) -> String {
    let mantissa = text.prefix { $0 != "e" }.filter { $0 != "." }
    let digits = mantissa.drop { $0 == "0" }
    return String(digits.reversed().drop { $0 == "0" }.reversed())
  }

  @Test func `sorts keys by UTF-16 units and escapes only what it must`() {
    let object = PlainJSON.object([
      PlainMember("\u{FB01}", 1), PlainMember("\u{1F600}", 2), PlainMember("\r", 3),
      PlainMember("", "\"\\/\u{0}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}\u{2028}"),
    ])
    #expect(
      object.description
        == #"{"":"\"\\/\u0000\b\t\n\u000b\f\r\u001f"# + "\u{7F}\u{2028}"
        + "\",\"\\r\":3,\"\u{1F600}\":2,\"\u{FB01}\":1}")
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `is digested by SHA-256 of the standard`(message: String, digest: String) {
    #expect(PlainSHA256.hex(Array(message.utf8)) == digest)
  }
}
