import LedgerCore
import Testing

/// Texts are compared, sorted and hashed as UTF-8 bytes.
struct ByteOrderTests {
  private static let texts = [
    "", "\u{0}", "a", "a\u{0}", "ab", "b", "e\u{301}", "\u{e9}", "\u{212b}", "\u{c5}", "\u{fffd}",
    "\u{10000}", "한", "\u{1112}\u{1161}\u{11ab}",
  ]

  @Test(arguments: texts, texts)
  func `bytes decide, never Unicode equivalence`(left: String, right: String) {
    let (a, b) = (Array(left.utf8), Array(right.utf8))
    #expect(left.hasSameBytes(as: right) == (a == b))
    #expect(left.bytesPrecede(right) == a.lexicographicallyPrecedes(b))
    #expect(left.compareBytes(to: right).signum() == -right.compareBytes(to: left).signum())
    #expect((hash(left) == hash(right)) == (a == b))
    #expect(String.haveSameBytes(left, right) == (a == b))
    #expect(!String.haveSameBytes(left, nil))
    #expect(String.haveSameBytes(nil, nil))
  }

  private func hash(_ text: String) -> Int {
    var hasher = Hasher()
    text.hashBytes(into: &hasher)
    return hasher.finalize()
  }

  @Test func `a slice of a longer text hashes like the text`() {
    let slice = String("xxcaf\u{e9}yy".dropFirst(2).dropLast(2))
    #expect(hash(slice) == hash("caf\u{e9}"))
  }
}
