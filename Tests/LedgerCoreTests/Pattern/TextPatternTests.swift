import LedgerCore
import Testing

struct `A pattern` {
  @Test(
    arguments: [
      ("", ["", "x"], []), ("milk", ["milk", "get milk!"], ["mil", "MILK"]),
      ("^a", ["ab"], ["ba", ""]),
      ("a$", ["ba"], ["ab", "a\n"]), ("^$", [""], ["x"]),
      ("a.c", ["abc", "a\u{1F600}c"], ["a\nc", "ac"]),
      ("[a-c_]x", ["bx", "_x"], ["dx", "-x"]), ("[^a-c]x", ["dx", "\nx"], ["ax", "x"]),
      ("[a-]", ["-", "a"], ["b"]), ("[\\]\\\\]", ["]", "\\"], ["a"]),
      ("[\\d\\s]", ["7", " "], ["a"]),
      ("\\d+", ["a12"], ["\u{0661}", ""]), ("\\D", ["a"], ["12"]),
      ("\\w", ["_", "\u{e9}", "\u{4e2d}"], ["-", " "]),
      ("\\W", ["-"], ["ab"]), ("\\s", ["\t", "\u{3000}"], ["a"]), ("\\S", ["a"], [" \n"]),
      ("\\bcat\\b", ["a cat.", "cat"], ["cats", "concat"]), ("\\Bat", ["cat"], ["at"]),
      ("^(?:a|bc)+$", ["a", "abca"], ["", "ab"]), ("^(a|)$", ["a", ""], ["b"]),
      ("a|b|^c", ["xb", "c"], ["xc"]),
      ("^a*?b+?c??$", ["b", "aabbc"], ["c", "ac"]), ("^a{2}$", ["aa"], ["a", "aaa"]),
      ("^a{2,}$", ["aa", "aaaa"], ["a"]),
      ("^a{1,2}$", ["a", "aa"], ["", "aaa"]), ("^a{0}b$", ["b"], ["ab"]),
      ("^(a{2}){2}$", ["aaaa"], ["aaa"]),
      ("(?i)stra\u{df}e", ["STRA\u{df}E", "Stra\u{df}e"], ["strasse"]),
      ("(?i)\u{e9}[a-c]", ["\u{c9}B"], ["ED"]),
      ("(?i)[^a]", ["b"], ["A", "a"]), ("(?i)K", ["k", "\u{212a}"], ["j"]),
      ("\u{e9}", ["\u{e9}"], ["e\u{301}"]),
      ("^.$", ["\u{e9}"], ["e\u{301}"]), ("\\x41\\u00e9\\.", ["A\u{e9}."], ["A\u{e9}x"]),
      ("\\t\\n\\r\\f\\v", ["\t\n\r\u{c}\u{b}"], []),
      ("()*", ["", "x"], []), ("(|a)*b", ["b", "aab"], ["a"]), ("a]}", ["a]}"], ["a"]),
      ("(a*)*$", ["", "b"], []),
      ("x(?:)y", ["xy"], ["x"]), ("^(^a)", ["a"], ["ba"]), ("\\(\\)", ["()"], ["("]),
    ] as [(String, [String], [String])])
  func `is found`(pattern: String, hits: [String], misses: [String]) throws {
    let pattern = try TextPattern(pattern)
    for text in hits { #expect(pattern.matches(text), "\(pattern) in \(text.debugDescription)") }
    for text in misses { #expect(!pattern.matches(text), "\(pattern) in \(text.debugDescription)") }
  }

  @Test(
    arguments: [
      ("a(b", 2), ("a)b", 2), ("*a", 1), ("a**", 3), ("a|+", 3), ("a{2}{3}", 5), ("a{", 3),
      ("a{x}", 3), ("a{2", 4),
      ("a{2,1}", 2), ("a{1001}", 3), ("^*", 1), ("\\b+", 1), ("[a", 1), ("[]", 1), ("[]]", 1),
      ("[b-a]", 2), ("[a-\\d]", 2),
      ("[[a]]", 2), ("[\\b]", 2), ("\\", 1), ("a\\1", 2), ("\\p{L}", 1), ("\\k<a>", 1),
      ("\\Qa\\E", 1), ("(?=a)", 1),
      ("x(?!a)", 2), ("(?<=a)", 1), ("(?<n>a)", 1), ("(?s)a", 1), ("a(?i)", 2), ("\\u12", 1),
      ("\\ud800", 1),
      ("\\xg", 1), ("a*+", 3), ("\u{e9}e\u{301}\\2", 4),
    ] as [(String, Int)])
  func `is refused at its place`(pattern: String, column: Int) {
    do {
      _ = try TextPattern(pattern)
      Issue.record("\(pattern) was taken")
    } catch {
      #expect(error.code == .invalid)
      #expect(error.column == column, "\(pattern): \(error)")
    }
  }

  @Test func `has a bounded size`() {
    for pattern in [
      String(repeating: "(", count: 51), String(repeating: "a", count: 1001),
      String(repeating: "x", count: 10 << 20), "(a{1000}){1000}",
      "((((a{100}){100}){100}){100}){100}", "(((a?){1000}){1000}){1000}",
    ] {
      #expect(throws: LedgerError.self) { _ = try TextPattern(pattern) }
    }
  }

  @Test func `of repeated nothing is small`() throws {
    #expect(try TextPattern("((((){1000}){1000}){1000}){1000}x").matches("x"))
    #expect(try TextPattern("(((a{0}){1000}){1000}){0,1000}x").matches("x"))
  }

  @Test(arguments: [
    "(a+)+$", "(a*)*b", "(a|a)*b", "(a|aa)+$", "^(a?){500}a{500}$", "(.*)(.*)(.*)(.*)=x",
    "((a{0,9}){0,9})*!",
  ])
  func `does not explode`(text: String) throws {
    let pattern = try TextPattern(text)
    let short = pattern.steps(in: String(repeating: "a", count: 200) + "?")
    let long = pattern.steps(in: String(repeating: "a", count: 2000) + "?")
    // In proportion to the text, and at most every instruction at every place.
    #expect(long <= 11 * short, "\(short), then \(long)")
    #expect(long <= 2002 * 2000)
  }

  @Test func `takes steps in proportion to a hundred thousand letters`() throws {
    let pattern = try TextPattern("(a+)+$")
    #expect(pattern.steps(in: String(repeating: "a", count: 100_000) + "b") < 2_000_000)
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `agrees with Swift's own search`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let text = Self.pattern(depth: 3, &random)
      let pattern = try TextPattern(text)
      let other = try Regex(text).matchingSemantics(.unicodeScalar)
      for _ in 0..<8 {
        let count = Int.random(in: 0..<7, using: &random)
        let subject = String((0..<count).map { _ in "abc".randomElement(using: &random) ?? "a" })
        #expect(pattern.matches(subject) == subject.contains(other), "\(text) in \(subject)")
      }
    }
  }

  private static func pattern(depth: Int, _ random: inout SeededGenerator) -> String {
    guard depth > 0 else {
      return ["a", "b", "c", ".", "[ab]", "[^b]", "^", "$", "\\w"].randomElement(using: &random)
        ?? "a"
    }
    let inner = pattern(depth: depth - 1, &random)
    return switch Int.random(in: 0..<6, using: &random) {
    case 0: "(?:\(inner))" + (["*", "+", "?", "{2}", "{1,2}"].randomElement(using: &random) ?? "*")
    case 1: "(\(inner)|\(pattern(depth: depth - 1, &random)))"
    default: inner + pattern(depth: depth - 1, &random)
    }
  }
}
