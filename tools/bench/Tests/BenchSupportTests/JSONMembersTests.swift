import BenchSupport
import Testing

@Suite struct `JSON members` {
  private func pairs(_ text: String) throws -> [[String]] {
    try Array(text.utf8).withUnsafeBufferPointer { bytes in
      var members = try JSONMembers(bytes)
      var pairs: [[String]] = []
      while try members.next() { pairs.append([members.key.string, members.value.string]) }
      return pairs
    }
  }

  @Test func `come out in order with their values as text`() throws {
    let text = #"{ "a": 1, "b":"x,}\"y" ,"c":[1,{"d":"]"}],"e":{},"f":-2.5}"#
    #expect(
      try pairs(text) == [
        ["a", "1"], ["b", #""x,}\"y""#], ["c", #"[1,{"d":"]"}]"#], ["e", "{}"], ["f", "-2.5"],
      ])
    #expect(try pairs("{}").isEmpty)
  }

  @Test(arguments: ["", "[1]", "{", #"{"a""#, #"{"a":"#, #"{"a":[1"#, #"{"a":"b\"#, "{1:2}"])
  func `are refused when the object does not end`(text: String) {
    #expect(throws: BenchError.self) { try pairs(text) }
  }
}
