import LedgerCore
import Testing

/// What a field can hold, and which values are equal.
struct ValueTests {
  private func nested(_ depth: Int) -> Value {
    (1..<depth).reduce(Value.array([])) { inner, _ in .array([inner]) }
  }

  private func accepted(_ value: Value) throws -> Value { try value.validated() }

  @Test(arguments: [
    (Value.double(1), Value.int(1)), (.double(-0.0), .int(0)), (.double(0), .double(-0.0)),
    (.double(-0x1p63), .int(.min)), (.double(1e15), .int(1_000_000_000_000_000)),
    (.array([.double(2), "a"]), .array([.int(2), "a"])), (.double(0.5), .double(0.5)),
    (.text("caf\u{e9}"), .text("café")), (.array([]), .array([])),
  ])
  func `values with one canonical JSON are equal`(left: Value, right: Value) {
    #expect(left == right)
    #expect(right == left)
    #expect(left.hashValue == right.hashValue)
    #expect(left.description.hasSameBytes(as: right.description))
  }

  @Test(arguments: [
    (Value.text("caf\u{e9}"), Value.text("cafe\u{301}")), (.bool(true), .int(1)),
    (.bool(false), .int(0)), (.int(1), .text("1")), (.int(.max), .double(0x1p63)),
    (.array([1]), .int(1)), (.array([1, 2]), .array([2, 1])), (.array(["é"]), .array(["e\u{301}"])),
    (.text(""), .bool(false)), (.int(9_007_199_254_740_993), .double(9_007_199_254_740_992)),
    (.double(0.1), .double(0.1.nextUp)),
  ])
  func `values with different canonical JSON differ`(left: Value, right: Value) {
    #expect(left != right)
    #expect(right != left)
    #expect(Set([left, right]).count == 2)
    #expect(!left.description.hasSameBytes(as: right.description))
  }

  @Test func `texts cut at different places hash differently`() {
    #expect(Value.array(["ab", "c"]).hashValue != Value.array(["a", "bc"]).hashValue)
  }

  @Test func `a double with an integral value becomes that integer`() throws {
    let expected: [(Double, Int64)] = [
      (1, 1), (-0.0, 0), (0x1p53, 9_007_199_254_740_992), (-0x1p63, .min),
      ((0x1p63).nextDown, 9_223_372_036_854_774_784),
    ]
    for (double, integer) in expected {
      guard case .int(integer) = try accepted(.double(double)) else {
        Issue.record("\(double) did not become \(integer)")
        continue
      }
    }
    guard case .array(let elements) = try accepted([.array([.double(3)])]),
      case .array(let inner)? = elements.first, case .int(3)? = inner.first
    else {
      Issue.record("3.0 in an array did not become 3")
      return
    }
  }

  @Test(arguments: [0x1p63, (-0x1p63).nextDown, 1e300, -1e300, 0.5, .leastNonzeroMagnitude])
  func `a double that is not integral or out of the range of integers stays one`(number: Double)
    throws
  {
    guard case .double(number) = try accepted(.double(number)) else {
      Issue.record("\(number) did not stay a double")
      return
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `a number that is not finite is refused`(number: Double) {
    expectRefusal("the number \(number) is not finite") { _ = try accepted(.double(number)) }
    expectRefusal("the number \(number) is not finite") {
      _ = try accepted([1, [.double(number)]])
    }
  }

  @Test func `arrays nest 32 deep and no deeper`() throws {
    #expect(try accepted(nested(32)) == nested(32))
    #expect(try accepted(.array([nested(31), nested(31)])) == .array([nested(31), nested(31)]))
    expectRefusal("arrays nest more than 32 deep") { _ = try accepted(nested(33)) }
    expectRefusal("arrays nest more than 32 deep") { _ = try accepted([1, nested(32)]) }
  }

  @Test func `a text of 1 MiB in JSON is allowed and one byte more is refused`() throws {
    let longest = Value.text(String(repeating: "a", count: (1 << 20) - 2))
    #expect(longest.canonicalSize == 1 << 20)
    #expect(try accepted(longest) == longest)
    expectRefusal("a value has 1048577 bytes of JSON, expected at most 1048576") {
      _ = try accepted(.text(String(repeating: "a", count: (1 << 20) - 1)))
    }
  }

  @Test func `escapes count as JSON writes them`() throws {
    let quotes = Value.text(String(repeating: "\"", count: (1 << 19) - 1))
    #expect(try accepted(quotes) == quotes)
    expectRefusal("a value has 1048577 bytes of JSON, expected at most 1048576") {
      _ = try accepted(.text(String(repeating: "\"", count: (1 << 19) - 1) + "a"))
    }
  }

  @Test func `an array of 1 MiB in JSON is allowed and one byte more is refused`() throws {
    let elements = [Value](repeating: 1, count: (1 << 19) - 1)
    #expect(try accepted(.array([10] + elements.dropLast())) == .array([10] + elements.dropLast()))
    expectRefusal("a value has 1048577 bytes of JSON, expected at most 1048576") {
      _ = try accepted(.array(elements + [1]))
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `the size of a value is the length of its JSON`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let value = Value.random(depth: 3, using: &generator)
      #expect(value.canonicalSize == value.description.utf8.count)
    }
  }

  @Test func `the size of a text counts the escape of each character`() throws {
    for number in (0...0xff as ClosedRange<UInt32>) {
      let value = Value.text(String(Character(try #require(Unicode.Scalar(number)))))
      #expect(value.canonicalSize == value.description.utf8.count)
    }
  }

  @Test func `literals make values`() {
    let value: Value = [true, 1, 2.0, 0.5, "a", []]
    #expect(value.description == #"[true,1,2,0.5,"a",[]]"#)
  }
}

extension Value {
  /// A value of any kind, with texts that need escapes.
  static func random(depth: Int, using generator: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 5), using: &generator) {
    case 0: return .bool(Bool.random(using: &generator))
    case 1: return .int(Int64.random(in: .min ... .max, using: &generator))
    case 2: return .int(Int64.random(in: -20...20, using: &generator))
    case 3:
      let number = Double(bitPattern: generator.next())
      return .double(number.isFinite ? number : -0.0)
    case 4:
      let letters: [Character] = [
        "a", "\"", "\\", "\n", "\u{1}", "\u{7f}", "é", "\u{1f600}", "\u{0}",
      ]
      return .text(String((0..<5).map { _ in letters.randomElement(using: &generator) ?? "a" }))
    default:
      return .array(
        (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
          random(depth: depth - 1, using: &generator)
        })
    }
  }
}
