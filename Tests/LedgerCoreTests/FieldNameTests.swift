import LedgerCore
import Testing

/// A field name is one or more non-empty segments joined by dots, compared as bytes.
struct FieldNameTests {
  private func name(_ text: String) throws -> FieldName { try FieldName(text) }

  @Test(arguments: [
    "a", "tags.home", "é", "a b", "_id", "$ref", "a\u{0}b", "\u{1f600}.x", "1.2.3",
    String(repeating: "a", count: 256), String(repeating: "a.", count: 31) + "a",
  ])
  func `non-empty segments joined by dots make a name`(text: String) throws {
    #expect(try name(text).text.utf8.elementsEqual(text.utf8))
  }

  @Test(arguments: [("", 0), (String(repeating: "é", count: 128) + "a", 257)])
  func `no byte or more than 256 are refused`(text: String, count: Int) {
    expectRefusal("a field name has \(count) bytes, expected 1 to 256") { _ = try name(text) }
  }

  @Test(arguments: [".", "a.", ".a", "a..b", "..", "a.b."])
  func `an empty segment is refused`(text: String) {
    expectRefusal("the field name \"\(text)\" has an empty segment") { _ = try name(text) }
  }

  @Test func `more than 32 segments are refused`() throws {
    expectRefusal("a field name has 33 segments, expected at most 32") {
      _ = try name(String(repeating: "a.", count: 32) + "a")
    }
  }

  @Test func `two Unicode forms of é are two names`() throws {
    let composed = try name("caf\u{e9}")
    let decomposed = try name("cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
  }

  @Test(arguments: [
    ("a", "a.b", true), ("a", "a.b.c", true), ("a.b", "a.b.c", true), ("a", "a", false),
    ("a", "ab", false), ("a", "ab.c", false), ("a", "a-b", false), ("a.b", "a", false),
    ("a.b", "a.bc", false), ("b", "a.b", false), ("caf\u{e9}", "cafe\u{301}.x", false),
    ("cafe\u{301}", "caf\u{e9}.x", false), ("e", "e\u{301}.x", false), ("é", "é.x", true),
  ])
  func `a prefix ends where a segment does`(shorter: String, longer: String, isPrefix: Bool) throws
  {
    let (shorter, longer) = (try name(shorter), try name(longer))
    #expect(shorter.isPrefix(of: longer) == isPrefix)
    #expect(shorter.collides(with: longer) == (isPrefix || longer.isPrefix(of: shorter)))
  }

  @Test func `the prefixes of a name come longest first`() throws {
    #expect(try name("a.bé.c").prefixes == [name("a.bé"), name("a")])
    #expect(try name("a").prefixes == [])
  }

  @Test func `three fields have defaults`() throws {
    #expect(FieldName.body.defaultValue == "")
    #expect(FieldName.isCompleted.defaultValue == false)
    #expect(FieldName.isDeleted.defaultValue == false)
    for text in ["Body", "bodi", "body2", "body.x", "isCompleteD", "isdeleted", "_id", "due"] {
      #expect(try name(text).defaultValue == nil)
    }
  }
}
