import LedgerCore
import Testing

/// An id is 1 to 256 bytes of UTF-8 without control characters, compared as bytes.
struct TaskIDTests {
  private func id(_ text: String) throws -> TaskID { try TaskID(text) }

  @Test func `1 to 256 bytes make an id`() throws {
    #expect(try id("a").text == "a")
    #expect(try id(String(repeating: "a", count: 256)).text.utf8.count == 256)
    #expect(try id(String(repeating: "é", count: 128)).text.utf8.count == 256)
  }

  @Test(arguments: [
    ("", 0), (String(repeating: "a", count: 257), 257), (String(repeating: "é", count: 129), 258),
  ])
  func `no byte or more than 256 are refused`(text: String, count: Int) {
    expectRefusal(
      "a task id has \(count) bytes, expected 1 to 256",
      hint: "give an id of that length; only a new task may be left without one"
    ) { _ = try id(text) }
  }

  @Test func `each control character is refused and nothing else is`() throws {
    for number in (0...0x2ff as ClosedRange<UInt32>) {
      let scalar = try #require(Unicode.Scalar(number))
      let text = "a\(Character(scalar))b"
      if scalar.properties.generalCategory == .control {
        expectRefusal(
          "a task id holds a control character",
          hint: "use printable characters only; a new task may be left without an id"
        ) { _ = try id(text) }
      } else {
        #expect(try id(text).text.utf8.elementsEqual(text.utf8))
      }
    }
  }

  @Test(arguments: ["\u{2028}", "\u{202e}", "\u{feff}", "\u{10ffff}", " ", "𐂂", "\u{ad}", "タ"])
  func `what is not of the category Cc is allowed`(text: String) throws {
    #expect(try id(text).description == text)
  }

  @Test func `two Unicode forms of é are two ids`() throws {
    let composed = try id("caf\u{e9}")
    let decomposed = try id("cafe\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(decomposed < composed)
    #expect(!(composed < decomposed))
  }

  @Test func `ids sort by their bytes`() throws {
    let texts = ["", "\u{1f600}", "\u{fffd}", "é", "z", "a", "Z", "ab", "a-b"].dropFirst()
    let sorted = try texts.map(id).sorted().map(\.text)
    #expect(sorted == ["Z", "a", "a-b", "ab", "z", "é", "\u{fffd}", "\u{1f600}"])
  }

  @Test func `a random id is a version 4 UUID in lower case`() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<200 {
      let text = TaskID.random(using: &generator).text
      #expect(
        text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
          != nil)
    }
    #expect(TaskID.random() != TaskID.random())
  }

  @Test func `a literal that breaks a rule stops the program`() async {
    await #expect(processExitsWith: .failure) { _ = TaskID(stringLiteral: "") }
    await #expect(processExitsWith: .failure) { _ = TaskID(stringLiteral: "a\n") }
  }
}
